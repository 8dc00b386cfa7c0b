import { compileGoRegexp } from '../../gostd/regexp.ts';
import { ChartError } from '../../helm/chartError.ts';
import type { Diagnostic } from '../../rules/model/diagnostic.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { isChartTemplate } from '../../workspace/fileNames.ts';
import { placeInFile } from '../../workspace/projections/chart.ts';
import { baseName } from '../../workspace/uri.ts';
import type { ChartFinding } from './finding.ts';

/**
 * A value that is refused where it is written is what is wrong in each text that a template makes of it: that is told at the value, and
 * remarked in the template. A text that would be wrong with another value as well has a mistake of its own. So it is with the name of
 * the chart, which most objects are named after.
 */
export function toldInValues(all: readonly ChartFinding[], chart: ChartFolder): readonly ChartFinding[] {
  const atName = toldAtName(all, chart);
  const values = new Map<string, string>(atName && [[atName.name, 'Chart.yaml']]);
  for (const { uri, diagnostic } of all) {
    const text = isTold(diagnostic) && !isChartTemplate(uri) ? refusedText(diagnostic) : undefined;
    // Any text may hold a single character.
    if (text !== undefined && text.length > 1) values.set(text, baseName(uri));
  }
  const remarks = values.size === 0 ? all : all.map((one) => remarked(one, values));
  return atName ? [atName.finding, ...remarks] : remarks;
}

const isTold = ({ severity }: Diagnostic) => severity === 'error' || severity === 'warning';

/** The most severe of what the name of a chart is refused for, at the name. */
function toldAtName(
  all: readonly ChartFinding[],
  folder: ChartFolder,
): { readonly name: string; readonly finding: ChartFinding } | undefined {
  const { chart, root } = folder;
  const name = chart instanceof ChartError ? '' : chart.metadata.name;
  if (/^[a-z0-9-]*$/.test(name)) return undefined;
  const ofName = all.filter((one) => isTold(one.diagnostic) && causeOf(one, new Map([[name, '']])));
  const first = ofName.find(({ diagnostic }) => diagnostic.severity === 'error') ?? ofName[0];
  const file = folder.fileAt(`${root}/Chart.yaml`);
  const place = file && placeInFile(file, ['name']);
  if (!first || !place) return undefined;
  const { code, message, range, says, severity } = first.diagnostic;
  const related = [{ uri: first.uri, range, message: 'an object is named after the chart' }];
  const diagnostic = { code, severity, message, range: place.range, related, says, unnecessary: false };
  return { name, finding: { uri: place.uri, diagnostic: { ...diagnostic, key: { of: 'file' } } } };
}

function remarked(one: ChartFinding, values: ReadonlyMap<string, string>): ChartFinding {
  const { uri, diagnostic } = one;
  const cause = causeOf(one, values);
  if (!cause) return one;
  const message = `${diagnostic.message}\n("${cause[0]}" is told in ${cause[1]})`;
  return { uri, diagnostic: { ...diagnostic, severity: 'information', message } };
}

/** The value that a text of a template is refused for. */
function causeOf(
  { uri, diagnostic }: ChartFinding,
  values: ReadonlyMap<string, string>,
): readonly [string, string] | undefined {
  const text = isChartTemplate(uri) ? refusedText(diagnostic) : undefined;
  const pattern = /regex used for validation is '([^']{1,1000})'/.exec(diagnostic.says.error?.detail ?? '')?.[1];
  if (text === undefined || pattern === undefined) return undefined;
  const wanted = compileGoRegexp(`^(?:${pattern})$`);
  return [...values].find(([value]) => {
    return wanted.ok && text.includes(value) && wanted.matches(text.replaceAll(value, 'a'));
  });
}

/** The text that is refused, as the server quotes it. */
function refusedText({ says: { error } }: Diagnostic): string | undefined {
  const isRefused = error?.type === 'FieldValueInvalid' || error?.type === 'FieldValueTypeInvalid';
  return isRefused ? /^"((?:[^"\\]|\\.){1,300})"$/.exec(error.shown ?? '')?.[1] : undefined;
}
