import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadChart } from '../../server/src/helm/chart.ts';
import { ChartError } from '../../server/src/helm/chartError.ts';
import { type Assumption, put } from '../../server/src/helm/made.ts';
import { type Frame, isFailure, prepare } from '../../server/src/helm/render.ts';
import { Computed } from '../../server/src/template/from.ts';
import { cell, GoMap, type GoValue } from '../../server/src/template/value.ts';
import type { Ask } from '../fuzz/generator.ts';
import { helmSharedGenerator } from '../fuzz/generators/helmShared.ts';
import { seeded } from '../support/random.ts';

// Templates that change what they share are run before one only as far as it may see that. With a value that is assumed it has
// to come to the same as with that value in place of the chart's.

const paths = [
  ['a'],
  ['b'],
  ['m', 'a'],
  ['m', 'n', 'a'],
  ['m', 'n', 'c'],
  ['e', 'x'],
  ['k'],
  ['inner', 'b'],
  ['inner', 'm', 'a'],
];
const nowhere = new Computed(undefined, [], false);
const texts: readonly GoValue[] = ['new', '', true];

test('a value that is assumed comes to the same as one that is given', () => {
  const random = seeded(3);
  let compared = 0;
  for (let round = 0; round < 400; round++) {
    const { files } = helmSharedGenerator.generate(random) as Ask & { files: Record<string, string> };
    const chart = chartOf(files);
    if (!chart) continue;
    const frame = prepare(chart, {});
    // What templates were seen to do with other values is known when it comes to the later ones.
    for (let nth = 0; nth < 4; nth++) {
      const path = random.pick(paths);
      const value = random.pick(texts);
      const given = prepare(chart, { values: put(new GoMap(), path, () => cell(value, nowhere)) });
      const assumption: Assumption = {
        kind: 'value',
        isGuess: false,
        isTaken: false,
        path,
        make: () => cell(value, nowhere),
        shown: '',
      };
      for (const name of frame.names) {
        const expected = textOf(given, name);
        assert.equal(
          textOf(frame.assuming([assumption]), name),
          expected,
          `${name} with ${path.join('.')} in ${JSON.stringify(files)}`,
        );
        if (expected !== '') compared++;
      }
    }
  }
  assert.ok(compared > 2_000, `${compared} renderings`);
});

function chartOf(files: Record<string, string>) {
  const chart = loadChart(Object.entries(files).map(([path, text]) => ({ path, text, id: path })));
  return chart instanceof ChartError ? undefined : chart;
}

/** What a template comes to; nothing where one of them fails: then Helm renders none. */
function textOf(frame: Frame, name: string): string {
  const made = frame.render(name);
  return isFailure(made) ? '' : made.text;
}
