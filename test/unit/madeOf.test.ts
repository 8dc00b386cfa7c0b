import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Computed, type From, Joined, ValuePlace } from '../../server/src/template/from.ts';
import { RenderedPlaces } from '../../server/src/workspace/projections/chart.ts';
import { chartOf } from '../support/charts.ts';

/** How often something is looked into. */
class Counted implements From {
  readonly isUnknown = false;
  looked = 0;
  private readonly of: From;

  constructor(of: From) {
    this.of = of;
  }

  runs(length: number) {
    this.looked++;
    return this.of.runs(length);
  }
}

test('what goes into a text by a million ways is looked into a few times', () => {
  const chart = chartOf({ 'values.yaml': 'name: box\n', 'templates/a.yaml': '' });
  const place = { file: 'templates/a.yaml', start: 0, end: 0 };
  const parts = 10;
  const counted: Counted[] = [];
  let from: From = new ValuePlace('file:///chart/values.yaml', undefined, '').child('name');
  for (let level = 0; level < 6; level++) {
    const of = from;
    const text = Array.from({ length: parts }, () => ({ text: 'x', from: new Computed(place, [of]) }));
    counted.push(new Counted(new Joined(text)));
    from = counted.at(-1)!;
  }
  const made = new RenderedPlaces(chart, {
    text: 'x',
    from: new Joined([{ text: 'x', from: new Computed(place, [from]) }]),
  });
  const origins = made.written({ start: 0, end: 1 });
  assert.ok(origins.some(({ place }) => place.value?.join('.') === 'name'));
  assert.deepEqual(
    counted.filter(({ looked }) => looked > 3 * parts).map(({ looked }) => looked),
    [],
  );
});
