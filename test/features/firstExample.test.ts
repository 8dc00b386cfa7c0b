import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { snapshotOf } from '../support/workspace.ts';

test('the example of the first steps has the two mistakes that it speaks of', () => {
  const uri = 'untitled:Untitled-1';
  const found = diagnose(snapshotOf([{ uri, text: readFileSync('docs/first-example.yaml', 'utf8') }]), uri);
  assert.deepEqual(
    found.map(({ code, severity }) => `${code} ${severity}`),
    ['cr/rule error', 'cr/unknown-field error'],
  );
});
