import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { crdText } from '../support/crdTexts.ts';
import { type Client, modernDocument, type Replies, startClient } from './client.ts';

// The commands that bring CRDs in, with a stand-in for kubectl: what a real one answers is asked in test/cluster. Here it is
// about who is asked what, and that nothing runs before.

const skip = process.platform === 'win32' && 'the stand-in for kubectl is a shell script';

interface Asked {
  readonly method: string;
  readonly title: string;
  readonly rows: readonly string[];
}

/** What the user chooses: for each question, by its beginning, a row. */
type Choices = Readonly<Record<string, string | (() => string | undefined)>>;

interface Options {
  readonly picks?: boolean;
  readonly trusted?: boolean;
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: object;
  readonly without?: 'kubectl';
}

async function place(t: TestContext, choices: Choices, options: Options = {}) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-fetching-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), text);
  };
  for (const [name, text] of Object.entries({ 'box.yaml': box, ...options.files })) put(`workspace/${name}`, text);
  const serves = (...crds: string[]) =>
    put('crds.json', JSON.stringify({ kind: 'List', items: crds.map((crd) => parse(crd)) }));
  serves(first, crdText('Lid', ''));
  // The stand-in notes how it was called.
  const calls = path.join(home, 'calls');
  writeFileSync(calls, '');
  const script = `#!/bin/sh\necho "$@" >> '${calls}'\n[ "$1" = config ] && printf 'one\\ntwo\\n' || /bin/cat '${home}/crds.json'\n`;
  if (options.without !== 'kubectl') put('bin/kubectl', script);
  if (options.without !== 'kubectl') chmodSync(path.join(home, 'bin/kubectl'), 0o755);
  const asked: Asked[] = [];
  const shown: string[] = [];
  const answer = (method: string, title: string, rows: readonly string[]) => {
    asked.push({ method, title, rows });
    const [, chosen] = Object.entries(choices).find(([start]) => title.startsWith(start)) ?? [];
    return rows.indexOf((typeof chosen === 'function' ? chosen() : chosen) ?? '');
  };
  const replies: Replies = {
    'window/showDocument': ({ uri }: { uri: string }) => ({ success: shown.push(uri) > 0 }),
    'kubeCrd/pick': ({ title, rows }: { title: string; rows: { label: string; detail?: string }[] }) => {
      const at = answer(
        'pick',
        title,
        rows.map(({ label }) => label),
      );
      return at === -1 ? null : at;
    },
    'window/showMessageRequest': ({ message, actions }: { message: string; actions?: { title: string }[] }) =>
      actions?.[
        answer(
          'message',
          message,
          actions.map(({ title }) => title),
        )
      ] ?? null,
  };
  const client = withEnvironment({ PATH: path.join(home, 'bin'), KUBE_CRD_CACHE: path.join(home, 'cache') }, () =>
    startClient(undefined, replies),
  );
  await client.request('initialize', {
    processId: null,
    rootUri: null,
    capabilities: { textDocument: { ...modernDocument, diagnostic: {} }, window: { workDoneProgress: true } },
    workspaceFolders: [{ uri: pathToFileURL(path.join(home, 'workspace')).href, name: 'w' }],
    initializationOptions: {
      ...{ files: true, shown: true, picks: options.picks ?? true, trusted: options.trusted ?? true },
      settings: options.settings ?? {},
    },
  });
  client.notify('initialized', {});
  await client.next<{ state: string }>('kubeCrd/status', ({ state }) => state !== 'starting');
  t.after(async () => assert.equal(await client.end(), 0));
  const uri = pathToFileURL(path.join(home, 'workspace/box.yaml')).href;
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text: box } });
  const at = (name: string) => path.join(home, name);
  const called = () => readFileSync(calls, 'utf8').split('\n').filter(Boolean);
  return { client, uri, at, asked, shown, called, serves };
}

function withEnvironment<T>(values: Readonly<Record<string, string>>, run: () => T): T {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, values);
  try {
    return run();
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}

const box = 'apiVersion: things.example.com/v1\nkind: Box\nmetadata: {name: a}\nspec: {sise: 1}\n';
const first = crdText('Box', 'size: {type: integer}');

async function codes(client: Client, uri: string) {
  const report = await client.request<{ items: { code: string }[] }>('textDocument/diagnostic', {
    textDocument: { uri },
  });
  return report.items.map(({ code }) => code);
}

async function fixes(client: Client, uri: string) {
  const { items } = await client.request<{ items: object[] }>('textDocument/diagnostic', { textDocument: { uri } });
  const range = { start: { line: 1, character: 6 }, end: { line: 1, character: 9 } };
  const context = { diagnostics: items, only: ['quickfix'] };
  const params = { textDocument: { uri }, range, context };
  const actions = await client.request<Action[]>('textDocument/codeAction', params);
  return actions.flatMap(({ command }) => (command?.command === 'kube-crd.fetch' ? [command] : []));
}

interface Action {
  readonly command?: { readonly title: string; readonly command: string; readonly arguments: readonly unknown[] };
}

const said = (client: Client) => client.next<{ type: number; message: string }>('window/showMessage');
const execute = (client: Client, command: string, args: readonly unknown[] = []) =>
  client.request('workspace/executeCommand', { command, arguments: args });

const get = (context: string) => `get crd -o json --context=${context} --request-timeout=30s`;

test('a fix fetches from a cluster that the user chooses, after saying what will run', { skip }, async (t) => {
  const { client, uri, at, asked, called } = await place(t, {
    'Fetch the CRDs of which cluster?': 'two',
    'Keep the CRDs of cluster two': 'On this machine',
  });
  assert.deepEqual(await codes(client, uri), ['cr/unknown-kind']);
  const [fix] = await fixes(client, uri);
  assert.equal(fix?.title, 'Fetch from a cluster…');
  assert.deepEqual(called(), []);
  await execute(client, fix!.command, fix!.arguments);
  assert.deepEqual(
    asked.map(({ rows }) => rows),
    [
      ['one', 'two'],
      ['On this machine', 'In this workspace too'],
    ],
  );
  assert.deepEqual(called(), ['config get-contexts -o name', get('two')]);
  assert.match((await said(client)).message, /^Fetched from cluster two: 2 CRDs, of which 1 used here\.$/);
  assert.deepEqual(await codes(client, uri), ['cr/unknown-field']);
  assert.ok(existsSync(at('cache/kube-crd.lock')) && !existsSync(at('workspace/.kube-crd')));
});

test('whoever chooses nothing gets nothing, and no cluster is asked', { skip }, async (t) => {
  const { client, uri, called } = await place(t, {});
  await execute(client, 'kube-crd.fetch', [{ from: 'cluster' }, uri]);
  assert.deepEqual(called(), ['config get-contexts -o name']);
  await execute(client, 'kube-crd.fetch', [{ from: 'cluster', context: 'one' }, uri]);
  assert.equal(called().length, 1);
  assert.deepEqual(await codes(client, uri), ['cr/unknown-kind']);
});

test('what is used is saved in the workspace, and updated when the user has seen the changes', { skip }, async (t) => {
  const { client, uri, at, asked, serves } = await place(t, {
    'Fetch CRDs from': 'A cluster…',
    'Fetch the CRDs of which cluster?': 'one',
    'Keep the CRDs of cluster one': 'In this workspace too',
    'Ask again what kube-crd.lock names: cluster one?': 'Ask',
    'A CRD has changed: Box.': 'Update',
  });
  await execute(client, 'kube-crd.fetch', [null, uri]);
  assert.match((await said(client)).message, /What is used is in \.kube-crd now, noted in kube-crd\.lock\.$/);
  client.notify('workspace/didChangeWatchedFiles', {
    changes: [{ uri: pathToFileURL(at('workspace/kube-crd.lock')).href, type: 1 }],
  });
  assert.deepEqual(await codes(client, uri), ['cr/unknown-field']);
  const file = at('workspace/.kube-crd/things.example.com/box.yaml');
  assert.match(readFileSync(file, 'utf8'), /size/);
  assert.ok(!existsSync(at('workspace/.kube-crd/things.example.com/lid.yaml')));

  await execute(client, 'kube-crd.update', [null, uri]);
  assert.equal((await said(client)).message, 'None of the fetched CRDs has changed.');
  serves(crdText('Box', 'sise: {type: integer}'));
  await execute(client, 'kube-crd.update', [null, uri]);
  assert.deepEqual(asked.at(-1), {
    method: 'message',
    title: 'A CRD has changed: Box.',
    rows: ['Update', 'Show changes'],
  });
  assert.equal((await said(client)).message, '1 of 1 CRD updated.');
  assert.deepEqual(await codes(client, uri), []);
});

test('changes are shown as a document, and nothing is taken in unasked', { skip }, async (t) => {
  let left = 1;
  const choices: Choices = {
    'Keep the': 'On this machine',
    '2 CRDs have': () => (left-- > 0 ? 'Show changes' : undefined),
  };
  const { client, uri, serves, shown } = await place(t, choices);
  await execute(client, 'kube-crd.fetch', [{ from: 'cluster', context: 'one' }, uri]);
  await said(client);
  serves(crdText('Box', 'sise: {type: integer}'));
  await execute(client, 'kube-crd.update');
  assert.match(shown[0] ?? '', /^kube-crd:\/.*\/changes-of-crds\.diff\?/);
  const text = await client.request<string>('kubeCrd/shown', { uri: shown[0] });
  assert.equal(
    text,
    [
      '# things.example.com/Box, cluster one',
      '+ v1 spec.sise',
      '- v1 spec.size',
      '',
      '# things.example.com/Lid, cluster one',
      '- the source does not have it any more; it is left as it is',
      '',
    ].join('\n'),
  );
  assert.deepEqual(await codes(client, uri), ['cr/unknown-field']);
});

test('an editor without such questions asks with messages', { skip }, async (t) => {
  const choices = {
    'Fetch CRDs from': 'A cluster…',
    'Fetch the CRDs of which cluster?': 'one',
    'Keep the CRDs': 'On this machine',
  };
  const { client, uri, asked } = await place(t, choices, { picks: false });
  await execute(client, 'kube-crd.fetch');
  assert.ok(asked.every(({ method }) => method === 'message'));
  assert.ok(asked[1]?.title.includes(`one: kubectl ${get('one')}`), asked[1]?.title);
  await said(client);
  assert.deepEqual(await codes(client, uri), ['cr/unknown-field']);
});

test('in a workspace without trust nothing is offered and nothing runs', { skip }, async (t) => {
  const { client, uri, called } = await place(t, { 'Keep the': 'On this machine' }, { trusted: false });
  assert.deepEqual(await fixes(client, uri), []);
  for (const command of ['kube-crd.fetch', 'kube-crd.update']) {
    await execute(client, command, [{ from: 'cluster', context: 'one' }, uri]);
    assert.deepEqual(await said(client), { type: 1, message: 'CRDs are fetched only in a workspace that you trust.' });
  }
  assert.deepEqual(called(), []);
});

test('what cannot be fetched is not offered, or said', { skip }, async (t) => {
  const { client, uri } = await place(t, { 'Keep the': 'On this machine' }, { without: 'kubectl' });
  assert.deepEqual(await fixes(client, uri), []);
  const failure = async (source: unknown, command = 'kube-crd.fetch') => {
    await execute(client, command, [source, uri]);
    return (await said(client)).message;
  };
  assert.equal(await failure({ from: 'cluster' }), 'No CRDs were fetched: kubectl was not found in PATH.');
  assert.match(
    await failure({ from: 'url', url: 'http://a/b' }),
    /^No CRDs were fetched: http:\/\/a\/b is not fetched/,
  );
  assert.equal(await failure(null, 'kube-crd.update'), 'No CRDs were fetched: nothing was fetched before.');
});

const release = `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: stable}
spec: {url: https://charts.example.com}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: a}
spec: {chart: {spec: {chart: things, version: 1.2.3, sourceRef: {kind: HelmRepository, name: stable}}}}
`;

test('fixes name the chart that the workspace names, and the catalogues of the settings', { skip }, async (t) => {
  const settings = { crds: ['https://example.com/catalogue'] };
  const { client, uri, asked } = await place(t, {}, { settings, files: { 'release.yaml': release } });
  const chart = { from: 'chart', chart: 'things', repository: 'https://charts.example.com', version: '1.2.3' };
  assert.deepEqual(
    (await fixes(client, uri)).map(({ title, arguments: args }) => [title, args[0]]),
    [
      ['Fetch things 1.2.3 of https://charts.example.com', chart],
      ['Fetch https://example.com/catalogue', { from: 'catalogue', url: 'https://example.com/catalogue' }],
      ['Fetch from a cluster…', { from: 'cluster' }],
    ],
  );
  await execute(client, 'kube-crd.fetch', [null, uri]);
  assert.deepEqual(asked[0]?.rows, [
    'A cluster…',
    'things 1.2.3 of https://charts.example.com',
    'https://example.com/catalogue',
    'https://raw.githubusercontent.com/datreeio/CRDs-catalog/main',
    'A file…',
    'A catalogue…',
  ]);
});

test('what a lock file of the workspace names is shown before it is asked', { skip }, async (t) => {
  const row = '{kind: "things.example.com/Box", from: cluster, context: production, sha256: "SHA"}';
  const lock = `crds:\n  - ${row.replace('SHA', 'a'.repeat(64))}\n`;
  const { client, uri, asked, called } = await place(t, {}, { files: { 'kube-crd.lock': lock } });
  await execute(client, 'kube-crd.update', [null, uri]);
  assert.deepEqual(
    asked.map(({ title }) => title),
    ['Ask again what kube-crd.lock names: cluster production?'],
  );
  assert.deepEqual(called(), []);
});

test('all that is missing is fetched from what the user chooses, and nobody is asked before', { skip }, async (t) => {
  const lid = 'apiVersion: things.example.com/v1\nkind: Lid\nmetadata: {name: a}\nspec: {sise: 1}\n';
  const { client, uri, asked, called } = await place(
    t,
    {
      'Fetch the CRDs of which cluster?': 'one',
      'Fetch the CRDs of': 'A cluster…',
      'Keep the CRDs of cluster one': 'On this machine',
    },
    { files: { 'lid.yaml': lid, 'bag.yaml': lid.replace('Lid', 'Bag') } },
  );
  await codes(client, uri);
  assert.deepEqual(called(), []);
  await execute(client, 'kube-crd.fetch', [{ from: 'missing' }, uri]);
  const [{ title, rows } = assert.fail('nothing was asked')] = asked;
  assert.equal(title, 'Fetch the CRDs of things.example.com/Bag, things.example.com/Box, things.example.com/Lid from');
  assert.deepEqual(rows, ['A cluster…', 'The public catalogue']);
  assert.deepEqual(called(), ['config get-contexts -o name', get('one')]);
  const { message } = await said(client);
  assert.equal(message, '2 CRDs fetched. 1 kind still without: things.example.com/Bag.');
  assert.deepEqual(await codes(client, uri), ['cr/unknown-field']);
});

test('what is missing is told to the client, which offers to fetch it', { skip }, async (t) => {
  const { client } = await place(t, {});
  const { missing } = await client.next<{ missing: number }>(
    'kubeCrd/status',
    (status) => 'missing' in status && Number(status.missing) > 0,
  );
  assert.equal(missing, 1);
});
