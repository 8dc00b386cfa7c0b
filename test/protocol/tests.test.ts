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

async function outcomes(trusted: boolean) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-tests-'));
  for (const folder of ['w/crds', 'w/tests']) mkdirSync(path.join(home, folder), { recursive: true });
  const database = readFileSync('examples/database.yaml', 'utf8');
  const put = (name: string, text: string) => writeFileSync(path.join(home, name), text);
  put('w/crds/databases.yaml', readFileSync('examples/crds/databases.yaml', 'utf8'));
  put('w/tests/database.yaml', database);
  put('outside.yaml', database);
  put('w/tests/a.crdtest.yaml', cases);
  const folder = pathToFileURL(path.join(home, 'w')).href;
  const uri = `${folder}/tests/a.crdtest.yaml`;
  const client = startClient(['server', '--stdio']);
  await client.request('initialize', {
    processId: null,
    rootUri: folder,
    workspaceFolders: [{ uri: folder, name: 'w' }],
    capabilities: {},
    initializationOptions: { trusted },
  });
  client.notify('initialized', {});
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

test('without trust tests read nothing outside the workspace', async () => {
  const { all } = await outcomes(false);
  assert.deepEqual(failuresOf(all), [[], ['unexpected error'], ['../../outside.yaml cannot be read']]);
});
