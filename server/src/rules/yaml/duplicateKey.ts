import { memo } from '../../base/memo.ts';
import type { Range } from '../../base/text.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { removeNth } from '../../yaml/edit.ts';
import type { MapNode } from '../../yaml/node.ts';
import { startsOfNodes } from '../../yaml/place.ts';
import { fixOf } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type RelatedProblem } from '../model/rule.ts';

export type DuplicateKeyFacts = { 'yaml/duplicate-key': undefined };

export const duplicateKey = family<DuplicateKeyFacts>()({
  'yaml/duplicate-key': {
    ofKey: true,
    ofDuplicate: true,
    numbered: true,
    damages: true,
    severity: 'warning',
    title: 'A key appears twice in the same map',
    explanation: `If a map has the same key twice, the last one wins and the first is silently lost: kubectl drops it
before sending the request. The API server rejects it only when it reads the YAML itself.`,
    bad: `a: 1
a: 2
`,
    good: `a: 1
b: 2
`,
    fixes: removals,
    related: firstKey,
  },
});

/** Whether a key is written in its map before. */
export function isRepeated(document: YamlDocument, { start }: Range): boolean {
  return repeated(document).has(start);
}

function firstKey({ document, range }: Problem): RelatedProblem[] {
  const again = repeated(document).get(range.start);
  return again ? [{ range: again.first, message: 'the key is already here' }] : [];
}

/** The last one counts, so that without the others nothing changes; without it, what was lost comes back. */
function removals({ document, range }: Problem): Fix[] {
  const again = repeated(document).get(range.start);
  if (!again) return [];
  const key = document.text.slice(range.start, range.end);
  return [
    ...fixOf(`Keep this \`${key}\` and remove the one before`, removeNth(document, again.map, again.before), false),
    ...fixOf(`Remove this \`${key}\``, removeNth(document, again.map, again.index), false),
  ];
}

/** A key that its map has already: where it stands first, and which pairs it and the one before it are. */
interface Repeated {
  readonly map: { readonly node: MapNode; readonly start: number };
  readonly first: Range;
  readonly before: number;
  readonly index: number;
}

/** The repeated keys of a document, by where they stand. */
const repeated = memo((document: YamlDocument): ReadonlyMap<number, Repeated> => {
  const found = new Map<number, Repeated>();
  for (const [node, start] of startsOfNodes(document)) {
    if (node.kind !== 'map') continue;
    const known = new Map<string, { first: Range; index: number }>();
    for (const [index, { at, keyAt, key }] of node.pairs.entries()) {
      const from = start + at + keyAt;
      const range = { start: from, end: from + key.length };
      const text = document.text.slice(range.start, range.end);
      const other = known.get(text);
      if (other) found.set(from, { map: { node, start }, first: other.first, before: other.index, index });
      known.set(text, { first: other?.first ?? range, index });
    }
  }
  return found;
});
