import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStream, type YamlDocument } from '../../server/src/yaml/parse.ts';
import { scalarHints, valueOf } from '../../server/src/yaml/value.ts';
import { type Random, seeded } from '../support/random.ts';

const values = ['a', 'true', '12', '1.5', 'null', "'yes'", '!!str no', 'some text', '"010"', '|\n      on'];
const surprising = ['yes', '010', '1_000', 'Off', '1e3', '.inf'];

function lines(random: Random): string[] {
  const valueAt = () => (random.chance(0.0015) ? random.pick(surprising) : random.pick(values));
  return Array.from({ length: 16 }, (_, i) => {
    const inner = Array.from({ length: 30 }, (_, j) => `    k${j}: ${valueAt()}`).join('\n');
    return `${random.chance(0.004) ? 'on' : `m${i}`}:\n  in:\n${inner}`;
  });
}

const hintsOf = (document: YamlDocument) => JSON.stringify(scalarHints(document));
const document = (text: string) => parseStream(text).documents[0]!.document;

test('what reads as something else is found alike whether the value was read before or not, and after edits', () => {
  const random = seeded(17);
  let found = 0;
  for (let round = 0; round < 30; round++) {
    const all = lines(random);
    let stream = parseStream(all.join('\n'));
    for (let i = 0; i < 20; i++) {
      const now = stream.documents[0]!.document;
      if (random.chance(0.8)) valueOf(now);
      assert.equal(hintsOf(now), hintsOf(document(now.text)), now.text);
      if (scalarHints(now).length > 0) found++;
      all[random.below(all.length)] = random.pick(lines(random));
      stream = parseStream(all.join('\n'), stream);
    }
  }
  assert.ok(found > 100 && found < 600, String(found));
});

test('a large document in which nothing surprises is not walked again once its value was read', () => {
  const text = Array.from({ length: 200 }, (_, i) => `k${i}: some text`).join('\n');
  const one = document(text);
  valueOf(one);
  // Whoever walks it asks for its pairs.
  Object.defineProperty(one.root, 'pairs', { get: () => assert.fail('it was walked') });
  assert.deepEqual(scalarHints(one), []);
});
