import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayHold } from '../../server/src/workspace/sources/library.ts';

test('modules and charts are named for groups whose owner or name they share', () => {
  const of = (group: string, names: readonly string[]) => names.filter((name) => mayHold(name, group));
  assert.deepEqual(
    of('cert-manager.io', ['github.com/cert-manager/cert-manager', 'cert-manager', 'golang.org/x/sync', 'k8s.io/api']),
    ['github.com/cert-manager/cert-manager', 'cert-manager'],
  );
  // What is before a domain says nothing of whose it is.
  assert.deepEqual(
    of('security.btp.orchestrate.cloud.sap', ['cloud.google.com/go', 'cloud.google.com/go/storage']),
    [],
  );
  assert.deepEqual(of('doors.example.io', ['doors.other.dev/api', 'go.doors.dev/api', 'other.dev/doors']), [
    'go.doors.dev/api',
    'other.dev/doors',
  ]);
});
