import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { gitHistory } from '../../server/src/git/history.ts';
import type { History, Repository } from '../../server/src/workspace/baseline/history.ts';
import { baselineReader } from '../../server/src/workspace/baseline/load.ts';
import { defaultLimits } from '../../server/src/workspace/limits.ts';
import { emptySnapshot, withBaseline, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';

// Over real repositories: what git says is the truth here.

const history = gitHistory();
const made: string[] = [];
after(() => {
  history.close();
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function temporary(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kube-crd-'));
  made.push(folder);
  return folder;
}

const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'protocol.file.allow=always'];
const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

function put(folder: string, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
}

function commit(folder: string, files: Readonly<Record<string, string>>, time?: number): void {
  for (const [name, text] of Object.entries(files)) put(folder, name, text);
  git(folder, 'add', '--all');
  const env = { ...process.env, ...(time === undefined ? {} : { GIT_COMMITTER_DATE: `${time} +0000` }) };
  execFileSync('git', ['-C', folder, ...identity, 'commit', '--quiet', '--message', 'change'], { env });
}

function repository(files: Readonly<Record<string, string>>): string {
  const folder = temporary();
  git(folder, 'init', '--quiet', '--initial-branch=main');
  commit(folder, files);
  return folder;
}

const crd = (version = 'v1') => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Box, plural: boxes}
  versions:
    - name: ${version}
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          required: [size]
          properties:
            size:
              type: integer
              x-kubernetes-validations: [{rule: self == oldSelf, message: size cannot change}]
`;
const box = (size: number, name = 'a') =>
  `apiVersion: example.com/v1\nkind: Box\nmetadata: {name: ${name}}\nsize: ${size}\n`;

/** The messages about a file of a working tree, as it is on disk. */
async function messages(folder: string, name: string, setting = 'HEAD', crdText = crd()): Promise<string[]> {
  const uri = pathToFileURL(path.join(folder, name)).href;
  let snapshot = withOpen(emptySnapshot, sourceFile(pathToFileURL(path.join(folder, 'crd.yaml')).href, crdText));
  const file = sourceFile(uri, readFileSync(path.join(folder, name), 'utf8'));
  snapshot = withOpen(snapshot, file);
  const baseline = await baselineReader(history, nodeFiles, defaultLimits, () => {}).load(
    file,
    setting,
    snapshot.definitions,
  );
  return diagnose(withBaseline(snapshot, uri, baseline), uri).map(({ message }) => message);
}

const refused = ['Invalid value: 2: size cannot change (HEAD has 1)'];

test('a new file is new, whether git knows it or not', async () => {
  const folder = repository({ 'crd.yaml': crd() });
  put(folder, 'box.yaml', box(2));
  assert.deepEqual(await messages(folder, 'box.yaml'), []);
  git(folder, 'add', '--all');
  assert.deepEqual(await messages(folder, 'box.yaml'), []);
});

test('a changed file is an update of what HEAD has', async () => {
  const folder = repository({ 'crd.yaml': crd(), 'box.yaml': box(1) });
  assert.deepEqual(await messages(folder, 'box.yaml'), []);
  put(folder, 'box.yaml', box(2));
  assert.deepEqual(await messages(folder, 'box.yaml'), refused);
  assert.deepEqual(await messages(folder, 'box.yaml', 'none'), []);
});

test('an object is the same in a renamed file, and in the file of the same name first', async () => {
  const folder = repository({ 'crd.yaml': crd(), 'old/box.yaml': box(1) });
  mkdirSync(path.join(folder, 'new'));
  renameSync(path.join(folder, 'old/box.yaml'), path.join(folder, 'new/box file.yaml'));
  put(folder, 'new/box file.yaml', box(2));
  assert.deepEqual(await messages(folder, 'new/box file.yaml'), refused);
  commit(folder, { 'here/box.yaml': box(3), 'there/box.yaml': box(2) });
  put(folder, 'here/box.yaml', box(2));
  assert.deepEqual(await messages(folder, 'here/box.yaml'), ['Invalid value: 2: size cannot change (HEAD has 3)']);
});

test('a resource of the same name in another file is another one, as long as both are there', async () => {
  const folder = repository({ 'crd.yaml': crd(), 'a.yaml': box(1) });
  put(folder, 'b.yaml', box(2));
  assert.deepEqual(await messages(folder, 'b.yaml'), []);
  rmSync(path.join(folder, 'a.yaml'));
  assert.deepEqual(await messages(folder, 'b.yaml'), refused);
});

test('another name is another object', async () => {
  const folder = repository({ 'crd.yaml': crd(), 'box.yaml': box(1) });
  put(folder, 'box.yaml', box(2, 'b'));
  assert.deepEqual(await messages(folder, 'box.yaml'), []);
});

test('a CRD of another name in place of one of its kind is another CRD', async () => {
  const folder = repository({ 'crd.yaml': crd() });
  const moved = crd().replaceAll('example.com', 'example.org');
  put(folder, 'crd.yaml', moved);
  const told = (found: string[]) => found.filter((message) => message.includes('`boxes.example.com`'));
  assert.equal(told(await messages(folder, 'crd.yaml', 'HEAD', moved)).length, 1);
  put(folder, 'crd.yaml', `${crd()}---\n${moved}`);
  assert.deepEqual(told(await messages(folder, 'crd.yaml', 'HEAD', moved)), []);
});

test('a branch, its fork point, a tag and a detached HEAD can be the baseline', async () => {
  const folder = repository({ 'crd.yaml': crd(), 'box.yaml': box(1) });
  git(folder, 'checkout', '--quiet', '-b', 'topic');
  commit(folder, { 'box.yaml': box(2) });
  git(folder, 'tag', 'two');
  git(folder, 'checkout', '--quiet', 'main');
  commit(folder, { 'box.yaml': box(3) });
  git(folder, 'checkout', '--quiet', '--detach', 'two');
  assert.deepEqual(await messages(folder, 'box.yaml'), []);
  assert.deepEqual(await messages(folder, 'box.yaml', 'two'), []);
  assert.deepEqual(await messages(folder, 'box.yaml', 'main'), ['Invalid value: 2: size cannot change (main has 3)']);
  assert.deepEqual(await messages(folder, 'box.yaml', 'merge-base:main'), [
    'Invalid value: 2: size cannot change (merge-base:main has 1)',
  ]);
  assert.deepEqual(await messages(folder, 'box.yaml', 'nowhere'), []);
});

test('linked worktrees and submodules have commits of their own', async () => {
  const folder = repository({ 'crd.yaml': crd(), 'box.yaml': box(1) });
  const outer = repository({ 'README.md': 'outer\n' });
  const linked = path.join(temporary(), 'linked');
  git(folder, 'worktree', 'add', '--quiet', '-b', 'linked', linked);
  commit(linked, { 'box.yaml': box(5) });
  put(linked, 'box.yaml', box(2));
  assert.deepEqual(await messages(linked, 'box.yaml'), ['Invalid value: 2: size cannot change (HEAD has 5)']);
  git(outer, 'submodule', '--quiet', 'add', folder, 'inner');
  put(outer, 'inner/box.yaml', box(2));
  assert.deepEqual(await messages(outer, 'inner/box.yaml'), refused);
});

test('without git, before the first commit and in a folder that is not there everything is new', async () => {
  const folder = temporary();
  put(folder, 'box.yaml', box(2));
  assert.deepEqual(await messages(folder, 'box.yaml'), []);
  git(folder, 'init', '--quiet');
  assert.deepEqual(await messages(folder, 'box.yaml'), []);
  assert.equal(await history.repositoryOf(pathToFileURL(path.join(folder, 'gone')).href), undefined);
  assert.equal(await history.repositoryOf('vscode-vfs://github/a/b'), undefined);
});

test('a version that was the storage version in any commit is missed when it goes', async () => {
  const folder = repository({ 'crd.yaml': crd('v1alpha1') });
  const first = git(folder, 'rev-parse', 'HEAD').slice(0, 10);
  commit(folder, { 'crd.yaml': crd('v1') });
  const found = await messages(folder, 'crd.yaml');
  assert.deepEqual(
    found.filter((message) => message.startsWith('v1alpha1')),
    [
      `v1alpha1 was the storage version in commit ${first}: the API server does not let you remove it while objects are stored in it.`,
    ],
  );
});

test('it is known since which commit of its file a CRD is stored in its version', async () => {
  const folder = repository({ 'crd.yaml': crd('v1alpha1') });
  const dayOf = { v1: 1_740_787_200, later: 1_740_873_600 };
  commit(folder, { 'crd.yaml': crd('v1') }, dayOf.v1);
  commit(folder, { 'box.yaml': box(1) }, dayOf.later);
  commit(folder, { 'crd.yaml': `${crd('v1')}# Noted\n` }, dayOf.later);
  const file = sourceFile(pathToFileURL(path.join(folder, 'crd.yaml')).href, crd('v1'));
  const reader = baselineReader(history, nodeFiles, defaultLimits, () => {});
  const baseline = await reader.load(file, 'HEAD', emptySnapshot.definitions);
  assert.deepEqual(
    [...baseline!.objects.values()].map((one) => one?.storedSince),
    [{ time: dayOf.v1, orEarlier: false }],
  );
});

test('of many files git is asked for the history of the CRDs that were changed', async () => {
  const folder = repository({ 'crd.yaml': crd('v1alpha1') });
  commit(folder, { 'crd.yaml': crd('v1') });
  const uri = pathToFileURL(path.join(folder, 'crd.yaml')).href;
  const reader = baselineReader(history, nodeFiles, defaultLimits, () => {});
  const storedBefore = async (text: string) => {
    const { objects } = await reader.loadOneOfMany(sourceFile(uri, text), 'HEAD', emptySnapshot.definitions);
    return [...objects.values()].map((one) => [...(one?.storage.keys() ?? [])]);
  };
  assert.deepEqual(await storedBefore(crd('v1')), [[]]);
  assert.deepEqual(await storedBefore(`${crd('v1')}# Noted\n`), [['v1', 'v1alpha1']]);
});

test('of many files git is asked for nothing of one that is as it was committed, and whose CRD is', async () => {
  const folder = repository({ 'crd.yaml': crd(), 'box.yaml': box(2), 'other.yaml': box(3) });
  let reads = 0;
  const counting: History = {
    ...history,
    repositoryOf: async (at) => {
      const placed = await history.repositoryOf(at);
      const read: Repository['read'] = (...args) => {
        reads++;
        return placed!.repository.read(...args);
      };
      return placed && { ...placed, repository: { ...placed.repository, read } };
    },
  };
  const reader = baselineReader(counting, nodeFiles, defaultLimits, () => {});
  const at = (name: string, text: string) => sourceFile(pathToFileURL(path.join(folder, name)).href, text);
  const known = async (definition: string, text: string) => {
    const { definitions } = withOpen(emptySnapshot, at('crd.yaml', definition));
    const { objects } = await reader.loadOneOfMany(at('box.yaml', text), 'HEAD', definitions);
    return [...objects.values()].map((one) => one !== undefined);
  };
  assert.deepEqual(await known(crd(), box(2)), [false]);
  assert.equal(reads, 0);
  // Another object, or another CRD, makes it an update.
  assert.deepEqual(await known(crd(), box(1)), [true]);
  assert.deepEqual(await known(`${crd()}# Noted\n`, box(2)), [true]);
});

test('a committed object was stored only if the CRD of its commit let it', async () => {
  const limited = crd().replace('type: integer\n', 'type: integer\n              maximum: 1\n');
  const folder = repository({ 'crd.yaml': limited, 'box.yaml': box(2) });
  assert.deepEqual(await messages(folder, 'box.yaml', 'HEAD', limited), [
    'Invalid value: 2: size in body should be less than or equal to 1',
  ]);
  const open = repository({ 'crd.yaml': crd(), 'box.yaml': box(2) });
  assert.deepEqual(await messages(open, 'box.yaml', 'HEAD', limited), [
    'Invalid value: 2: size in body should be less than or equal to 1 (unchanged since HEAD: the API server would let this update pass)',
  ]);
});

test('whether a committed object was stored is asked anew when a CRD without a past changes', async () => {
  const folder = repository({ 'box.yaml': box(2) });
  const at = (name: string) => pathToFileURL(path.join(folder, name)).href;
  const limited = crd().replace('type: integer\n', 'type: integer\n              maximum: 1\n');
  let snapshot = withOpen(emptySnapshot, sourceFile(at('crd.yaml'), crd()));
  const file = sourceFile(at('box.yaml'), box(2));
  snapshot = withOpen(snapshot, file);
  const reader = baselineReader(history, nodeFiles, defaultLimits, () => {});
  snapshot = withBaseline(snapshot, file.uri, await reader.load(file, 'HEAD', snapshot.definitions));
  assert.deepEqual(diagnose(snapshot, file.uri), []);
  snapshot = withOpen(snapshot, sourceFile(at('crd.yaml'), limited));
  assert.deepEqual(
    diagnose(snapshot, file.uri).map(({ message }) => message),
    ['Invalid value: 2: size in body should be less than or equal to 1'],
  );
});
