import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipped } from '../../server/src/files/gunzip.ts';
import type { Files } from '../../server/src/workspace/files.ts';
import { defaultLimits, sourceLimits } from '../../server/src/workspace/limits.ts';
import { loadWorkspace } from '../../server/src/workspace/loader.ts';
import { libraryOf } from '../../server/src/workspace/sources/library.ts';
import { type LockRow, printLock, sha256Of } from '../../server/src/workspace/sources/lock.ts';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { tgz } from '../support/archives.ts';

// What sources cost before a kind is asked for, and how much more then: as counts.

/** As many schemas as the largest public catalogue has. */
const schemas = 4_235;

async function inFolder(body: (home: string, address: (name: string) => string) => Promise<void>): Promise<void> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-cost-'));
  try {
    await body(home, (name) => pathToFileURL(path.join(home, name)).href);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function put(home: string, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
  writeFileSync(path.join(home, name), text);
}

function counted() {
  const [read, entries]: [string[], string[]] = [[], []];
  const unpacked = { archives: 0, bytes: 0 };
  const files: Files = {
    ...nodeFiles,
    read: (uri, most) => {
      read.push(uri);
      return nodeFiles.read(uri, most);
    },
    entries: (folder) => {
      entries.push(folder);
      return nodeFiles.entries(folder);
    },
    gunzip: async function* (bytes) {
      unpacked.archives++;
      for await (const chunk of gunzipped(bytes)) {
        unpacked.bytes += chunk.length;
        yield chunk;
      }
    },
  };
  return { files, read, entries, unpacked };
}

test('a catalogue costs nothing at the start, and a kind of it one folder and its own files', () =>
  inFolder(async (home, address) => {
    const schema = '{"type": "object", "properties": {"spec": {"type": "object"}}}';
    for (let i = 0; i < schemas; i++) put(home, `catalogue/group${i % 700}.example.com/kind${i}_v1.json`, schema);
    const { files, read, entries } = counted();
    const named = [await files.expand('catalogue', address(''), defaultLimits.files)];
    assert.deepEqual(named[0]!.uris, []);
    const { leads } = await loadWorkspace(files, { own: [], named }, { limits: defaultLimits, cancelled: () => false });
    const library = libraryOf(files, leads, { caches: undefined, folders: [], off: new Set() });
    assert.deepEqual([read.length, entries.length], [0, 0]);
    const { files: found } = await library.find({ group: 'group7.example.com', version: 'v1', kind: 'Kind707' });
    assert.ok(found[0]?.definesKinds);
    assert.deepEqual([read.length, entries.length], [1, 1]);
  }));

test('modules and charts cost nothing before a kind is asked for, then the likeliest is read, and once', () =>
  inFolder(async (home, address) => {
    const crd = (kind: string, group: string) =>
      `kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec: {group: ${group}, names: {kind: ${kind}}}\n`;
    const modules = Array.from({ length: 50 }, (_, i) => `example.com/thing-${i}`);
    for (const [i, module] of modules.entries())
      put(home, `go/${module}@v1.0.0/crds/a.yaml`, crd(`Kind${i}`, `thing-${i}.example.com`));
    put(home, 'workspace/go.mod', modules.map((module) => `require ${module} v1.0.0\n`).join(''));
    const { files, read, entries } = counted();
    const own = [await files.list(address('workspace'), defaultLimits.files)];
    const { leads } = await loadWorkspace(files, { own, named: [] }, { limits: defaultLimits, cancelled: () => false });
    const caches = { goModules: address('go'), helm: undefined, fetched: undefined };
    const library = libraryOf(files, leads, { caches, folders: [address('workspace')], off: new Set() });
    assert.deepEqual([read.length, entries.length], [0, 0]);
    const asked = { group: 'thing-7.example.com', version: 'v1', kind: 'Kind7' };
    assert.equal((await library.find(asked)).files.length, 1);
    // go.mod; the module's two folders; its file to index it and to parse it.
    assert.deepEqual([read.length, entries.length], [3, 2]);
    assert.equal((await library.find(asked)).files.length, 1);
    assert.deepEqual([read.length, entries.length], [3, 2]);
  }));

test('a cache of a thousand fetched CRDs costs nothing at the start, and a kind of it the list and its own file', () =>
  inFolder(async (home, address) => {
    const text = (i: number) =>
      `kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec: {group: a.example.com, names: {kind: Kind${i}}}\n`;
    const rows = await Promise.all(
      Array.from({ length: 1_000 }, async (_, i): Promise<LockRow> => {
        const sha256 = await sha256Of(text(i));
        put(home, `cache/crds/${sha256}.yaml`, text(i));
        return { group: 'a.example.com', kind: `Kind${i}`, source: { from: 'cluster', context: 'a' }, sha256 };
      }),
    );
    put(home, 'cache/kube-crd.lock', printLock(rows));
    const { files, read, entries } = counted();
    const caches = { goModules: undefined, helm: undefined, fetched: address('cache') };
    const leads = { workspace: [], settings: [], catalogues: [] };
    const library = libraryOf(files, leads, { caches, folders: [], off: new Set() });
    assert.deepEqual([read.length, entries.length], [0, 0]);
    for (const kind of ['Kind7', 'Kind8'])
      assert.equal((await library.find({ group: 'a.example.com', version: 'v1', kind })).files.length, 1);
    assert.deepEqual([read.length, entries.length], [3, 0]);
  }));

const kinds = Array.from({ length: 5 }, (_, i) => `Kind${i}`);
const wanted = kinds.map((kind) => ({ group: 'a.example.com', version: 'v1', kind }));
const talk = `# CustomResourceDefinition\n${kinds.map((kind) => `${kind}:\n  group: a.example.com\n  kind: ${kind}\n`).join('')}`;
const schema = (kind: string) => ({
  name: `a.example.com/${kind.toLowerCase()}_v1.json`,
  content: '{"type": "object"}',
});

test('an archive is unpacked once, for all kinds and all its files that look like their CRDs', () =>
  inFolder(async (home, address) => {
    const candidates = Array.from({ length: 20 }, (_, i) => ({ name: `c/crds/${i}.yaml`, content: talk }));
    const own = `kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec: {group: a.example.com, names: {kind: Kind3}}\n`;
    const padding = Array.from({ length: 5 }, (_, i) => ({ name: `c/${i}.yaml`, content: Buffer.alloc(200_000) }));
    const archive = tgz([...padding, { name: 'c/own.yaml', content: own }, ...candidates]);
    mkdirSync(path.join(home, 'charts'));
    writeFileSync(path.join(home, 'charts/c-1.0.0.tgz'), archive);
    const { files, read, unpacked } = counted();
    const leads = { workspace: [address('charts/c-1.0.0.tgz')], settings: [], catalogues: [] };
    const library = libraryOf(files, leads, { caches: undefined, folders: [], off: new Set() });
    const found: number[] = [];
    for (const one of [...wanted, ...wanted]) found.push((await library.find(one)).files.length);
    assert.deepEqual(found, [0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    assert.equal(unpacked.archives, 1);
    assert.ok(unpacked.bytes < 1_100_000, String(unpacked.bytes));
    assert.equal(read.length, 1);
  }));

test('an archive that the settings name is unpacked once, as a chart and as a catalogue', () =>
  inFolder(async (home, address) => {
    writeFileSync(path.join(home, 'c.tgz'), tgz(kinds.map(schema)));
    const { files, read, unpacked } = counted();
    const leads = { workspace: [], settings: [address('c.tgz')], catalogues: [] };
    const library = libraryOf(files, leads, { caches: undefined, folders: [], off: new Set() });
    for (const one of wanted) assert.equal((await library.find(one)).files.length, 1);
    assert.equal(unpacked.archives, 1);
    assert.equal(read.length, 1);
  }));

test('what archives unpack to is counted for all of them together, and what is beyond is said', () =>
  inFolder(async (home, address) => {
    const names = Array.from({ length: 20 }, (_, i) => `c${i}-1.0.0.tgz`);
    const zeros = tgz(Array.from({ length: 10 }, (_, i) => ({ name: `${i}.yaml`, content: Buffer.alloc(100_000) })));
    for (const name of names) writeFileSync(path.join(home, name), zeros);
    const { files, read, unpacked } = counted();
    const leads = { workspace: names.map(address), settings: [], catalogues: [] };
    const limits = { ...sourceLimits, othersUnpackedBytes: 2_500_000 };
    const library = libraryOf(files, leads, { caches: undefined, folders: [], off: new Set(), limits });
    for (const one of wanted) await library.find(one);
    assert.ok(unpacked.bytes < 3_300_000, String(unpacked.bytes));
    assert.equal(read.length, 3);
    assert.deepEqual(library.notes(), [
      'the archives of the workspace and of caches have more than 2500000 bytes or 40000 files; the rest was not read',
    ]);
  }));

test('files that only look like the CRD of a kind are parsed up to a bound, once each', () =>
  inFolder(async (home, address) => {
    const long = `${talk}${'- a\n'.repeat(1_000)}`;
    const packed = Array.from({ length: 20 }, (_, i) => ({ name: `${i}.yaml`, content: long }));
    writeFileSync(path.join(home, 'c-1.0.0.tgz'), tgz(packed));
    const leads = { workspace: [address('c-1.0.0.tgz')], settings: [], catalogues: [] };
    const limits = { ...sourceLimits, vainCharacters: 3 * long.length };
    const library = libraryOf(nodeFiles, leads, { caches: undefined, folders: [], off: new Set(), limits });
    for (const one of wanted) await library.find(one);
    assert.match(library.notes().join(), /so many files only look like CRDs that not all of them were read$/);
    const whole = libraryOf(nodeFiles, leads, { caches: undefined, folders: [], off: new Set() });
    for (const one of wanted) await whole.find(one);
    assert.deepEqual(whole.notes(), []);
  }));
