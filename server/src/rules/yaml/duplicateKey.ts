import type { Range } from '../../base/text.ts';
import { removeNth } from '../../yaml/edit.ts';
import type { MapNode, PlacedNode } from '../../yaml/node.ts';
import { fixOf } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type RelatedProblem } from '../model/rule.ts';

export type DuplicateKeyFacts = { 'yaml/duplicate-key': undefined };

export const duplicateKey = family<DuplicateKeyFacts>()({
  'yaml/duplicate-key': {
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

function firstKey({ document, range }: Problem): RelatedProblem[] {
  const map = document.root && mapWithKey({ node: document.root, start: document.rootStart }, range.start);
  const own = map && keyRanges(map).find(({ start }) => start === range.start);
  const text = (place: Range) => document.text.slice(place.start, place.end);
  const first = own && keyRanges(map).find((place) => text(place) === text(own));
  return first && first.start !== own.start ? [{ range: first, message: 'the key is already here' }] : [];
}

/** The last one counts, so that without the others nothing changes; without it, what was lost comes back. */
function removals({ document, range }: Problem): Fix[] {
  const map = document.root && mapWithKey({ node: document.root, start: document.rootStart }, range.start);
  if (!map) return [];
  const ranges = keyRanges(map);
  const index = ranges.findIndex(({ start }) => start === range.start);
  const key = document.text.slice(range.start, range.end);
  const earlier = ranges.findLastIndex(({ start, end }, i) => i < index && document.text.slice(start, end) === key);
  return [
    ...fixOf(`Keep this \`${key}\` and remove the one before`, removeNth(document, map, earlier), false),
    ...fixOf(`Remove this \`${key}\``, removeNth(document, map, index), false),
  ];
}

interface PlacedMap {
  readonly node: MapNode;
  readonly start: number;
}

function keyRanges({ node, start }: PlacedMap): Range[] {
  return node.pairs.map(({ at, keyAt, key }) => {
    const from = start + at + keyAt;
    return { start: from, end: from + key.length };
  });
}

/** The map that has a key at an offset. */
function mapWithKey({ node, start }: PlacedNode, offset: number): PlacedMap | undefined {
  if (offset < start || offset > start + node.length) return undefined;
  if (node.kind === 'list') {
    for (const { at, nodeAt, node: item } of node.items) {
      const found = mapWithKey({ node: item, start: start + at + nodeAt }, offset);
      if (found) return found;
    }
  }
  if (node.kind !== 'map') return undefined;
  if (keyRanges({ node, start }).some((range) => range.start === offset)) return { node, start };
  for (const { at, valueAt, value } of node.pairs) {
    const found = mapWithKey({ node: value, start: start + at + valueAt }, offset);
    if (found) return found;
  }
  return undefined;
}
