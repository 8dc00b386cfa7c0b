import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equalValues, valueAt } from '../../server/src/base/value.ts';

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
