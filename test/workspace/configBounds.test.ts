import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Config, layersFor, loadConfigs, readConfig } from '../../server/src/workspace/config.ts';
import type { Files } from '../../server/src/workspace/files.ts';
import { globOf, isNamedBy } from '../../server/src/workspace/glob.ts';
import { settingsTable } from '../../server/src/workspace/settings.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';

const table = settingsTable({});
const read = (text: string) => readConfig('file:///a/.kube-crd.yaml', parseDocument(text), { table, trusted: true });

test('a config that is nested too deep is said to be left out, and so are globs beyond the bound', async () => {
  const deep = `a: ${'{a: '.repeat(9000)}1${'}'.repeat(9000)}`;
  const globs = `exclude: [${'aaaaaaaaa, '.repeat(2000)}]\nknownKinds: [${'b'.repeat(2001)}]\nhover: false\n`;
  const texts: Record<string, string> = { 'file:///a/.kube-crd.yaml': deep, 'file:///b/.kube-crd.yaml': globs };
  const files = { read: async (uri: string) => new TextEncoder().encode(texts[uri]) } as unknown as Files;
  const { configs, notes, leftOut } = await loadConfigs(files, Object.keys(texts), { table, trusted: true });
  assert.deepEqual(notes, []);
  assert.deepEqual(leftOut, [
    'file:///a/.kube-crd.yaml: nested more than 500 levels deep, not read',
    'file:///b/.kube-crd.yaml: knownKinds: the globs from here on are left out: they have more than 20,000 characters together',
  ]);
  const chosen = (folder: string) => configs.get(folder)?.layers.map((layer) => Object.keys(layer.chosen));
  assert.deepEqual([chosen('file:///a'), chosen('file:///b')], [[], [['exclude', 'hover']]]);
});

test('globs of overrides count as well', () => {
  const override = `  - {files: [${'x'.repeat(9000)}], hover: false}\n`;
  const { config, mistakes } = read(`overrides:\n${override.repeat(5)}`);
  assert.equal(config.layers.length, 1 + 2);
  assert.deepEqual(
    mistakes.map(({ path, leftOut }) => [path.join('.'), leftOut]),
    [['overrides.2.files', true]],
  );
});

test('globs are compiled once, and each file is tried once', () => {
  let compiled = 0;
  const counting = (glob: string) =>
    new Proxy([glob], {
      get: (target, key, receiver) => {
        if (key === 'filter') compiled++;
        return Reflect.get(target, key, receiver);
      },
    });
  const files = counting('**/a/**');
  const config: Config = {
    uri: 'file:///a/.kube-crd.yaml',
    folder: 'file:///a',
    layers: [{ chosen: {}, files, path: [] }],
  };
  for (let i = 0; i < 100; i++) {
    assert.equal(layersFor(config, `file:///a/b${i}/a/x.yaml`).length, 1);
    assert.equal(layersFor(config, `file:///a/b${i}/x.yaml`).length, 0);
  }
  assert.equal(compiled, 1);
  assert.equal(isNamedBy(files, 'file:///z/a/x'), true);
});

test('a step of a glob that may stand for nothing is passed over, however many there are', () => {
  const fits = (pattern: string, one: string) => globOf(pattern)(one);
  assert.deepEqual(
    [
      fits('/a/**/b', '/a/b'),
      fits('/a/**/b', '/a/x/y/b'),
      fits('/a/**/b', '/a/xb'),
      fits('/a/*/b', '/a/x/y/b'),
      fits('/a/**', '/a/x/y/b'),
      fits('/**/**/**/b', '/b'),
      fits('/a?c', '/a/c'),
      fits('', ''),
      fits('**/'.repeat(80), `/${'a/'.repeat(100)}`),
      fits(`${'*'.repeat(240)}b`, 'a'.repeat(200)),
      fits('?*'.repeat(120), 'a'.repeat(120)),
    ],
    [true, true, false, false, true, true, false, true, true, false, true],
  );
});
