import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startClient } from './client.ts';

// The requests behind the view of tests.

interface Outcome {
  readonly id: string;
  readonly name: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
  readonly failures?: readonly string[];
}

const cases = `crd: ../crds/databases.yaml
cases:
  - name: from a file
    create: database.yaml
  - name: fails
    create: {file: database.yaml, with: {spec.replicas: 0}}
  - name: outside
    create: ../../outside.yaml
`;

/** A workspace with a CRD, and tests that take an object from a file. */
function madeWorkspace() {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-tests-'));
  for (const folder of ['w/crds', 'w/tests']) mkdirSync(path.join(home, folder), { recursive: true });
  const database = readFileSync('examples/database.yaml', 'utf8');
  const put = (name: string, text: string) => writeFileSync(path.join(home, name), text);
  put('w/crds/databases.yaml', readFileSync('examples/crds/databases.yaml', 'utf8'));
  put('w/tests/database.yaml', database);
  put('outside.yaml', database);
  put('w/tests/a.crdtest.yaml', cases);
  return { home, folder: pathToFileURL(path.join(home, 'w')).href };
}

/** A client whose own settings name the file outside, unless it is told not to. */
async function clientIn(folder: string, trusted: boolean, crds: readonly string[] = ['../outside.yaml']) {
  const client = startClient(['server', '--stdio']);
  await client.request('initialize', {
    processId: null,
    rootUri: folder,
    workspaceFolders: [{ uri: folder, name: 'w' }],
    capabilities: {},
    initializationOptions: { trusted, settings: { crds } },
  });
  client.notify('initialized', {});
  return client;
}

async function outcomes(trusted: boolean, crds?: readonly string[]) {
  const { home, folder } = madeWorkspace();
  const uri = `${folder}/tests/a.crdtest.yaml`;
  const client = await clientIn(folder, trusted, crds);
  const places = await client.request<Outcome[]>('kubeCrd/tests', { uri });
  const all = await client.request<Outcome[]>('kubeCrd/runTests', { uri });
  const one = await client.request<Outcome[]>('kubeCrd/runTests', { uri, ids: [places[1]!.id] });
  const typed = { uri, languageId: 'yaml', version: 1, text: cases.replace('replicas: 0', 'replicas: 1') };
  client.notify('textDocument/didOpen', { textDocument: typed });
  const mended = await client.request<Outcome[]>('kubeCrd/runTests', { uri });
  assert.deepEqual(await client.request('kubeCrd/runTests', { uri: `${folder}/none.crdtest.yaml` }), []);
  assert.equal(await client.end(), 0);
  rmSync(home, { recursive: true });
  return { places, all, one, mended };
}

const failuresOf = (all: readonly Outcome[]) => all.map(({ failures }) => failures?.map((one) => one.split(':')[0]));

test('cases have their places, and are run all or by name, as they are in the editor', async () => {
  const { places, all, one, mended } = await outcomes(true);
  assert.deepEqual(
    places.map(({ id, name, range }) => [id, name, range.start.line, range.start.character]),
    [
      ['0/cases/0', 'from a file', 2, 10],
      ['0/cases/1', 'fails', 4, 10],
      ['0/cases/2', 'outside', 6, 10],
    ],
  );
  assert.deepEqual(failuresOf(all), [[], ['unexpected error'], []]);
  assert.deepEqual(failuresOf(one), [undefined, ['unexpected error'], undefined]);
  assert.deepEqual(failuresOf(mended), [[], [], []]);
});

test('tests read nothing outside the workspace but what the settings of a trusted one name', async () => {
  const refused = `../../outside.yaml is not in the workspace; only settings of your own and the command line can name other places`;
  for (const { all } of [await outcomes(false), await outcomes(true, [])])
    assert.deepEqual(failuresOf(all), [[], ['unexpected error'], [refused]]);
});

interface Coverage {
  readonly runs: readonly { readonly uri: string; readonly outcomes: readonly Outcome[] }[];
  readonly crds: readonly {
    readonly uri: string;
    readonly statements: Share;
    readonly branches: Share;
    readonly points: readonly {
      readonly kind: string;
      readonly what: string;
      readonly range: Outcome['range'];
      readonly ways: readonly { readonly name: string; readonly hits: number }[];
    }[];
  }[];
  readonly text: string;
}
interface Share {
  readonly done: number;
  readonly all: number;
}

/** What is said of a point, with its line counted from 1. */
const point = ({ crds }: Coverage, what: string) =>
  crds[0]?.points
    .filter((one) => one.what === what)
    .map(({ range, ways }) => [range.start.line + 1, ways.map(({ name, hits }) => `${name} ${hits}`).join()]);

test('coverage is of all files together, and of the CRD as it is in the editor', async () => {
  const { home, folder } = madeWorkspace();
  const uri = `${folder}/tests/a.crdtest.yaml`;
  const other = `${folder}/tests/b.crdtest.yaml`;
  const more =
    'crd: {kind: Database}\ncases:\n  - {name: ten, create: {file: database.yaml, with: {spec.maxReplicas: 10}}}\n';
  writeFileSync(path.join(home, 'w/tests/b.crdtest.yaml'), more);
  const client = await clientIn(folder, true);
  const cover = (files?: readonly object[]) => client.request<Coverage>('kubeCrd/coverTests', { files });
  const first = await cover([{ uri }]);
  assert.deepEqual(point(first, 'spec.replicas minimum'), [[58, 'met 2,crossed 1']]);
  assert.deepEqual(point(first, 'spec.maxReplicas maximum'), [[64, 'met 3,crossed 0']]);
  assert.deepEqual(failuresOf(first.runs[0]!.outcomes), [[], ['unexpected error'], []]);
  const one = await cover([{ uri, ids: ['0/cases/0'] }]);
  assert.deepEqual(point(one, 'spec.replicas minimum'), [[58, 'met 1,crossed 0']]);
  const all = await cover();
  assert.deepEqual(all.runs.map((run) => run.uri).sort(), [uri, other]);
  assert.deepEqual(point(all, 'spec.maxReplicas maximum'), [[64, 'met 3,crossed 1']]);
  // The same for people, and with the same counts.
  const total = (name: 'done' | 'all') => all.crds[0]!.statements[name] + all.crds[0]!.branches[name];
  const percent = Math.floor((1000 * total('done')) / total('all')) / 10;
  const [head, ...missing] = all.text.split('\n');
  assert.ok(head!.startsWith(`databases.storage.example.com: ${percent}% covered: rules `), head);
  assert.ok(missing.includes('  crds/databases.yaml:63: spec.maxReplicas minimum: never crossed'), all.text);
  const command = { command: 'kube-crd.coverTests', arguments: [uri] };
  const commanded = await client.request<Coverage>('workspace/executeCommand', command);
  assert.deepEqual([commanded.crds, commanded.text], [first.crds, first.text]);
  const text = readFileSync('examples/crds/databases.yaml', 'utf8').replace('minimum: 1\n', 'minimum: 0\n');
  const textDocument = {
    uri: `${folder}/crds/databases.yaml`,
    languageId: 'yaml',
    version: 1,
    text: `# typed\n${text}`,
  };
  client.notify('textDocument/didOpen', { textDocument });
  const typed = await cover([{ uri }]);
  assert.deepEqual(point(typed, 'spec.replicas minimum'), [[59, 'met 3,crossed 0']]);
  assert.deepEqual(failuresOf(typed.runs[0]!.outcomes), [[], [], []]);
  assert.deepEqual(await cover([{ uri: `${folder}/none.crdtest.yaml` }]), {
    runs: [],
    crds: [],
    text: '',
  });
  assert.equal(await client.end(), 0);
  rmSync(home, { recursive: true });
});
