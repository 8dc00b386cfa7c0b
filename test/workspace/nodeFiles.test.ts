import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';

const names = ['a.yaml', 'b.yml', 'c.json', 'deep/d.yaml', 'deep/er/e.yaml', 'node_modules/x.yaml', '.git/y.yaml'];

async function inFolder(
  body: (uri: string, found: (uris: readonly string[]) => string[]) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-files-'));
  for (const name of names) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), 'a: 1\n');
  }
  const uri = pathToFileURL(folder).href;
  try {
    await body(uri, (uris) => uris.map((one) => one.slice(uri.length + 1)).sort());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('the YAML files of a folder are listed, those of packages and of git left out', () =>
  inFolder(async (uri, found) => {
    const { uris, cut } = await nodeFiles.list(uri, 10);
    assert.deepEqual([found(uris), cut], [['a.yaml', 'b.yml', 'deep/d.yaml', 'deep/er/e.yaml'], false]);
    assert.equal((await nodeFiles.list(uri, 2)).cut, true);
  }));

test('patterns of settings name files, folders, and globs', () =>
  inFolder(async (uri, found) => {
    const expand = async (pattern: string) => found((await nodeFiles.expand(pattern, uri, 10)).uris);
    assert.deepEqual(await expand('a.yaml'), ['a.yaml']);
    assert.deepEqual(await expand('deep'), ['deep/d.yaml', 'deep/er/e.yaml']);
    assert.deepEqual(await expand('deep/*.yaml'), ['deep/d.yaml']);
    assert.deepEqual(await expand('**/*.yaml'), ['a.yaml', 'deep/d.yaml', 'deep/er/e.yaml']);
    assert.deepEqual(await expand('?.yml'), ['b.yml']);
    assert.deepEqual(await expand('nowhere'), []);
  }));

test('a file that is not there, or too large, is told apart', () =>
  inFolder(async (uri) => {
    assert.equal(await nodeFiles.read(`${uri}/nowhere.yaml`, 100), undefined);
    assert.equal(await nodeFiles.read(`${uri}/a.yaml`, 2), 'too-large');
    assert.equal(new TextDecoder().decode((await nodeFiles.read(`${uri}/a.yaml`, 100)) as Uint8Array), 'a: 1\n');
  }));
