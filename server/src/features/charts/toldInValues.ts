import { compileGoRegexp } from '../../gostd/regexp.ts';
import { isChartTemplate } from '../../workspace/fileNames.ts';
import { baseName } from '../../workspace/uri.ts';
import type { ChartFinding } from './finding.ts';

/**
 * A value that is refused where it is written is what is wrong in each text that a template makes of it: that is told at the value, and
 * remarked in the template. A text that would be wrong with another value as well has a mistake of its own.
 */
export function toldInValues(all: readonly ChartFinding[]): readonly ChartFinding[] {
  const values = new Map<string, string>();
  for (const { uri, diagnostic } of all) {
    const isTold = diagnostic.severity === 'error' || diagnostic.severity === 'warning';
    const text = isTold && !isChartTemplate(uri) ? refusedText(diagnostic.message) : undefined;
    // Any text may hold a single character.
    if (text !== undefined && text.length > 1) values.set(text, baseName(uri));
  }
  return values.size === 0 ? all : all.map((one) => remarked(one, values));
}

function remarked(one: ChartFinding, values: ReadonlyMap<string, string>): ChartFinding {
  const { uri, diagnostic } = one;
  const text = isChartTemplate(uri) ? refusedText(diagnostic.message) : undefined;
  const pattern = /regex used for validation is '([^']{1,1000})'/.exec(diagnostic.message)?.[1];
  if (text === undefined || pattern === undefined) return one;
  const wanted = compileGoRegexp(`^(?:${pattern})$`);
  const cause = [...values].find(([value]) => {
    return wanted.ok && text.includes(value) && wanted.matches(text.replaceAll(value, 'a'));
  });
  if (!cause) return one;
  const message = `${diagnostic.message}\n("${cause[0]}" is told in ${cause[1]})`;
  return { uri, diagnostic: { ...diagnostic, severity: 'information', message } };
}

/** The text that is refused, as the server quotes it. */
function refusedText(message: string): string | undefined {
  return /^Invalid value: "((?:[^"\\]|\\.){1,300})":/.exec(message)?.[1];
}
