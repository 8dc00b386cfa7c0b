import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { gunzipped } from '../../server/src/files/gunzip.ts';
import { emptyListing, type Files } from '../../server/src/workspace/files.ts';
import { defaultLimits, type SourceLimits, sourceLimits } from '../../server/src/workspace/limits.ts';
import { gunzipInStream, walkArchive } from '../../server/src/workspace/sources/archive.ts';
import { goModules } from '../../server/src/workspace/sources/goModules.ts';
import { libraryOf } from '../../server/src/workspace/sources/library.ts';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { ownTypesOf } from '../../server/src/workspace/sources/ownTypes.ts';
import type { Leads } from '../../server/src/workspace/sources/places.ts';
import { type Packed, tar, tgz } from '../support/archives.ts';

// Archives, catalogues and modules that want to get out of their place, or to take for ever or all memory.

const limits = { ...sourceLimits, fileBytes: defaultLimits.fileBytes };

async function walk(bytes: Uint8Array, own: Partial<typeof limits> = {}) {
  const taken: string[] = [];
  let asked = 0;
  const wants = () => ++asked > 0;
  const take = (name: string, content: Uint8Array) => taken.push(`${name}: ${new TextDecoder().decode(content)}`);
  const notes = await walkArchive(bytes, { ...limits, ...own }, { wants, take }, gunzipped);
  // The way of browsers gives the same.
  const visitor = { wants: () => true, take: () => {} };
  assert.deepEqual(await walkArchive(bytes, { ...limits, ...own }, visitor, gunzipInStream), notes);
  return { taken, notes, asked };
}

test('an archive that tar itself packed is read, long names and all', async () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-tar-'));
  const long = `${'deep/'.repeat(40)}${'x'.repeat(120)}.yaml`;
  for (const name of ['a.yaml', long]) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), `# ${name.length}\n`);
  }
  writeFileSync(path.join(home, 'big.yaml'), 'y'.repeat(300_000));
  for (const format of ['gnu', 'pax', 'ustar'].slice(0, 2)) {
    execFileSync('tar', ['--format', format, '-C', home, '-czf', `${home}.tgz`, '.']);
    const { taken, notes } = await walk(readFileSync(`${home}.tgz`));
    assert.deepEqual(notes, []);
    const names = taken.map((one) => one.slice(0, one.indexOf(': '))).sort();
    assert.deepEqual(names, ['a.yaml', 'big.yaml', long].sort());
    assert.equal(taken.find((one) => one.startsWith('big.yaml'))!.length, 'big.yaml: '.length + 300_000);
  }
  rmSync(home, { recursive: true });
  rmSync(`${home}.tgz`);
});

test('no name leads out of an archive, and links in it lead nowhere', async () => {
  const names = ['../up.yaml', 'a/../../up.yaml', '/etc/root.yaml', 'C:/drive.yaml', 'a\\..\\back.yaml', './', '..'];
  const links: Packed[] = ['1', '2', '3', '4', '6'].map((type) => ({
    name: `link${type}.yaml`,
    type,
    link: '/etc/passwd',
  }));
  const { taken, notes } = await walk(
    tgz([...names.map((name) => ({ name, content: 'out' })), ...links, { name: './in.yaml', content: 'in' }]),
  );
  assert.deepEqual(taken, ['in.yaml: in']);
  assert.deepEqual(notes, ['names that lead out of it were passed over']);
});

test('ten gigabytes of zeros are not unpacked', async () => {
  const zeros = gzipSync(Buffer.alloc(100_000_000));
  const [head] = [tar([{ name: 'crds/zeros.yaml', size: 8 ** 11 - 1 }]).subarray(0, 512)];
  const bomb = Buffer.concat([gzipSync(head), ...Array.from({ length: 100 }, () => zeros)]);
  assert.ok(bomb.length < sourceLimits.archiveBytes);
  const { taken, notes } = await walk(bomb);
  assert.deepEqual(taken, []);
  assert.deepEqual(notes, [
    'files in it that are too large were passed over',
    'it unpacks to more than 256000000 bytes; the rest was not read',
  ]);
});

test('of a hundred thousand entries the first are read', async () => {
  const { notes, asked } = await walk(tgz(Array.from({ length: 100_000 }, (_, i) => ({ name: `${i}.yaml` }))));
  assert.deepEqual(notes, ['it holds more than 20000 files; the rest were not read']);
  assert.ok(asked < 20_600, String(asked));
});

test('archives in archives share one account, and end at a depth', async () => {
  const inner = tgz([{ name: 'x.yaml', content: 'x'.repeat(1_000) }]);
  const { taken, notes } = await walk(
    tgz(Array.from({ length: 100 }, (_, i) => ({ name: `${i}.tgz`, content: inner }))),
    { unpackedBytes: 200_000 },
  );
  assert.ok(taken.length > 10 && taken.length < 100, String(taken.length));
  assert.deepEqual(notes, ['it unpacks to more than 200000 bytes; the rest was not read']);
  let nested = tgz([{ name: 'x.yaml', content: 'deep' }]);
  for (let i = 0; i < 10; i++) nested = tgz([{ name: 'in.tgz', content: nested }]);
  assert.deepEqual(await walk(nested), { taken: [], notes: ['archives inside each other are read 3 deep'], asked: 0 });
});

test('what is cut off, damaged, or something else is said to be so', async () => {
  const whole = tgz([{ name: 'a.yaml', content: Array.from({ length: 5_000 }, (_, i) => i).join(' ') }]);
  for (let at = 1; at < whole.length - 20; at += 997) {
    const { notes } = await walk(whole.subarray(0, at));
    assert.deepEqual(notes, ['it cannot be unpacked, or it is cut off'], String(at));
  }
  const packed = tar([{ name: 'a.yaml', content: 'a'.repeat(2_000) }]);
  assert.deepEqual((await walk(gzipSync(packed.subarray(0, 1_000)))).notes, ['it ends in the middle of a file']);
  const damaged = Buffer.from(packed);
  damaged[3] = 7;
  assert.deepEqual((await walk(gzipSync(damaged))).notes, ['it is not a tar archive, or it is damaged']);
  assert.deepEqual((await walk(Buffer.from('no gzip'))).notes, ['it cannot be unpacked, or it is cut off']);
  assert.deepEqual((await walk(new Uint8Array())).notes, ['it cannot be unpacked, or it is cut off']);
});

test('attributes and names of any length are passed over', async () => {
  const long = 'x'.repeat(1_000_000);
  const entries = [
    { name: 'pax', type: 'x', content: `1000012 path=${long}\n` },
    { name: 'a.yaml', content: 'a' },
    { name: 'long', type: 'L', content: long },
    { name: 'b.yaml', content: 'b' },
  ];
  assert.deepEqual((await walk(tgz(entries))).taken, ['a.yaml: a', 'b.yaml: b']);
});

/** Files in memory that count what is read of them. */
function inMemory(content: ReadonlyMap<string, string | Uint8Array>) {
  const counts = { read: 0, entries: 0 };
  const files: Files = {
    list: async () => emptyListing,
    expand: async () => emptyListing,
    read: async (uri, most) => {
      counts.read++;
      const found = content.get(uri);
      if (found === undefined) return undefined;
      const bytes = typeof found === 'string' ? new TextEncoder().encode(found) : found;
      return bytes.length > most ? 'too-large' : bytes;
    },
    isInside: async () => true,
    startOf: (pattern) => pattern,
    entries: async (folder) => {
      counts.entries++;
      const below = [...content.keys()].filter((uri) => uri.startsWith(`${folder}/`));
      const names = below.map((uri) => uri.slice(folder.length + 1).split('/'));
      return [...new Map(names.map(([name, ...rest]) => [name!, rest.length > 0]))].map(([name, isFolder]) => ({
        name,
        isFolder,
      }));
    },
  };
  return { files, counts };
}

const nothing: Leads = { workspace: [], settings: [], catalogues: [] };
const caches = { goModules: 'mem://x/go', helm: 'mem://x/helm', fetched: undefined };
const box = { group: 'example.com', version: 'v1', kind: 'Box' };

function library(files: Files, leads: Partial<Leads>, own: Partial<SourceLimits> = {}) {
  return libraryOf(
    files,
    { ...nothing, ...leads },
    {
      caches,
      folders: [],
      off: new Set(),
      limits: { ...sourceLimits, ...own },
    },
  );
}

/** The folder of the one module is looked into for Go types of a kind that has no CRD. */
const ofTypes = 1;

test('a schema that is nested a hundred thousand deep is passed over', async () => {
  const deep = `${'{"properties":{"a":'.repeat(100_000)}{}${'}}'.repeat(100_000)}`;
  const { files } = inMemory(new Map([['mem://x/cat/example.com/box_v1.json', deep]]));
  const all = library(files, { catalogues: ['mem://x/cat'] });
  assert.deepEqual(await all.find(box), { files: [], absent: [] });
  assert.deepEqual(all.notes(), ['cat: example.com/box_v1.json is not a schema that can be read']);
});

test('of many versions of a schema, and many files that only speak of a kind, a few are read', async () => {
  const versions = Array.from({ length: 1_000 }, (_, i): [string, string] => [
    `mem://x/cat/example.com/box_v${i}.json`,
    '{}',
  ]);
  const schemas = inMemory(new Map(versions));
  await library(schemas.files, { catalogues: ['mem://x/cat'] }).find(box);
  assert.deepEqual(schemas.counts, { read: sourceLimits.candidates, entries: 1 });
  const talk = 'kind: CustomResourceDefinition\ngroup: example.com\nkind: Box\n';
  const talking = Array.from({ length: 1_000 }, (_, i): [string, string] => [
    `mem://x/go/a.com/b%40v1.0.0/${i}.yaml`,
    talk,
  ]);
  const module = inMemory(new Map([...talking, ['mem://x/w/go.mod', 'require a.com/b v1.0.0\n']]));
  assert.deepEqual((await library(module.files, { workspace: ['mem://x/w/go.mod'] }).find(box)).files, []);
  assert.deepEqual(module.counts, { read: 1 + 1_000 + sourceLimits.candidates, entries: 1 + ofTypes });
});

test('folders and files of a module are counted, and links in it are not followed', async () => {
  const many = Array.from({ length: 100 }, (_, i): [string, string] => [
    `mem://x/go/a.com/b%40v1.0.0/${i}/${i}.yaml`,
    'a: 1',
  ]);
  const goMod: [string, string] = ['mem://x/w/go.mod', 'require a.com/b v1.0.0\n'];
  const { files, counts } = inMemory(new Map([...many, goMod]));
  const few = library(files, { workspace: ['mem://x/w/go.mod'] }, { folders: 10 });
  await few.find(box);
  assert.ok(counts.entries <= 10 + ofTypes, String(counts.entries));
  assert.deepEqual(few.notes(), ['mem://x/go/a.com/b%40v1.0.0: more than 10 folders; the rest were not looked into']);
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-loop-'));
  mkdirSync(path.join(home, 'a'));
  symlinkSync(home, path.join(home, 'a', 'round'));
  const entries = await nodeFiles.entries(pathToFileURL(path.join(home, 'a')).href);
  assert.deepEqual(entries, [{ name: 'round', isFolder: false, leadsTo: pathToFileURL(home).href }]);
  rmSync(home, { recursive: true });
});

test('sources with Go types are read once, for however many kinds, and no more of them than it is said', async () => {
  const sources = Array.from({ length: 3_000 }, (_, i): [string, string] => [
    `mem://x/w/v${i % 30}/${i}.go`,
    `package v1\n\ntype Kind${i} struct {}\n`,
  ]);
  const groups = Array.from({ length: 30 }, (_, i): [string, string] => [
    `mem://x/w/v${i}/doc.go`,
    '// +groupName=example.com\npackage v1\n',
  ]);
  const { files, counts } = inMemory(new Map([['mem://x/w/go.mod', 'module w\n'], ...groups, ...sources]));
  const absent = ownTypesOf(files, ['mem://x/w/go.mod'], ['mem://x/w']);
  assert.match((await absent({ ...box, kind: 'Kind0' }))?.what ?? '', /^Its Go types are in v0,/);
  for (let i = 0; i < 40; i++) assert.equal(await absent({ ...box, kind: `Other${i}` }), undefined);
  assert.ok(counts.read > 2_000 && counts.read <= 30 + 2_000, String(counts.read));
});

test('a go.mod of any length and with anything in it is read once', () => {
  const lines = Array.from({ length: 100_000 }, (_, i) => `\texample.com/m${i} v1.0.${i}`);
  assert.equal(goModules(`require (\n${lines.join('\n')}\n)\n`).length, 100_000);
  assert.deepEqual(goModules('require (\n=> => (\n)\nreplace =>\nreplace a =>\nrequire\nrequire a\n) x\n"`\n'), []);
  assert.deepEqual(goModules(`${'('.repeat(100_000)}\nrequire ${'a/'.repeat(100_000)} v1.0.0\n`).length, 1);
  const replaced = lines.map((line) => `replace ${line.trim()} => example.com/other v2.0.0`).join('\n');
  const [first] = goModules(`require (\n${lines.join('\n')}\n)\n${replaced}\n`);
  assert.deepEqual(first, { path: 'example.com/other', version: 'v2.0.0' });
});

test('a file names so many modules at most, and a folder that is not there costs one look', async () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => `require example.com/m${i} v1.0.0\n`);
  const { files, counts } = inMemory(new Map([['mem://x/w/go.mod', lines.join('')]]));
  await library(files, { workspace: ['mem://x/w/go.mod'] }).find(box);
  assert.deepEqual(counts, { read: 1, entries: sourceLimits.named + ofTypes });
});

test('of thousands of archives in the workspace some are read', async () => {
  const archives = Array.from({ length: 3_000 }, (_, i) => `mem://x/w/a${i}-1.0.0.tgz`);
  const { files, counts } = inMemory(new Map());
  const all = library(files, { workspace: archives });
  await all.find(box);
  assert.deepEqual(counts, { read: sourceLimits.archives, entries: 0 });
  assert.deepEqual(all.notes(), ['the workspace has more than 200 archives; the rest were not read']);
});
