import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackChartFixes } from '../fuzz/attack/chartFixes.ts';
import { seeded } from '../support/random.ts';

// A part of `npm run fuzz -- --attack --only chart-fixes` that is the same in every run.

test('fixes in charts stay inside what was named, and leave alone what is no mistake', async () => {
  const failures: string[] = [];
  const failed = (what: string) => failures.push(what);
  const { mended } = await attackChartFixes({ cases: 25, random: seeded(3), failed });
  assert.deepEqual(failures, []);
  assert.ok(mended! > 10, `${mended} were mended`);
});
