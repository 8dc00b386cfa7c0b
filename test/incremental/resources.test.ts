import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { callsOf } from '../support/calls.ts';
import { fleetCrd } from '../support/fleetCrd.ts';
import { snapshotOf } from '../support/workspace.ts';

// Of a large CRD an object has little: what the CRD says elsewhere is not made ready for it.

const fleet = `apiVersion: example.com/v1alpha1
kind: Fleet
metadata: {name: orders}
spec:
  generator0:
    values: {a: b}
`;

test('the rules and values that an object does not have are not made ready for it', async () => {
  // Nothing of it is known from another test: what is equal to something that was there before is not made anew.
  const crd = fleetCrd(600_000).replaceAll(' rule: ', ' rule: true && ');
  const snapshot = snapshotOf([
    { uri: 'file:///fleets.yaml', text: crd },
    { uri: 'file:///fleet.yaml', text: fleet },
  ]);
  const opening = await callsOf(() => assert.deepEqual(diagnose(snapshot, 'file:///fleet.yaml'), []));
  const declared = (what: RegExp) => crd.match(what)?.length ?? 0;
  for (const [part, most] of [
    ['compileRule', declared(/ rule: /g) / 10],
    ['convert', declared(/ type: /g) / 10],
    // A rule has the type of all that is below it.
    ['makeDecl', declared(/ type: /g) / 5],
  ] as const) {
    const calls = opening(part);
    assert.ok(calls > 0 && calls < most, `${part}: ${calls}, at most ${most}`);
  }
});
