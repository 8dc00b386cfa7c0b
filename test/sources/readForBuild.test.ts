import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { graphOf } from '../../server/src/workspace/kustomizations/graph.ts';
import { KustomizeFiles } from '../../server/src/workspace/kustomizations/kustomizeFiles.ts';
import { readForBuild } from '../../server/src/workspace/kustomizations/readBuilds.ts';
import { emptySnapshot } from '../../server/src/workspace/snapshot.ts';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';

// Whoever writes a kustomization is not the one who opens it: what it names is read in the workspace alone.

const top = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-builds-'));
after(() => rmSync(top, { recursive: true }));
const home = path.join(top, 'home');
const secret = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: secret}\n';

mkdirSync(path.join(top, 'beside'));
mkdirSync(path.join(home, 'overlay'), { recursive: true });
writeFileSync(path.join(top, 'secret.yaml'), secret);
writeFileSync(path.join(top, 'beside/kustomization.yaml'), 'resources: []\n');
symlinkSync(path.join(top, 'secret.yaml'), path.join(home, 'overlay/link.yaml'));
symlinkSync(path.join(top, 'beside'), path.join(home, 'linked'));

const wanted = (folder: string) => ({ root: folder, folder, addition: undefined });
const address = (file: string) => pathToFileURL(path.join(top, file)).href;

for (const [what, named, seen] of [
  ['a path that leads out', '../../secret.yaml', 'secret.yaml'],
  ['a folder that is out', '../../beside', 'beside'],
  ['a link to a file', 'link.yaml', 'home/overlay/link.yaml'],
  ['a link to a folder', '../linked', 'home/linked'],
] as const) {
  test(`nothing outside of the workspace is read for a build: ${what}`, async () => {
    writeFileSync(path.join(home, 'overlay/kustomization.yaml'), `resources: [${named}]\n`);
    const files = new KustomizeFiles();
    const root = address('home/overlay');
    const { entries } = await readForBuild(nodeFiles, emptySnapshot, wanted(root), files, [address('home')]);
    assert.equal(entries.get(address(seen)), 'outside');
    const texts = [...entries.values()].flatMap((one) => (typeof one === 'object' && 'text' in one ? [one.text] : []));
    assert.deepEqual(texts, [`resources: [${named}]\n`]);
    const { build } = files.memory.build(wanted(root), new Map(), files.with(entries, []));
    assert.equal(build.outside?.uri, address(seen));
    assert.deepEqual(build.resources, []);
  });
}

/** What builds read from, and how often something is built of it. */
function countingBuilds() {
  const files = new KustomizeFiles();
  const build = files.memory.build.bind(files.memory);
  let builds = 0;
  files.memory.build = (...given) => {
    builds++;
    return build(...given);
  };
  return { files, build, count: () => builds };
}

test('a build is not made again for what kustomize looks for in the folders of a workspace', async () => {
  const base = path.join(home, 'base');
  const overlay = path.join(home, 'prod');
  for (const folder of [base, overlay]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(base, 'config.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\n');
  writeFileSync(path.join(base, 'kustomization.yaml'), 'resources: [config.yaml]\n');
  writeFileSync(path.join(overlay, 'kustomization.yaml'), 'resources: [../base]\n');
  const names = (...files: string[]) => ({ names: files.map((file) => address(`home/${file}`)), isComponent: false });
  const said = new Map([
    [address('home/base/kustomization.yaml'), { kustomization: names('base/config.yaml') }],
    [address('home/prod/kustomization.yaml'), { kustomization: names('base') }],
  ]);
  const { files, build, count } = countingBuilds();
  const snapshot = { ...emptySnapshot, kustomizations: graphOf(said) };
  const root = address('home/prod');
  const { entries } = await readForBuild(nodeFiles, snapshot, wanted(root), files, [address('home')]);
  assert.equal(count(), 1);
  assert.equal(build(wanted(root), new Map(), files.with(entries, [])).build.resources.length, 1);
});

test('what kustomizations name is read at once, whether or not the workspace knows them', async () => {
  const folder = path.join(home, 'fleet');
  const apps = Array.from({ length: 80 }, (_, i) => `app${i}`);
  for (const app of apps) {
    mkdirSync(path.join(folder, app), { recursive: true });
    writeFileSync(path.join(folder, app, 'kustomization.yaml'), 'resources: [config.yaml]\n');
    writeFileSync(path.join(folder, app, 'config.yaml'), `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${app}}\n`);
  }
  writeFileSync(path.join(folder, 'kustomization.yaml'), `resources: [${apps.join(', ')}]\n`);
  const { files, build, count } = countingBuilds();
  const root = address('home/fleet');
  const { entries, notes } = await readForBuild(nodeFiles, emptySnapshot, wanted(root), files, [address('home')]);
  assert.deepEqual(notes, []);
  assert.equal(count(), 1);
  assert.equal(build(wanted(root), new Map(), files.with(entries, [])).build.resources.length, 80);
});
