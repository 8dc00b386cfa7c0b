import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../support/random.ts';
import { ChartProbe, mistakesIn } from './charts.ts';
import { generatedCharts } from './chartsMaking.ts';

// A small part of `npm run probe:charts`, the same in every run.

test('of mistakes in charts, nearly all are reported at the token that was changed', () => {
  const random = seeded(11);
  const charts = generatedCharts(random, 12).map(([snapshot, chart]) => {
    return { probe: new ChartProbe(snapshot, chart), mistakes: mistakesIn(chart, random) };
  });
  const judged = Array.from({ length: 150 }, () => {
    const { probe, mistakes } = random.pick(charts);
    return probe.judge(random.pick(mistakes));
  });
  const of = (...outcomes: string[]) => judged.filter(({ outcome }) => outcomes.includes(outcome));
  const wrong = of('right', 'elsewhere', 'missed');
  assert.ok(wrong.length > 60, String(wrong.length));
  assert.deepEqual(of('missed'), []);
  const elsewhere = of('elsewhere').map(({ about }) => about);
  assert.ok(elsewhere.length <= wrong.length * 0.02, elsewhere.join('\n'));
});
