import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asVersion, versionsOfResources } from '../../server/src/features/views/asVersion.ts';
import { versionsPage } from '../../server/src/features/views/kindPages.ts';
import { emptySnapshot, type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { versionedCrd } from '../support/versionedCrd.ts';

const uri = 'file:///gear.yaml';
const gear = (version: string, spec: string) =>
  `apiVersion: example.com/${version}\nkind: Gear\nmetadata:\n  name: one\n  namespace: default\nspec: ${spec}\n`;
const over = (text: string, crd = versionedCrd()): Snapshot =>
  withOpen(withOpen(emptySnapshot, sourceFile('file:///crd.yaml', crd)), sourceFile(uri, text));
const split = (text: string) => {
  const lines = text.trimEnd().split('\n');
  return {
    notes: lines.filter((line) => line.startsWith('#')),
    object: lines.filter((line) => !line.startsWith('#')).join('\n'),
  };
};

test('what is lost on the way to another version is named, with the step that loses it', () => {
  const { notes, object } = split(
    asVersion(over(gear('v1', '{teeth: 7, oil: thin, stray: x, ratio: 2}')), uri, 'v1beta1'),
  );
  assert.deepEqual(notes, [
    '# As a client gets it that asks for v1beta1.',
    '# It is stored as v2; conversion changes apiVersion alone.',
    '# Dropped when it is written, since its own version has no such fields:',
    '#   spec.stray',
    '# Lost for good, since it is stored as v2, which has no such fields:',
    '#   spec.oil',
    '# Stored, but not shown, since v1beta1 has no such fields:',
    '#   spec.ratio',
  ]);
  assert.match(object, /^apiVersion: example\.com\/v1beta1\n/);
  assert.match(object, /teeth: 7/);
  assert.doesNotMatch(object, /oil|ratio|stray/);
});

test('defaults of the stored version come back, those of the version that is asked for do not', () => {
  const { notes, object } = split(asVersion(over(gear('v1beta1', '{teeth: 7}')), uri, 'v1'));
  assert.deepEqual(notes.slice(2), ['# Added by defaults:', '#   spec.ratio', '# Nothing is lost.']);
  assert.match(object, /ratio: 5/);
  assert.doesNotMatch(object, /oil/);
});

test('a webhook decides for itself, and versions that are not served are said not to be', () => {
  const webhook = versionedCrd('Webhook');
  const one = over(gear('v1', '{teeth: 7}'), webhook);
  assert.match(
    asVersion(one, uri, 'v1beta1'),
    /^# The CRD's conversion webhook decides .* between v1, v2 \(stored\) and v1beta1/,
  );
  assert.match(
    asVersion(over(gear('v1', '{}')), uri, 'v1alpha1'),
    /^# The API server does not serve Gear in version v1alpha1\.\n$/,
  );
  assert.match(asVersion(over('apiVersion: a.example.com/v1\nkind: A\n'), uri, 'v1'), /^# No CRD of A/);
});

test('the versions to choose from are the others of the kind, in the order of their priority', () => {
  const rows = versionsOfResources(over(gear('v1', '{}')), uri).map(
    ({ version, served, stored }) => `${version}${served ? '' : ' not served'}${stored ? ' stored' : ''}`,
  );
  assert.deepEqual(rows, ['v2 stored', 'v1beta1', 'v1alpha1 not served']);
  assert.deepEqual(versionsOfResources(over('a: 1\n'), uri), []);
});

test('a page says which version kubectl takes, and why', () => {
  const page = (crd: string) => versionsPage([...over('a: 1\n', crd).definitions.values()].flat()[0]!).source;
  const text = page(versionedCrd());
  assert.match(text, /^# Versions of Gear\n/);
  assert.match(
    text,
    /\| 1 \| v2 \| yes \| yes \| no \| stable \|\n\| 2 \| v1 \| yes \| no \| no \| stable \|\n\| 3 \| v1beta1 \| yes \| no \| yes \| beta; warns: gone soon \|\n\| 4 \| v1alpha1 \| no /,
  );
  assert.match(text, /`kubectl get gears\.example\.com` asks for \*\*v2\*\*/);
  assert.match(text, /`kubectl get gears\.v1\.example\.com`, `kubectl get gears\.v1beta1\.example\.com`/);
  assert.match(text, /Conversion: \*\*None\*\*/);
  assert.match(page(versionedCrd('Webhook')), /Conversion: \*\*Webhook\*\*/);
});
