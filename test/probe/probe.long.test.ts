import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probeAccepting } from './accepting.ts';
import { worldSnapshot } from './asking.ts';
import { namesIn, probeHas, probeNames, probeSignatures } from './expressions.ts';
import { type GapKind, gapsIn, probeGaps } from './keysAndValues.ts';
import { probePropertyNames } from './reading.ts';
import { makeWorld } from './world.ts';

const world = makeWorld({ kinds: 4, resourcesEach: 1, rulesEach: 7 });
const snapshot = worldSnapshot(world);

const parts: readonly (readonly [GapKind, 'crds' | 'resources'])[] = [
  ['key', 'crds'],
  ['key', 'resources'],
  ['child', 'crds'],
  ['child', 'resources'],
  ['value', 'crds'],
  ['value', 'resources'],
];

for (const [kind, files] of parts) {
  test(`every ${kind} of the ${files} is offered where it was taken away`, () => {
    const gaps = gapsIn(world[files], kind).filter((_, i) => i % 3 === 0);
    assert.ok(gaps.length > 0);
    for (const letters of [0, 1, 2]) assert.deepEqual(probeGaps(snapshot, gaps, letters).missed, []);
  });
}

test('an accepted item leaves the rest of its document as it was', () => {
  const tally = probeAccepting(snapshot, [...world.resources, ...world.crds], 400);
  assert.ok(tally.asked > 0);
  assert.deepEqual(tally.missed, []);
});

const names = world.crds.flatMap(namesIn);

test('every name of a rule is offered where it was taken away, mostly first', () => {
  for (const [letters, least] of [0.6, 0.95].entries()) {
    const { asked, first, missed } = probeNames(snapshot, names, letters);
    assert.deepEqual(missed, []);
    assert.ok(first >= least * asked, `${first} of ${asked} stand first with ${letters} letters`);
  }
});

test('names of properties, fields in has() and calls are explained', () => {
  for (const tally of [
    probePropertyNames(snapshot, world.crds),
    probeHas(snapshot, names),
    probeSignatures(snapshot, names),
  ]) {
    assert.ok(tally.asked > 0);
    assert.deepEqual(tally.missed, []);
  }
});
