import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costlyCrd } from '../support/costlyCrd.ts';
import { startClient } from './client.ts';

// "New case that breaks this rule", where that takes long: the server answers keys meanwhile, and ends a search that nobody
// waits for any more.

const uri = 'file:///crd.yaml';
const line = costlyCrd.split('\n').findIndex((text) => text.includes('- {rule:'));
const position = { line, character: costlyCrd.split('\n')[line]!.indexOf('self') };

async function started() {
  const client = startClient();
  const capabilities = { workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } } };
  await client.request('initialize', { processId: null, rootUri: null, capabilities });
  client.notify('initialized', {});
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text: costlyCrd } });
  const answered: string[] = [];
  const ask = (name: string, method: string, params: object) =>
    client.request(method, params).then(
      () => void answered.push(name),
      (error: Error) => void answered.push(`${name}: ${error.message}`),
    );
  const search = (name: string) =>
    ask(name, 'workspace/executeCommand', { command: 'kube-crd.newTest', arguments: [uri, position] });
  const key = async (i: number) => {
    const end = { line: costlyCrd.split('\n').length - 1, character: 0 };
    const range = { start: end, end };
    client.notify('textDocument/didChange', {
      textDocument: { uri, version: 1 + i },
      contentChanges: [{ range, text: '#' }],
    });
    await ask(`key ${i}`, 'textDocument/hover', { textDocument: { uri }, position });
  };
  return { client, answered, search, key };
}

test('keys are answered while an object that breaks a rule is looked for', async () => {
  const { client, answered, search, key } = await started();
  const searched = search('search');
  for (let i = 1; i <= 5; i++) await key(i);
  await searched;
  assert.deepEqual(answered, ['key 1', 'key 2', 'key 3', 'key 4', 'key 5', 'search']);
  const { message } = await client.next<{ message: string }>('window/showMessage');
  assert.match(message, /No object was found that breaks this rule .* judging \d+ objects took too much/);
  await client.end();
});

test('the next search ends the one before, and so does whoever asked for it', async () => {
  const { client, answered, search, key } = await started();
  const first = search('first');
  await key(1);
  const second = search('second');
  await first;
  // The requests of this client are numbered.
  client.notify('$/cancelRequest', { id: 4 });
  await second;
  await key(2);
  assert.deepEqual(answered, [
    'key 1',
    'first: workspace/executeCommand: -32800 cancelled',
    'second: workspace/executeCommand: -32800 cancelled',
    'key 2',
  ]);
  await client.end();
});

test('keys are answered while cases are run, and a run that nobody waits for ends', async () => {
  const { client, answered, key } = await started();
  const tests = 'file:///a.crdtest.yaml';
  const base = '{apiVersion: example.com/v1, kind: Box, metadata: {name: a, namespace: b}}';
  const text = `crd: {kind: Box}\nbases: {a: ${base}}\ncases: [${Array.from({ length: 40 }, (_, i) => `{name: c${i}, create: {}}`).join(', ')}]\n`;
  client.notify('textDocument/didOpen', { textDocument: { uri: tests, languageId: 'yaml', version: 1, text } });
  const run = (name: string) =>
    client.request<unknown[]>('kubeCrd/runTests', { uri: tests }).then(
      (all) => void answered.push(`${name}: ${all.length}`),
      () => void answered.push(`${name}: cancelled`),
    );
  const first = run('first');
  await key(1);
  await first;
  const second = run('second');
  client.notify('$/cancelRequest', { id: 4 });
  await second;
  assert.deepEqual(answered, ['key 1', 'first: 40', 'second: cancelled']);
  await client.end();
});
