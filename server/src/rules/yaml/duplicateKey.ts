import type { Range } from '../../base/text.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { startsOfNodes } from '../../yaml/place.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type RelatedProblem } from '../model/rule.ts';

export type DuplicateKeyFacts = { 'yaml/duplicate-key': undefined };

export const duplicateKey = family<DuplicateKeyFacts>()({
  'yaml/duplicate-key': {
    severity: 'warning',
    title: 'A key stands twice in the same map',
    explanation: `Of two equal keys in one map the last one counts, and the first is lost without a word: kubectl drops it
before the request is made. The API server refuses it only where it reads the YAML itself.`,
    bad: `a: 1
a: 2
`,
    good: `a: 1
b: 2
`,
    fixes: (): Fix[] => [],
    related: firstKey,
  },
});

function firstKey({ document, range }: Problem): RelatedProblem[] {
  const first = firstKeys(document).get(range.start);
  return first ? [{ range: first, message: 'the key stands here already' }] : [];
}

const known = new WeakMap<YamlDocument, ReadonlyMap<number, Range>>();

/** By where a key stands again: where it stands first. */
function firstKeys(document: YamlDocument): ReadonlyMap<number, Range> {
  let found = known.get(document);
  if (!found) {
    found = collect(document);
    known.set(document, found);
  }
  return found;
}

function collect(document: YamlDocument): ReadonlyMap<number, Range> {
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
}
