import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartShapes, fixedShapes } from '../fuzz/attack/chartShapes.ts';
import { askedOf, attackSmallCharts, chartSnapshot } from '../fuzz/attack/charts.ts';
import { seeded } from '../support/random.ts';

// A part of `npm run fuzz -- --attack --only charts` that is the same in every run.

/** Shapes that end where Helm ends them, or that are small once they are understood. */
const harmless: ReadonlySet<string> = new Set([
  ...['patterns that fit in many ways', 'patterns of counts', 'aliases in texts', 'versions of nothing'],
  ...['large numbers', 'deep YAML'],
]);

for (const name of fixedShapes) {
  test(`${name}: every request is answered`, () => {
    const answers = [...askedOf(chartSnapshot(), chartShapes[name]!(1))].map(([, ask]) => ask() as { code: string }[]);
    const said = answers.flat().map(({ code }) => code);
    assert.equal(said.includes('chart/too-much'), !harmless.has(name), said.join());
  });
}

test('small hostile charts are judged, and nothing outside of a workspace that is not trusted is read', async () => {
  const failures: string[] = [];
  await attackSmallCharts({ cases: 150, random: seeded(3), failed: (what) => failures.push(what) });
  assert.deepEqual(failures, []);
});
