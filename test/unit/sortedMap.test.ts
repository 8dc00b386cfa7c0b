import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SortedMap } from '../../server/src/base/sortedMap.ts';
import { seeded } from '../support/random.ts';

test('after random changes it is the map that a plain one is, sorted, and earlier versions stay as they were', () => {
  const random = seeded(1);
  for (let round = 0; round < 30; round++) {
    const plain = new Map(Array.from({ length: random.below(100) }, (_, i) => [`k${(i * 37) % 100}`, i]));
    let map = SortedMap.of(plain);
    const versions: [SortedMap<number>, [string, number][]][] = [];
    assert.deepEqual(
      [...map],
      [...plain].sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    for (let i = 0; i < 300; i++) {
      const key = `k${random.below(round % 2 === 0 ? 40 : 400)}`;
      if (random.chance(0.4)) {
        map = map.without(key);
        plain.delete(key);
      } else {
        map = map.with(key, i);
        plain.set(key, i);
      }
      const sorted = [...plain].sort(([a], [b]) => (a < b ? -1 : 1));
      if (i % 50 === 0) versions.push([map, sorted]);
      assert.deepEqual([map.size, map.get(key), map.has(key)], [plain.size, plain.get(key), plain.has(key)]);
      if (i % 10 === 0) assert.deepEqual([...map], sorted);
    }
    for (const [version, sorted] of versions) assert.deepEqual([...version], sorted);
    assert.deepEqual(
      [...map.keys()],
      [...map].map(([key]) => key),
    );
    assert.deepEqual(
      [...map.values()],
      [...map].map(([, value]) => value),
    );
  }
});

test('one more entry costs the same however many there are', () => {
  let compared = 0;
  /** Keys are compared as texts: what a comparison asks an object for its text can be counted. */
  const key = (i: number) =>
    ({
      [Symbol.toPrimitive]: () => {
        compared++;
        return `k${String(i).padStart(9, '0')}`;
      },
    }) as unknown as string;
  const costs = [1000, 2000, 4000].map((n) => {
    compared = 0;
    let map = SortedMap.of(new Map<string, number>());
    for (let i = 0; i < n; i++) map = map.with(key(i), i);
    for (let i = 0; i < n; i += 2) map = map.without(key(i));
    return compared / n;
  });
  assert.ok(costs[2]! < costs[0]! * 1.6, costs.join());
});

test('a map of many entries is as level as one that took them one by one', () => {
  let compared = 0;
  const text = (i: number) => `k${String(i).padStart(9, '0')}`;
  const asked = {
    [Symbol.toPrimitive]: () => {
      compared++;
      return text(2 ** 15);
    },
  } as unknown as string;
  const map = SortedMap.of(new Map(Array.from({ length: 2 ** 14 }, (_, i) => [text(i), i])));
  assert.equal(map.get(asked), undefined);
  assert.ok(compared <= 15, String(compared));
});

test('what is found in the values is found again only where they have changed', () => {
  let asked = 0;
  const even = (value: number) => {
    asked++;
    return value % 2 === 0 ? [value] : [];
  };
  let map = SortedMap.of(new Map<string, number>());
  for (let i = 0; i < 1000; i++) {
    map = map.with(`k${String(i).padStart(4, '0')}`, i);
    assert.equal(map.collect(even).length, Math.floor(i / 2) + 1);
  }
  assert.deepEqual(
    map.collect(even),
    [...map.values()].filter((value) => value % 2 === 0),
  );
  assert.ok(asked < 1000 * 20, String(asked));
  assert.deepEqual(map.without('k0000').with('k0001', 8).collect(even).slice(0, 3), [8, 2, 4]);
});
