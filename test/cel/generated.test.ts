import assert from 'node:assert/strict';
import { test } from 'node:test';
import { difference, randomExpression } from '../fuzz/attack/expressions.ts';
import { seeded } from '../support/random.ts';

// Each of these was, or might be, one constant or one variable in generated JavaScript that are two.
const alike = [
  'self.d / 0.0 > 0.0 && self.d / -0.0 < 0.0',
  '1.0 / -0.0 < 0.0 && 1.0 / 0.0 > 0.0',
  '[0.0, 1.0].all(x, 1.0 / -0.0 < 0.0) && 1.0 / 0.0 > 0.0',
  'double("NaN") != double("NaN")',
  'self.m["a"]["b"] == self.s && self.m["a\\nb"]["b"] == "other"',
  'self.m["a\\nb"]["b"] == "other" && self.m["a"]["b"] == self.s',
  '"0" == self.s || "-0" == self.s || string(-0.0) == "-0"',
];

for (const expression of alike) {
  test(`${expression} is the same in closures and generated JavaScript`, () => {
    assert.equal(difference(expression), undefined);
  });
}

test('random expressions over signed zeros and NaN are the same in both', () => {
  const random = seeded(18);
  for (let i = 0; i < 2000; i++) {
    const expression = randomExpression(random);
    assert.equal(difference(expression), undefined, expression);
  }
});
