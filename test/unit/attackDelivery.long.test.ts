import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackSmallDelivery } from '../fuzz/attack/delivery.ts';
import { seeded } from '../support/random.ts';

// A part of `npm run fuzz -- --attack --only delivery` that is the same in every run.

test('small hostile objects of Flux and Argo CD are judged, and nothing outside of their repository is read', async () => {
  const failures: string[] = [];
  await attackSmallDelivery({ cases: 150, random: seeded(5), failed: (what) => failures.push(what) });
  assert.deepEqual(failures, []);
});
