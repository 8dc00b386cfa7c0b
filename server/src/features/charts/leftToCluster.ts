import { type Diagnostic, fieldsMissing } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import type { ChartFinding } from './finding.ts';

// What is wrong only because nothing is found in a cluster here: `lookup` finds nothing where Helm only renders.

/** How far below a key what it has is looked for, in characters. */
const longestBelow = 4_000;

/**
 * Whether a part of what a key has is printed for what is found in a cluster, without which the rest is of another type, or a
 * field is missing.
 */
export function isLeftToCluster(chart: ChartFolder, { uri, diagnostic }: ChartFinding): boolean {
  const rule = ruleOf(diagnostic.code);
  if (rule?.ofType !== true && rule?.ofMissing !== true) return false;
  const text = chart.fileAt(uri)?.text ?? '';
  if (!text.includes('lookup')) return false;
  const printed = printedForCluster(blockBelow(text, diagnostic.range.start), variablesOfCluster(text));
  if (printed === undefined) return false;
  return rule.ofType === true || keysMissing(diagnostic).some((key) => printed.includes(`${key}:`));
}

function keysMissing(diagnostic: Diagnostic): string[] {
  return fieldsMissing(diagnostic).map((one) => one.slice(one.lastIndexOf('.') + 1));
}

/** The lines below that of a key which are further in than it, and those of actions among them. */
function blockBelow(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const [first = '', ...lines] = text.slice(start, start + longestBelow).split('\n');
  const indent = first.search(/\S/);
  const end = lines.findIndex((line) => /^ *[^\s{]/.test(line) && line.search(/\S/) <= indent && !isItem(line, indent));
  return lines.slice(0, end === -1 ? undefined : end).join('\n');
}

/** The items of a list may begin where its key does. */
const isItem = (line: string, indent: number) => line.search(/\S/) === indent && line.trimStart().startsWith('- ');

/** Variables that hold what was found: `$known := lookup "v1" "Secret" …`. */
function variablesOfCluster(text: string): string[] {
  return Array.from(text.matchAll(/(\$\w{1,60}) :?= \(?lookup\b/g), ([, name]) => name!);
}

/** What is behind the first condition or loop over what was found. */
function printedForCluster(block: string, variables: readonly string[]): string | undefined {
  const asks = /\{\{-? ?(?:if|range|with) ([^{}\n]{1,300})\}\}/g;
  for (const { 1: asked = '', index } of block.matchAll(asks)) {
    const names = asked.match(/\$\w{1,60}/g) ?? [];
    if (/\blookup\b/.test(asked) || names.some((name) => variables.includes(name))) return block.slice(index);
  }
  return undefined;
}
