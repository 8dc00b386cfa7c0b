import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { crdText } from '../support/crdTexts.ts';
import { type Client, modernDocument, type Replies, startClient } from './client.ts';

// The commands that ask a cluster, with a stand-in for kubectl: what a real one answers is asked in test/cluster. Here it is
// about who is asked what, that nothing runs before, and the way back.

const skip = process.platform === 'win32' && 'the stand-in for kubectl is a script';

/** Answers as kubectl does, from files beside it, and notes how it was called. It waits at a page while `slow` is there. */
const kubectl = `#!${process.execPath}
const fs = require('node:fs');
const at = (name) => require('node:path').join(__dirname, name);
const args = process.argv.slice(2);
fs.appendFileSync(at('asked'), args.join(' ') + '\\n');
const print = (value) => process.stdout.write(typeof value === 'string' ? value : JSON.stringify(value));
const read = (name) => JSON.parse(fs.readFileSync(at(name), 'utf8'));
if (args[0] === 'config') print('one\\ntwo\\n');
else if (args[0] === 'version') print({ serverVersion: { gitVersion: 'v1.33.9' } });
else if (args[1] === 'crd') print({ kind: 'List', items: read('crds.json') });
else if (fs.existsSync(at('slow'))) setTimeout(() => {}, 60_000);
else print({ items: read('objects.json') });
`;

const there = crdText('Box', 'size: {type: integer}, old: {type: string}');
const here = crdText('Box', 'size: {type: integer, maximum: 3}');
const box = 'apiVersion: things.example.com/v1\nkind: Box\nmetadata: {name: a}\nspec: {old: x, size: 9}\n';
const objects = [4711, 2].map((size, i) => ({
  apiVersion: 'things.example.com/v1',
  kind: 'Box',
  metadata: { name: `box-${i}`, namespace: 'team' },
  spec: { size, ...(i === 1 && { old: 'hunter2' }) },
}));

interface Options {
  readonly trusted?: boolean;
  readonly shown?: boolean;
  readonly choices?: Readonly<Record<string, string>>;
}

async function place(t: TestContext, { trusted = true, shown = true, choices = {} }: Options = {}) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-clusters-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const at = (name: string) => path.join(home, name);
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  put('workspace/crds/box.yaml', here);
  put('workspace/box.yaml', box);
  put('workspace/more/lid.yaml', crdText('Lid', ''));
  put('bin/kubectl', kubectl);
  chmodSync(at('bin/kubectl'), 0o755);
  put('bin/crds.json', JSON.stringify([parse(there)]));
  put('bin/objects.json', JSON.stringify(objects));
  const asked: { readonly title: string; readonly rows: readonly { label: string; detail?: string }[] }[] = [];
  const tokens: unknown[] = [];
  const replies: Replies = {
    'window/workDoneProgress/create': ({ token }: { token: unknown }) => void tokens.push(token),
    'kubeCrd/pick': (one: (typeof asked)[number]) => {
      asked.push(one);
      const [, chosen] = Object.entries(choices).find(([start]) => one.title.startsWith(start)) ?? [];
      const row = one.rows.findIndex(({ label }) => label === chosen);
      return row === -1 ? null : row;
    },
  };
  const env = { ...process.env, PATH: at('bin'), KUBE_CRD_CACHE: at('cache') };
  const client = startClient(undefined, replies, env);
  await client.request('initialize', {
    processId: null,
    rootUri: null,
    capabilities: { textDocument: { ...modernDocument, diagnostic: {} }, window: { workDoneProgress: true } },
    workspaceFolders: [{ uri: pathToFileURL(at('workspace')).href, name: 'w' }],
    initializationOptions: { files: true, shown, picks: true, trusted, settings: {} },
  });
  client.notify('initialized', {});
  await client.next<{ state: string }>('kubeCrd/status', ({ state }) => state !== 'starting');
  t.after(async () => assert.equal(await client.end(), 0));
  const uriOf = (name: string) => pathToFileURL(at(`workspace/${name}`)).href;
  for (const [name, text] of Object.entries({ 'box.yaml': box, 'crds/box.yaml': here }))
    client.notify('textDocument/didOpen', {
      textDocument: { uri: uriOf(name), languageId: 'yaml', version: 1, text },
    });
  const called = () => (existsSync(at('bin/asked')) ? readFileSync(at('bin/asked'), 'utf8').trimEnd().split('\n') : []);
  return { client, uriOf, at, put, asked, called, tokens };
}

const execute = (client: Client, command: string, ...args: unknown[]) =>
  client.request<string | null>('workspace/executeCommand', { command: `kube-crd.${command}`, arguments: args });

async function messages(client: Client, uri: string) {
  const { items } = await client.request<{ items: { message: string }[] }>('textDocument/diagnostic', {
    textDocument: { uri },
  });
  return items.map(({ message }) => message).join('\n');
}

const said = (client: Client) => client.next<{ type: number; message: string }>('window/showMessage');

test('what the CRDs at hand do to a cluster is a page, made on the user’s command by reading alone', {
  skip,
}, async (t) => {
  const choices = { 'Compare which CRDs': 'All of this workspace', 'Compare boxes': 'two' };
  const { client, uriOf, asked, called } = await place(t, { choices });
  await messages(client, uriOf('box.yaml'));
  assert.deepEqual(called(), []);
  const address = await execute(client, 'compareWithCluster', uriOf('crds/box.yaml'));
  assert.match(address ?? '', /^kube-crd:\/.*\/two\.kube-crd-cluster\.md\?/);
  const page = await client.request<string>('kubeCrd/shown', { uri: address });
  assert.match(page, /^# What changes for cluster two\n/);
  assert.match(page, /\| Box \| 2 \| 0 \| \*\*1\*\*: team\/box-1 \|/);
  assert.match(page, /spec\.size: must be at most 3 \| 1 \| team\/box-0/);
  assert.match(page, /## lids\.things\.example\.com/);
  assert.doesNotMatch(page, /hunter2|4711/);
  assert.deepEqual(
    asked.map(({ rows }) => rows.map(({ label }) => label)),
    [
      ['Those of this file', 'All of this workspace'],
      ['one', 'two'],
    ],
  );
  assert.match(asked[1]!.rows[1]!.detail!, /kubectl version, get crd and get --raw .*--context=two; read-only/);
  assert.deepEqual(
    called().filter((line) => !/^(?:config get-contexts|(?:version|get) .*--context=two)/.test(line)),
    [],
  );
});

test('an editor that shows no such page gets its text', { skip }, async (t) => {
  const choices = { 'Compare which CRDs': 'Those of this file' };
  const { client, uriOf } = await place(t, { choices, shown: false });
  const page = await execute(client, 'compareWithCluster', uriOf('crds/box.yaml'), 'one');
  assert.match(page ?? '', /^# What changes for cluster one\n/);
  assert.doesNotMatch(page ?? '', /lids/);
});

test('a comparison that the user ends is over at once, and says nothing', { skip }, async (t) => {
  const choices = { 'Compare which CRDs': 'Those of this file' };
  const { client, uriOf, put, called, tokens } = await place(t, { choices });
  put('bin/slow', '');
  const began = Date.now();
  const page = execute(client, 'compareWithCluster', uriOf('crds/box.yaml'), 'one');
  while (!called().some((line) => line.includes('--raw'))) await new Promise((next) => setTimeout(next, 20));
  client.notify('window/workDoneProgress/cancel', { token: tokens.at(-1) });
  assert.equal(await page, null);
  assert.ok(Date.now() - began < 30_000);
  client.notify('kubeCrd/nothing', {});
  const failed = await Promise.race([said(client), new Promise((none) => setTimeout(none, 300))]);
  assert.equal(failed, undefined);
});

test('files are judged as a cluster would, until the user has had enough of it', { skip }, async (t) => {
  const { client, uriOf, at, put } = await place(t, { choices: { 'Judge as': 'two' } });
  const uri = uriOf('box.yaml');
  assert.match(await messages(client, uri), /unknown field "spec\.old"/);
  await execute(client, 'judgeAsCluster', uri);
  const status = await client.next<{ judgedAs?: { cluster: string; said: string }; kubernetes: string }>(
    'kubeCrd/status',
    ({ judgedAs }) => judgedAs !== undefined,
  );
  assert.equal(status.judgedAs!.cluster, 'two');
  assert.equal(status.kubernetes, '1.33');
  assert.match(status.judgedAs!.said, /runs Kubernetes v1\.33\.9\. Its 1 CRD counts .* feature gates cannot be asked/);
  assert.match((await said(client)).message, /^Files are judged as cluster two would\./);
  assert.equal(await messages(client, uri), '');

  // What is read anew, and other settings, leave it as it is.
  put('workspace/.kube-crd.yaml', 'kubernetesVersion: "1.36"\n');
  const changes = [{ uri: uriOf('.kube-crd.yaml'), type: 1 }];
  client.forget('kubeCrd/status');
  client.notify('workspace/didChangeWatchedFiles', { changes });
  const after = await client.next<{ kubernetes: string; state: string }>(
    'kubeCrd/status',
    ({ state }) => state !== 'starting',
  );
  assert.equal(after.kubernetes, '1.33');
  client.notify('workspace/didChangeConfiguration', { settings: { kubeCrd: { kubernetesVersion: '1.35' } } });
  assert.equal(await messages(client, uri), '');

  client.forget('kubeCrd/status');
  await execute(client, 'stopJudgingAsCluster');
  const back = await client.next<{ judgedAs?: object; kubernetes: string }>('kubeCrd/status');
  assert.deepEqual([back.judgedAs, back.kubernetes], [undefined, '1.36']);
  assert.match(await messages(client, uri), /unknown field "spec\.old"/);
  assert.ok(!existsSync(at('cache')));
});

test('in a workspace without trust no cluster is asked, and the command says so', { skip }, async (t) => {
  const { client, uriOf, called } = await place(t, { trusted: false });
  for (const command of ['compareWithCluster', 'judgeAsCluster']) {
    assert.equal(await execute(client, command, uriOf('crds/box.yaml'), 'one'), null);
    assert.deepEqual(await said(client), {
      type: 1,
      message: 'Clusters are asked only in a workspace that you trust, and this one is in Restricted Mode.',
    });
  }
  assert.deepEqual(called(), []);
});

test('what goes wrong is said, and nothing changes', { skip }, async (t) => {
  const { client, uriOf, put } = await place(t);
  const uri = uriOf('crds/box.yaml');
  // Whoever chooses nothing gets nothing.
  assert.equal(await execute(client, 'judgeAsCluster', uri), null);
  put('bin/crds.json', 'no JSON');
  await execute(client, 'judgeAsCluster', uri, 'one');
  assert.match((await said(client)).message, /^Files are judged as before: kubectl: /);
  put('bin/crds.json', '[]');
  await execute(client, 'compareWithCluster', uri, 'one');
  assert.match(await messages(client, uriOf('box.yaml')), /unknown field "spec\.old"/);
});
