import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStream, type YamlStream } from '../../server/src/yaml/parse.ts';
import { seeded } from '../support/random.ts';
import { mutated, randomYaml } from '../support/yamlTexts.ts';

const edits = 100_000;

test(`a stream read after ${edits} random edits is the one read from scratch`, () => {
  const random = seeded(11);
  let text = randomYaml(random);
  let stream: YamlStream | undefined;
  let kept = 0;
  for (let i = 0; i < edits; i++) {
    const next = parseStream(text, stream);
    const before = new Set(stream?.documents.map(({ document }) => document));
    kept += next.documents.filter(({ document }) => before.has(document)).length;
    // Comparing costs far more than reading: the trees are compared for a sample, the places always.
    const scratch = parseStream(text);
    assert.deepEqual(
      next.documents.map(({ start, document }) => [start, document.text]),
      scratch.documents.map(({ start, document }) => [start, document.text]),
    );
    if (i % 20 === 0) assert.deepEqual(next, scratch);
    stream = next;
    text = text.length > 600 || random.chance(0.01) ? randomYaml(random) : mutated(random, text);
    if (random.chance(0.05)) text += `---\n${randomYaml(random)}`;
  }
  assert.ok(kept > edits / 4, `${kept} documents kept`);
});

test('an edit in one document keeps the others, wherever it moves them', () => {
  const parts = ['a: 1\n', 'b: [1, 2]\n', 'c: {d: e}\n', 'f: |\n  g\n'];
  const first = parseStream(parts.join('---\n'));
  const second = parseStream(['a: 1\n', 'b: [1, 2, 3, 4]\n', 'c: {d: e}\n', 'f: |\n  g\n'].join('---\n'), first);
  const same = second.documents.map(({ document }, i) => document === first.documents[i]!.document);
  assert.deepEqual(same, [true, false, true, true]);
  const third = parseStream(['new: x\n', ...parts].join('---\n'), first);
  assert.deepEqual(
    third.documents.slice(1).map(({ document }, i) => document === first.documents[i]!.document),
    [true, true, true, true],
  );
});
