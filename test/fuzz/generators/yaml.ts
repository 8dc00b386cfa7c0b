import { randomYaml } from '../../support/yamlTexts.ts';
import type { Ask, Generator } from '../generator.ts';

export const yaml: Generator = {
  name: 'yaml',
  generate: (random) => ({ op: 'yaml', text: randomYaml(random) }),
  explain: (ask, rows) => explainYaml(String((ask as Ask & { text: string }).text), rows),
};

/** Keys such as 1, 1.0 and "1" are three to the reader and one in JSON: Go's random map order says which one wins. */
function explainYaml(_text: string, rows: readonly string[]): string | undefined {
  const pairs = rows
    .filter((row) => row.includes('only ours'))
    .map((row) => [row, rows.find((r) => r.includes('only theirs'))]);
  const collides = pairs.length > 0 && pairs.every(([ours, theirs]) => sameKeys(jsonOf(ours), jsonOf(theirs)));
  return collides ? 'keys that are one in JSON only: the winner is random' : undefined;
}

function jsonOf(row: string | undefined): unknown {
  const at = row?.indexOf('{') ?? -1;
  return at === -1 ? undefined : (JSON.parse(row!.slice(at)) as { json?: unknown }).json;
}

/** Whether two values differ only in what is under numeric, boolean or odd keys. */
function sameKeys(ours: unknown, theirs: unknown): boolean {
  if (JSON.stringify(ours) === JSON.stringify(theirs)) return true;
  if (typeof ours !== 'object' || typeof theirs !== 'object' || !ours || !theirs) return false;
  const left = Object.entries(ours);
  if (left.length !== Object.keys(theirs).length) return false;
  return left.every(([key, value]) => {
    const other = (theirs as Record<string, unknown>)[key];
    return other !== undefined && (/^[-+.\d]|^(?:true|false)$/.test(key) || sameKeys(value, other));
  });
}
