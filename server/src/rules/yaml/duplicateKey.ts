import { memo } from '../../base/memo.ts';
import type { Range } from '../../base/text.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { startsOfNodes } from '../../yaml/place.ts';
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
    related: firstKey,
  },
});

function firstKey({ document, range }: Problem): RelatedProblem[] {
  const first = firstKeys(document).get(range.start);
  return first ? [{ range: first, message: 'the key is already here' }] : [];
}

/** By where a key stands again: where it stands first. */
const firstKeys = memo((document: YamlDocument): ReadonlyMap<number, Range> => {
  const found = new Map<number, Range>();
  for (const [node, start] of startsOfNodes(document)) {
    if (node.kind !== 'map') continue;
    const byText = new Map<string, Range>();
    for (const { at, keyAt, key } of node.pairs) {
      const from = start + at + keyAt;
      const range = { start: from, end: from + key.length };
      const text = document.text.slice(range.start, range.end);
      const first = byText.get(text);
      if (first) found.set(from, first);
      else byText.set(text, range);
    }
  }
  return found;
});
