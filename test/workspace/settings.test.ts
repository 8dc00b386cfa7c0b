import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings, readSettings, settingsTable } from '../../server/src/workspace/settings.ts';

const table = settingsTable({ 'crd/scope': 'The scope' });
const complaintsAbout = (sent: unknown) => readSettings(sent, table).complaints;

test('what is not sent, or null, is at its default', () => {
  assert.deepEqual(readSettings(undefined, table), { settings: defaultSettings, complaints: [] });
  assert.deepEqual(readSettings({ hover: null, crds: null }, table).settings, defaultSettings);
});

test('a default that package.json names is the one that the server takes', () => {
  for (const [name, { schema, fallback }] of Object.entries(table)) {
    const taken = readSettings({ [name]: schema.default }, table);
    assert.deepEqual(taken, { settings: { ...defaultSettings, [name]: fallback }, complaints: [] });
  }
});

test('a value that does not fit is left at its default and named', () => {
  const sent = { kubernetesVersion: '1.5', hover: 'yes', check: 'all', crds: 'a', baseline: '--upload-pack=x' };
  const { settings, complaints } = readSettings(sent, table);
  assert.deepEqual(settings, defaultSettings);
  assert.deepEqual(complaints.map((one) => one.split(':')[0]).sort(), [
    'kubeCrd.baseline',
    'kubeCrd.check',
    'kubeCrd.crds',
    'kubeCrd.hover',
    'kubeCrd.kubernetesVersion',
  ]);
});

test('a severity that does not fit, or for a rule that does not exist, is named and the others hold', () => {
  const rules = { 'crd/scope': 'hint', 'crd/scopes': 'off', constructor: 'off' };
  const { settings, complaints } = readSettings({ rules }, table);
  assert.deepEqual([...settings.rules], [['crd/scope', 'hint']]);
  assert.deepEqual(complaints, [
    'kubeCrd.rules: there is no rule named crd/scopes',
    'kubeCrd.rules: there is no rule named constructor',
  ]);
  assert.match(complaintsAbout({ rules: { 'crd/scope': 'fatal' } }).join(), /"fatal" for crd\/scope is not one of/);
  assert.match(complaintsAbout({ rules: [] }).join(), /expected an object/);
});
