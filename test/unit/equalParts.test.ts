import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { EqualParts, withEqualPartsOnce } from '../../server/src/base/equalParts.ts';
import { isList, isMap, type Value, type ValueMap } from '../../server/src/base/value.ts';
import { type Random, seeded } from '../support/random.ts';

const scalars: readonly Value[] = [null, true, false, 1, 1n, '1', '1n', 0, -0, '-0', '', 'a,b', '#1', '[', '2:ab'];

function randomValue(random: Random, depth: number): Value {
  const size = random.below(3);
  if (depth === 0 || random.chance(0.3)) return random.pick(scalars);
  const inner = () => randomValue(random, depth - 1);
  if (random.chance(0.4)) return Array.from({ length: size }, inner);
  return new Map(Array.from({ length: size }, () => [random.pick(['a', 'b', 'a"1:b', '']), inner()]));
}

function partsOf(value: Value): (readonly Value[] | ValueMap)[] {
  if (!isList(value) && !isMap(value)) return [];
  return [value, ...[...value.values()].flatMap(partsOf)];
}

/** Whether two are equal, and have their keys in the same order. */
const isSame = (a: Value, b: Value) => isDeepStrictEqual(a, b) && isDeepStrictEqual(orderOf(a), orderOf(b));
const orderOf = (value: Value) => partsOf(value).map((part) => [...part.keys()]);

test('what is equal becomes one, and nothing else does', () => {
  const random = seeded(42);
  let shared = 0;
  for (let i = 0; i < 300; i++) {
    const value = Array.from({ length: 6 }, () => randomValue(random, 3));
    const made = withEqualPartsOnce(value);
    assert.ok(isSame(made, value));
    const parts = [...new Set(partsOf(made))];
    shared += partsOf(value).length - parts.length;
    for (const [j, one] of parts.entries()) {
      for (const other of parts.slice(j + 1)) assert.ok(!isSame(one, other), 'two objects are equal');
    }
  }
  assert.ok(shared > 300, `${shared} parts were there already`);
});

test('parts that were made to have one digest are not all compared with each other', () => {
  const names = Array.from({ length: 300_000 }, (_, i) => `s${i}`);
  const parts = new EqualParts();
  // They get the numbers from 1.
  parts.firstOf(names);
  const multiplied = (number: number) => Math.imul(2 ^ number, 0x01000193);
  const common = multiplied(1) ^ 1;
  const second = (i: number) => names[(multiplied(i + 1) ^ common) - 1];
  const group = [...names.keys()].filter((i) => second(i) !== undefined);
  const lists = () => group.map((i) => [names[i], second(i)]);
  const [firsts, others] = [lists(), lists()];
  assert.ok(group.length > 16);
  for (const list of firsts) parts.firstOf(list);
  const found = others.map((list, i) => parts.firstOf(list) === firsts[i]);
  assert.ok(found[0]);
  assert.ok(!found.at(-1));
});
