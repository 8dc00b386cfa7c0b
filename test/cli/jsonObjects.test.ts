import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonObjects } from '../../server/src/cli/jsonObjects.ts';
import { seeded } from '../support/random.ts';

/** What comes of a text in pieces of a size, of which each is written over by the next. */
function found(text: string, size: number, mostBytes = 1_000) {
  const objects = new JsonObjects(mostBytes);
  const bytes = Buffer.from(text);
  const piece = Buffer.alloc(size);
  const all: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(piece, 0, at, at + size);
    for (const one of objects.in(piece.subarray(0, length))) all.push(Buffer.from(one).toString('utf8'));
  }
  for (const one of objects.rest()) all.push(Buffer.from(one).toString('utf8'));
  return { all, tooLarge: objects.tooLarge, isWhole: objects.isWhole };
}

const rows: readonly [text: string, objects: readonly string[]][] = [
  ['{"a":{"items":[{"x":1}]},"kind":"X"}', ['{"a":{"items":[{"x":1}]},"kind":"X"}']],
  [
    '{"kind":"List","items":[{"a":"}{\\"]["},{"b":[{"items":[1]}]}],"x":{}}',
    ['{"a":"}{\\"]["}', '{"b":[{"items":[1]}]}'],
  ],
  ['[{"a":1}, {"b":{}}]', ['{"a":1}', '{"b":{}}']],
  ['{"a":1}\n{"b":"é😀"}\n', ['{"a":1}', '{"b":"é😀"}']],
  ['{"items":{"a":1}}', ['{"items":{"a":1}}']],
  ['{"k":"items","x":[{"q":1}]}', ['{"k":"items","x":[{"q":1}]}']],
  ['{"items":[]}', []],
  ['[[{"a":1}]]', []],
  // A list has no name, an object has one, and either may come last.
  ['{"items":[{"a":1},2],"metadata":{"name":"b"}}', ['{"items":[{"a":1},2],"metadata":{"name":"b"}}']],
  [
    '{"metadata":{"name":"b"},"items":[{"a":1}]}{"items":[{"c":1}],"metadata":{"name":""}}',
    ['{"metadata":{"name":"b"},"items":[{"a":1}]}', '{"c":1}'],
  ],
  ['{"items":[{"a":1}],"items":[{"b":1}]}', ['{"a":1}', '{"b":1}']],
];

for (const [text, objects] of rows)
  test(`objects in ${text}`, () => {
    for (const size of [1, 2, 3, 7, 1_000])
      assert.deepEqual(found(text, size), { all: objects, tooLarge: 0, isWhole: true });
  });

test('an object that is too large is left out and counted, and those around it are found', () => {
  const large = `{"a":"${'x'.repeat(50)}"}`;
  for (const size of [1, 7, 1_000])
    assert.deepEqual(found(`[{"b":1},${large},{"c":2}]`, size, 20), {
      all: ['{"b":1}', '{"c":2}'],
      tooLarge: 1,
      isWhole: true,
    });
});

test('what is larger than an object is a list, whatever its name', () => {
  const items = Array.from({ length: 30 }, (_, i) => `{"a":${i}}`);
  for (const size of [1, 7, 1_000]) {
    const { all } = found(`{"items":[${items.join()}],"metadata":{"name":"a"}}`, size, 100);
    assert.deepEqual(all, items);
  }
  assert.deepEqual(found('{"items":[{"a":1},{"b"', 3).all, ['{"a":1}']);
});

test('a text that ends too early, or of something else, is not whole', () => {
  for (const text of [
    '{"items":[{"a":1}',
    '{"a":"',
    '[{"a":1},',
    '',
    'error: You must be logged in',
    '"a"',
    '{"a":1} 7',
  ])
    assert.equal(found(text, 4).isWhole, false, text);
});

test('random lists come back object by object', () => {
  const random = seeded(41);
  for (let i = 0; i < 300; i++) {
    const objects = Array.from({ length: random.below(5) }, () => JSON.stringify(anything(3)));
    const text = `{"metadata":${JSON.stringify(anything(2))},"items":[${objects.join(', ')}],"kind":"List"}`;
    assert.deepEqual(found(text, 1 + random.below(40)).all, objects);
  }

  function anything(depth: number): Record<string, unknown> {
    const value = () =>
      depth === 0
        ? random.pick(['{', '"', '\\', '],', 'items', 1, null])
        : random.pick([anything(depth - 1), [anything(depth - 1)]]);
    return Object.fromEntries(
      Array.from({ length: random.below(3) }, () => [random.pick(['items', 'a"', '}']), value()]),
    );
  }
});
