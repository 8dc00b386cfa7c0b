import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grouped } from '../../server/src/base/text.ts';

test('whole numbers are grouped as English does it', () => {
  const wholes = [0, 7, 99, 100, 999, 1000, 12_345, 123_456, 1_234_567, -5, -100, -1000, 2 ** 53];
  for (const whole of wholes) assert.equal(grouped(whole), whole.toLocaleString('en'));
  for (const whole of [2n ** 64n - 1n, -(2n ** 63n)]) assert.equal(grouped(whole), whole.toLocaleString('en'));
});
