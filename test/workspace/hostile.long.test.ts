import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gitHistory } from '../../server/src/git/history.ts';
import { emptyListing } from '../../server/src/workspace/files.ts';
import { globOf, isNamedBy } from '../../server/src/workspace/glob.ts';
import { defaultLimits } from '../../server/src/workspace/limits.ts';
import { loadWorkspace } from '../../server/src/workspace/loader.ts';
import { newMentions } from '../../server/src/workspace/mentions.ts';
import { emptySnapshot, withOpen, withWholeDisk } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { attackFiles } from '../fuzz/attack/files.ts';
import { attackFix } from '../fuzz/attack/fix.ts';
import { seeded } from '../support/random.ts';

// What would take for ever, or too much memory, if it were done the simple way.

test('lines of template actions are read once', () => {
  const line = `${'{{a}}'.repeat(100_000)}x`;
  assert.equal(sourceFile('mem:/a.yaml', `kind: CustomResourceDefinition\n${line}\n`).template, false);
  assert.equal(sourceFile('mem:/a.yaml', `${line.slice(0, -1)}\nkind: x\n`).template, true);
  assert.equal(sourceFile('mem:/a.yaml', `a: 1 # ${'{{'.repeat(100_000)}\n`).template, false);
});

test('a glob with many folders of any depth is held against a path once', () => {
  const glob = `${'**/a'.repeat(40)}/b`;
  assert.equal(isNamedBy([glob], `file:///${'a/'.repeat(500)}c`), false);
  assert.equal(globOf(`${'*a'.repeat(40)}b`)('a'.repeat(4_000)), false);
  assert.equal(globOf('/x/**/*.y?ml')('/x/a/b/c.yaml'), true);
  assert.equal(globOf('/x/**/*.y?ml')('/x/c.yaml'), true);
  assert.equal(globOf('/x/*.yaml')('/x/a/c.yaml'), false);
  assert.equal(globOf('/x/a**z.yaml')('/x/ab/cz.yaml'), true);
});

test('hostile names, links, pipes and devices keep no other file from being read', {
  skip: process.platform === 'win32',
}, async () => {
  const failures: string[] = [];
  await attackFiles({ cases: 100, random: seeded(1), failed: (what) => failures.push(what) });
  assert.deepEqual(failures, []);
});

test('a fix keeps all other bytes, and a file is whole whenever a program that writes it ends', {
  skip: process.platform === 'win32',
}, async () => {
  const failures: string[] = [];
  await attackFix({ cases: 200, random: seeded(2), failed: (what) => failures.push(what) });
  assert.deepEqual(failures, []);
});

test('a path that the system refuses is noted, and the next file is read', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-hostile-'));
  const good = path.join(folder, 'crd.yaml');
  writeFileSync(
    good,
    'kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec: {names: {kind: A}}\n',
  );
  const long = `${pathToFileURL(folder).href}/${'a/'.repeat(3000)}a.yaml`;
  const listing = { ...emptyListing, uris: [long, pathToFileURL(good).href] };
  const mentions = newMentions();
  const options = { limits: defaultLimits, cancelled: () => false, mentions };
  const { notes } = await loadWorkspace(nodeFiles, { own: [listing], named: [] }, options);
  assert.match(notes.join('\n'), /could not be read: ENAMETOOLONG/);
  assert.ok((mentions.byFile.get(pathToFileURL(good).href)?.length ?? 0) > 0);
  rmSync(folder, { recursive: true });
});

function git(folder: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  execFileSync('git', ['-C', folder, ...identity, ...args], { stdio: 'ignore' });
}

test('a content in git that is too large is not read; names and folders that git cannot tell apart have none', async () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-hostile-'));
  const folder = path.join(home, 'plain');
  const odd = path.join(home, 'with\nbreak');
  for (const one of [folder, odd]) {
    mkdirSync(one);
    git(one, 'init', '-q');
    writeFileSync(path.join(one, 'a.yaml'), 'a'.repeat(100_000));
    git(one, 'add', '.');
    git(one, 'commit', '-qm', 'x');
  }
  const history = gitHistory();
  const placed = await history.repositoryOf(pathToFileURL(folder).href);
  assert.ok(placed);
  const { repository } = placed;
  assert.equal(await repository.read('HEAD:a.yaml', 99_999), 'too-large');
  assert.equal(((await repository.read('HEAD:a.yaml', 100_000)) as Uint8Array).length, 100_000);
  assert.equal(await repository.read('HEAD:b.yaml', 100_000), undefined);
  assert.equal(await repository.read('HEAD:', 100_000), undefined);
  assert.equal(await repository.read('HEAD:a.yaml\nHEAD:a.yaml', 100_000), undefined);
  assert.equal(await repository.commitOf('\0'), undefined);
  assert.equal(await history.repositoryOf(pathToFileURL(odd).href), undefined);
  assert.equal(await history.repositoryOf(pathToFileURL(home).href), undefined);
  history.close();
  rmSync(home, { recursive: true });
});

test('many CRDs, and many of one kind, are indexed in one go and then by difference', () => {
  const crd = (i: number, kind: string) =>
    `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: example.com, names: {kind: ${kind}}, versions: [{name: v${i}}]}\n`;
  const files = Array.from({ length: 6_000 }, (_, i) => {
    return sourceFile(`mem:/${i}.yaml`, crd(i, i % 2 === 0 ? 'Same' : `Kind${i}`));
  });
  let snapshot = withWholeDisk(emptySnapshot, files);
  assert.equal(snapshot.definitions.size, 3_001);
  assert.equal(snapshot.definitions.get('example.com/Same')?.length, 3_000);
  const before = snapshot.definitions.get('example.com/Kind1');
  snapshot = withOpen(snapshot, sourceFile('mem:/3.yaml', crd(3, 'Other')));
  assert.equal(snapshot.definitions.get('example.com/Kind3'), undefined);
  assert.equal(snapshot.definitions.get('example.com/Other')?.length, 1);
  // What another file defines is not looked at again.
  assert.equal(snapshot.definitions.get('example.com/Kind1'), before);
});
