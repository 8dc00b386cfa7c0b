import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lru } from '../../server/src/base/lru.ts';

test('what is asked for stays, what is not is forgotten', () => {
  const memory = lru<number>(10);
  memory.set('asked', -1);
  memory.set('not asked', -2);
  for (let i = 0; i < 1000; i++) {
    memory.set(`other ${i}`, i);
    assert.equal(memory.get('asked'), -1);
  }
  assert.equal(memory.get('not asked'), undefined);
  const kept = Array.from({ length: 1000 }, (_, i) => memory.get(`other ${i}`)).filter((found) => found !== undefined);
  assert.ok(kept.length <= 20, `${kept.length} kept`);
});
