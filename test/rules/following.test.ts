import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { defaultSettings, type Settings } from '../../server/src/workspace/settings.ts';
import { settingsOf } from '../../server/src/workspace/snapshot.ts';
import { sharedFile, snapshotOf } from '../support/workspace.ts';

const crd = { uri: 'mem:/crd.yaml', text: sharedFile('widgets') };
const uri = 'mem:/cr.yaml';

/** The severities of what is said of a part that has `nme` for its name. */
function severities(settings: Partial<Settings>, comment = ''): [string, string][] {
  const text = `apiVersion: example.com/v1
kind: Widget
metadata: {name: a}
spec:
  size: 3
  parts:
    ${comment}
    - nme: x
`;
  const snapshot = snapshotOf([crd, { uri, text }]);
  return diagnose({ ...snapshot, settings: settingsOf({ ...defaultSettings, ...settings }) }, uri).map(
    ({ code, severity }) => [code, severity],
  );
}

test('what is missing beside an unknown field is a note where that is refused first', () => {
  assert.deepEqual(severities({}).sort(), [
    ['cr/required', 'information'],
    ['cr/unknown-field', 'error'],
  ]);
});

test('it is an error where unknown fields are let pass, or what is said of them is not told', () => {
  const error = ['cr/required', 'error'];
  assert.deepEqual(severities({ fieldValidation: 'Ignore' }), [error]);
  assert.deepEqual(severities({ fieldValidation: 'Warn' }).sort(), [error, ['cr/unknown-field', 'warning']]);
  assert.deepEqual(severities({ rules: new Map([['cr/unknown-field', 'off']]) }), [error]);
  assert.deepEqual(severities({}, '# kube-crd: ignore cr/unknown-field'), [error]);
});
