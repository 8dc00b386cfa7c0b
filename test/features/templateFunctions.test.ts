import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionDoc } from '../../server/src/helm/functionDocs.ts';
import { functionNames } from '../../server/src/helm/render.ts';

test('every function of templates has a line of its own', () => {
  const without = [...functionNames].filter((name) => functionDoc(name) === undefined);
  assert.deepEqual(without, []);
  for (const name of functionNames) {
    const { call, words } = functionDoc(name)!;
    assert.equal(call.split(' ')[0], name);
    assert.match(words, /^.{5,130}[.!"]$/, name);
  }
});
