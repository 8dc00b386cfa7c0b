import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type Client, modernDocument, startClient, startProgram } from './client.ts';

// The kinds that Kubernetes has built in, as the built server knows them: their file is read when one of them is met.

interface Item {
  readonly code: string;
  readonly message: string;
}

interface LogMessage {
  readonly message: string;
}

async function begin(client: Client, options: object = {}): Promise<void> {
  await client.request('initialize', {
    processId: null,
    rootUri: null,
    capabilities: { textDocument: { ...modernDocument, diagnostic: {} } },
    workspaceFolders: [],
    initializationOptions: options,
  });
  client.notify('initialized', {});
}

function open(client: Client, uri: string, text: string): void {
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
}

async function diagnostics(client: Client, uri: string): Promise<string[]> {
  const { items } = await client.request<{ items: Item[] }>('textDocument/diagnostic', { textDocument: { uri } });
  return items.map(({ code }) => code);
}

/** The same once something is found: what a server reads meanwhile may take longer than it lets a client wait. */
async function found(client: Client, uri: string): Promise<string[]> {
  for (let tries = 0; tries < 50; tries++) {
    const codes = await diagnostics(client, uri);
    if (codes.length > 0) return codes;
    await setTimeout(100);
  }
  return [];
}

const box = 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\n';
const deployment = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {replica: 1}\n';
const uri = (name: string) => `file:///nowhere/${name}.yaml`;

test('a Deployment is judged and explained', async () => {
  const client = startClient();
  await begin(client);
  open(client, uri('web'), deployment);
  assert.deepEqual(await found(client, uri('web')), ['builtin/unknown-field']);
  const at = { textDocument: { uri: uri('web') }, position: { line: 1, character: 8 } };
  const hover = await client.request<{ contents: { value: string } }>('textDocument/hover', at);
  assert.match(hover.contents.value, /declarative updates/);
  await client.end();
});

test('a file that is opened alone while the server starts keeps no other from being judged', async () => {
  const client = startClient();
  await begin(client);
  // Far down: the repository around it is looked for longer than a workspace without folders is read.
  open(client, uri(`${'folder/'.repeat(60)}box`), box);
  await client.next<LogMessage>('window/logMessage', ({ message }) => message.includes('judged by itself'));
  open(client, uri('web'), deployment);
  assert.deepEqual(await found(client, uri('web')), ['builtin/unknown-field']);
  await client.end();
});

test('where another extension looks after them, nothing is said, unless the settings want it', async () => {
  for (const [settings, expected] of [
    [{}, []],
    [{ builtinKinds: 'on' }, ['builtin/unknown-field']],
  ] as const) {
    const client = startClient();
    await begin(client, { builtinElsewhere: true, settings });
    open(client, uri('web'), deployment);
    const codes = expected.length === 0 ? diagnostics : found;
    assert.deepEqual(await codes(client, uri('web')), expected);
    await client.end();
  }
});

test('their file is read when one of them is met and not before, and a server without it says so and goes on', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-builtin-'));
  for (const script of readdirSync('dist/server').filter((name) => name.endsWith('.cjs')))
    copyFileSync(`dist/server/${script}`, path.join(folder, script));
  const client = startProgram(process.execPath, [path.join(folder, 'main.cjs'), 'server', '--stdio'], {});
  await begin(client);
  const isAbout = ({ message }: LogMessage) => message.includes('built-in kinds');
  let isSaid = false;
  const said = client.next<LogMessage>('window/logMessage', isAbout).then(({ message }) => {
    isSaid = true;
    return message;
  });
  open(client, uri('box'), box);
  await diagnostics(client, uri('box'));
  assert.equal(isSaid, false);
  open(client, uri('web'), deployment);
  assert.match(await said, /reading the built-in kinds: .* cannot be read/);
  assert.deepEqual(await diagnostics(client, uri('web')), []);
  await client.end();
  rmSync(folder, { recursive: true });
});
