import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DocumentPath, equalValues, type ManifestPath, type Path, valueAt } from '../../server/src/base/value.ts';

test('an int64 and a float64 of the same size are different values', () => {
  assert.equal(equalValues(1n, 1), false);
  assert.equal(equalValues([1n], [1n]), true);
});

test('the order of keys does not matter to equality', () => {
  const left = new Map([
    ['a', 1n],
    ['b', null],
  ]);
  const right = new Map([
    ['b', null],
    ['a', 1n],
  ]);
  assert.equal(equalValues(left, right), true);
});

test('a path that leaves the document gives nothing', () => {
  const root = new Map([['spec', ['x']]]);
  assert.equal(valueAt(root, ['spec', 0]), 'x');
  assert.equal(valueAt(root, ['spec', 1]), undefined);
  assert.equal(valueAt(root, ['spec', 'x']), undefined);
});

test('a path into a document is no path into an object', () => {
  const inDocument: DocumentPath = ['items', 0, 'spec'];
  // @ts-expect-error: the object may be an item of a list, where its own paths begin further in.
  const inObject: ManifestPath = inDocument;
  // @ts-expect-error: and the other way round.
  const back: DocumentPath = inObject;
  const both: Path = back;
  assert.equal(both, inDocument);
});
