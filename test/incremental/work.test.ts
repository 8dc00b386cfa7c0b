import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { emptySnapshot, type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { callsOf } from '../support/calls.ts';
import { type Edit, editsOf, fleetCrd } from '../support/fleetCrd.ts';

// What a key costs in a large CRD, counted and not timed: as calls of functions of ours, as the engine counts them.

const uri = 'file:///fleets.yaml';
const typed = (snapshot: Snapshot, text: string) =>
  withOpen(snapshot, sourceFile(uri, text, { previous: snapshot.open.get(uri) }));
const inserted = (text: string, { at, put }: Edit) => text.slice(0, at) + put + text.slice(at);

/** What reads, lowers, judges and compiles one schema or rule. */
const parts = ['judgeNode', 'invariants', 'compileRule', 'makeDecl', 'structuralOf', 'countsOf'];
const mostOfAPart = 100;

const crd = fleetCrd(400_000);
let opened = emptySnapshot;
// What is equal to something that was there before is known: only the first time is anew.
const opening = await callsOf(() => {
  opened = typed(emptySnapshot, crd);
  diagnose(opened, uri);
});

test('what is counted is what opening a large CRD takes', () => {
  for (const part of parts) assert.ok(opening(part) > mostOfAPart, `${part}: ${opening(part)}`);
});

for (const edit of editsOf(crd)) {
  const text = inserted(crd, edit);
  test(`a key ${edit.name} of a large CRD, and taking it back, cost what changed`, async () => {
    let now = opened;
    const there = await callsOf(() => {
      now = typed(opened, text);
      diagnose(now, uri);
    });
    const back = await callsOf(() => diagnose(typed(now, crd), uri));
    // What was put in is read and judged as in a new file, with what is around it.
    const share = (2 * edit.put.length) / crd.length;
    for (const calls of [there, back]) {
      const most = opening() * (1 / 30 + share);
      assert.ok(calls() < most, `${calls()} calls; opening the file takes ${opening()}`);
      for (const part of parts) {
        assert.ok(calls(part) < mostOfAPart + 2 * edit.put.split('\n').length, `${part}: ${calls(part)}`);
      }
    }
  });
}
