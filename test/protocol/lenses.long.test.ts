import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Replies, startClient } from './client.ts';

// Lenses over cases and rules, and what is behind them.

interface Lens {
  readonly range: { readonly start: { readonly line: number } };
  readonly command: { readonly title: string; readonly command: string; readonly arguments?: readonly unknown[] };
}

const cases = `crd: ../crds/databases.yaml
kubernetes: 1.33..1.37
bases:
  orders: ORDERS
cases:
  - name: replicas
    create: {}
    each:
      - {spec.replicas: 3}
      - {spec.replicas: 4, error: there cannot be more replicas}
      - {spec.replicas: 5}
  - name: the rule
    rule: spec.x-kubernetes-validations[0]
    self: {replicas: 4, maxReplicas: 3}
    expect: false
  - name: from a file
    create: orders.yaml
`.replace(
  'ORDERS',
  '{apiVersion: storage.example.com/v1, kind: Database, metadata: {name: orders, namespace: shop}, spec: {engine: postgres, storage: {size: 20}}}',
);

async function session(settings: unknown, tests: boolean, capabilities: unknown = {}, replies: Replies = {}) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-lenses-'));
  for (const folder of ['crds', 'tests']) mkdirSync(path.join(home, folder));
  const crd = readFileSync('examples/crds/databases.yaml', 'utf8');
  writeFileSync(path.join(home, 'crds/databases.yaml'), crd);
  writeFileSync(path.join(home, 'tests/a.crdtest.yaml'), cases);
  const folder = pathToFileURL(home).href;
  const client = startClient(['server', '--stdio'], replies);
  await client.request('initialize', {
    processId: null,
    rootUri: folder,
    workspaceFolders: [{ uri: folder, name: 'w' }],
    capabilities,
    initializationOptions: { trusted: true, tests, settings },
  });
  client.notify('initialized', {});
  const open = (uri: string, text: string) =>
    client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  const lenses = (uri: string) => client.request<Lens[]>('textDocument/codeLens', { textDocument: { uri } });
  const end = async () => {
    assert.equal(await client.end(), 0);
    rmSync(home, { recursive: true });
  };
  return {
    client,
    crd,
    crdUri: `${folder}/crds/databases.yaml`,
    testsUri: `${folder}/tests/a.crdtest.yaml`,
    open,
    lenses,
    end,
  };
}

const rows = (found: readonly Lens[], text: string) =>
  found.map(({ range, command }) => `${text.split('\n')[range.start.line]!.trim()} | ${command.title}`);

test('over cases one sees how they stand, over rules how many cases are about them', async () => {
  const { crd, crdUri, testsUri, open, lenses, end, client } = await session({}, true);
  open(testsUri, cases);
  // The workspace is read by then.
  await client.request('kubeCrd/runTests', { uri: testsUri });
  assert.deepEqual(rows(await lenses(testsUri), cases), [
    'crd: ../crds/databases.yaml | Run all',
    'crd: ../crds/databases.yaml | 1 of 4 failed, 1 not run while you type',
    '- name: replicas | Run',
    '- name: replicas | Debug',
    '- name: replicas | 1 of 3 failed',
    '- name: the rule | Run',
    '- name: the rule | Debug',
    '- name: the rule | passed',
    '- name: from a file | Run',
    '- name: from a file | Debug',
    '- name: from a file | not run while you type',
  ]);
  open(crdUri, crd);
  const overRules = await lenses(crdUri);
  assert.deepEqual(rows(overRules, crd), [
    '- name: v1 | rules cost under 1% of the limit · 3 rules · 0 resources',
    '- rule: self.replicas <= self.maxReplicas | 3 tests, 1 fails',
    '- rule: self.storage.size >= oldSelf.storage.size | no tests',
    '- rule: self == oldSelf | no tests',
  ]);
  const places = overRules[1]!.command.arguments![2] as {
    readonly range: { readonly start: { readonly line: number } };
  }[];
  assert.deepEqual(
    places.map(({ range }) => cases.split('\n')[range.start.line]!.trim()),
    ['- {spec.replicas: 4, error: there cannot be more replicas}', '- {spec.replicas: 5}', '- name: the rule'],
  );
  await end();
});

test('tests of files that are not open count as well, and as they are now', async () => {
  const { crd, crdUri, testsUri, open, lenses, end } = await session({}, true);
  open(crdUri, crd);
  assert.equal((await lenses(crdUri))[1]!.command.title, '3 tests, 1 fails');
  open(testsUri, cases.replace('{spec.replicas: 5}', '{spec.replicas: 2}'));
  assert.equal((await lenses(crdUri))[1]!.command.title, '2 tests');
  await end();
});

test('while somebody types nothing is run for the rules of a CRD', async () => {
  const { crd, crdUri, open, lenses, end, client } = await session({}, true);
  open(crdUri, crd);
  const asked = lenses(crdUri);
  const change = { textDocument: { uri: crdUri, version: 2 }, contentChanges: [{ text: `${crd}# more\n` }] };
  client.notify('textDocument/didChange', change);
  await assert.rejects(asked, /cancelled/);
  assert.equal((await lenses(crdUri)).length, 4);
  await end();
});

test('each kind of lens can be switched off', async () => {
  const { crd, crdUri, testsUri, open, lenses, end } = await session(
    { codeLens: { cases: false, rules: false, versions: false, resources: false } },
    true,
  );
  open(testsUri, cases);
  open(crdUri, crd);
  assert.deepEqual([await lenses(testsUri), await lenses(crdUri)], [[], []]);
  await end();
});

test('a client without a view of tests gets the answers from the server', async () => {
  const { testsUri, open, lenses, end, client } = await session({}, false);
  open(testsUri, cases);
  await client.request('kubeCrd/runTests', { uri: testsUri });
  const found = await lenses(testsUri);
  const answer = <T>(title: string, nth: number) => {
    const { command } = found.filter((one) => one.command.title === title)[nth]!;
    return client.request<T>('workspace/executeCommand', { command: command.command, arguments: command.arguments });
  };
  const outcomes = await answer<{ failures?: string[] }[]>('Run', 0);
  assert.deepEqual(
    outcomes.map(({ failures }) => failures?.length),
    // Once in the words of 1.33, once in those of the others.
    [0, 0, 2, undefined, undefined],
  );
  const page = await answer<string>('Debug', 0);
  for (const part of [
    '**failed**',
    'Unexpected error',
    '### `spec.x-kubernetes-validations[0]`: `false`',
    'self.replicas <= self.maxReplicas: false',
    '  self.replicas: 5',
    '  self.maxReplicas: 3',
    'replicas: 5',
  ])
    assert.ok(page.toLowerCase().includes(part.toLowerCase()), `${part} is not in\n${page}`);
  assert.match(await answer<string>('Debug', 1), /self\.replicas: 4/);
  await end();
});

test('a case that breaks a rule is written into the tests, by a command behind a code action', async () => {
  const sent: { edit: { documentChanges: { edits: { newText: string }[]; textDocument: { uri: string } }[] } }[] = [];
  const take = (params: never) => {
    sent.push(params);
    return { applied: true };
  };
  const capabilities = {
    workspace: { applyEdit: true, workspaceEdit: { documentChanges: true, resourceOperations: ['create'] } },
    textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } },
  };
  const { client, crd, crdUri, testsUri, open, end } = await session({}, false, capabilities, {
    'workspace/applyEdit': take,
  });
  open(crdUri, crd);
  await client.request('kubeCrd/runTests', { uri: testsUri });
  const line = crd.split('\n').findIndex((row) => row.includes('oldSelf.storage.size'));
  const at = { line, character: 25 };
  const asked = { textDocument: { uri: crdUri }, range: { start: at, end: at }, context: { diagnostics: [] } };
  const actions = await client.request<{ title: string; command?: Lens['command'] }[]>(
    'textDocument/codeAction',
    asked,
  );
  const action = actions.find(({ title }) => title === 'New case that breaks this rule');
  assert.ok(action?.command);
  const { command, arguments: args } = action.command;
  await client.request('workspace/executeCommand', { command, arguments: args });
  const [change] = sent[0]!.edit.documentChanges;
  assert.equal(change?.textDocument.uri, testsUri);
  assert.match(change!.edits[0]!.newText, /name: "refused: storage can grow, but never shrink"/);
  // What anybody may send does no harm.
  for (const wrong of [[], [crdUri], [crdUri, { line: -1 }], ['file:///none', at]])
    assert.equal(await client.request('workspace/executeCommand', { command, arguments: wrong }), null);
  await end();
});
