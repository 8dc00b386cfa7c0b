import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memo } from '../../server/src/base/memo.ts';

test('a result is made once for each object and for the values beside it', () => {
  const calls: unknown[] = [];
  const found = memo((object: object, name: string, other: object | undefined) => {
    calls.push([object, name, other]);
    return name === 'none' ? undefined : { name };
  });
  const [a, b] = [{}, {}];
  assert.equal(found(a, 'x', b), found(a, 'x', b));
  assert.notEqual(found(a, 'x', b), found(a, 'x', a));
  assert.notEqual(found(a, 'x', b), found(a, 'y', b));
  assert.notEqual(found(a, 'x', undefined), found(b, 'x', undefined));
  assert.equal(calls.length, 5);
  assert.equal(found(a, 'none', b), undefined);
  found(a, 'none', b);
  assert.equal(calls.length, 6);
});

test('what it calls itself for is remembered as well', () => {
  const nodes = [{ inner: undefined as object | undefined }, { inner: undefined as object | undefined }];
  nodes[0]!.inner = nodes[1];
  let calls = 0;
  const depth = memo((node: { inner?: object | undefined }): number => {
    calls++;
    return node.inner ? 1 + depth(node.inner) : 0;
  });
  assert.deepEqual([depth(nodes[0]!), depth(nodes[1]!), calls], [1, 0, 2]);
});
