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
  const { start } = diagnostic.range;
  const block = blockBelow(text, start);
  const printed = printedForCluster(block, variablesOfCluster(text));
  if (rule.ofType) return printed.some((one) => isOfOtherType(one, diagnostic));
  const columns = columnsOfKeys(text, start, block);
  return keysMissing(diagnostic).some((key) => printed.some((one) => hasKey(one, key, columns)));
}

/** Items where a map is found, or the other way round: more of the same would leave the type as it is, and a text is one by itself. */
function isOfOtherType(printed: string, { says: { undecoded, error } }: Diagnostic): boolean {
  const found = undecoded?.found ?? error?.shown?.replaceAll('"', '');
  const first = printed.split('\n').find(isContent)?.trimStart();
  if (first === undefined || (found !== 'array' && found !== 'object' && found !== 'null')) return false;
  return found !== (first.startsWith('- ') ? 'array' : 'object');
}

function keysMissing(diagnostic: Diagnostic): string[] {
  return fieldsMissing(diagnostic).map((one) => one.slice(one.lastIndexOf('.') + 1));
}

/** Where the keys of a map begin in their lines, which is that of an item or the one below a key. Deeper ones are of other maps. */
function columnsOfKeys(text: string, at: number, block: string): ReadonlySet<number> {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const below = block.split('\n').filter(isContent);
  const first = below.reduce((least, line) => Math.min(least, line.search(/\S/)), Number.POSITIVE_INFINITY);
  return new Set(/^ *(?:- +)+$/.test(before) ? [before.length, first] : [first]);
}

function hasKey(printed: string, key: string, columns: ReadonlySet<number>): boolean {
  return printed.split('\n').some((line) => {
    const [before] = /^ *(?:- +)*/.exec(line)!;
    return columns.has(before.length) && line.startsWith(`${key}:`, before.length);
  });
}

/** Whether a line is neither an action by itself nor a comment. */
function isContent(line: string): boolean {
  const text = line.trimStart();
  return text !== '' && !text.startsWith('{{') && !text.startsWith('#');
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

/** What is in conditions and loops over what was found. */
function printedForCluster(block: string, variables: readonly string[]): string[] {
  const asks = /\{\{-? ?(?:if|range|with) ([^{}\n]{1,300})\}\}/g;
  return Array.from(block.matchAll(asks)).flatMap(({ 0: { length }, 1: asked = '', index }) => {
    const names = asked.match(/\$\w{1,60}/g) ?? [];
    const isOfCluster = /\blookup\b/.test(asked) || names.some((name) => variables.includes(name));
    return isOfCluster ? [untilEnd(block.slice(index + length))] : [];
  });
}

/** A text as far as the `end` of what it is in. */
function untilEnd(text: string): string {
  let depth = 1;
  for (const { 1: word, index } of text.matchAll(/\{\{-?[ \t]{0,20}(if|range|with|define|block|end)\b/g)) {
    depth += word === 'end' ? -1 : 1;
    if (depth === 0) return text.slice(0, index);
  }
  return text;
}
