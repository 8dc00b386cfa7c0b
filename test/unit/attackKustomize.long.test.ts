import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askedOfTree, attackTrees } from '../fuzz/attack/kustomize.ts';
import { kustomizeShapes } from '../fuzz/attack/kustomizeShapes.ts';
import { seeded } from '../support/random.ts';

// A part of `npm run fuzz -- --attack --only kustomize` that is the same in every run.

for (const [name, shape] of Object.entries(kustomizeShapes)) {
  test(`${name}: every request is answered`, () => {
    for (const [, ask] of askedOfTree(shape(2000))) assert.ok(ask());
  });
}

test('hostile trees are built, or refused, and ask for clean paths alone', () => {
  const failures: string[] = [];
  attackTrees({ cases: 400, random: seeded(3), failed: (what) => failures.push(what) });
  assert.deepEqual(failures, []);
});
