import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fleetCrd } from '../support/fleetCrd.ts';
import { type Client, startClient } from './client.ts';

// What the API server says of a large file is there first, and advice follows; each client gets both.

const uri = 'file:///fleet.yaml';
/** A pattern of a number, which is advice; and what the server refuses. */
const text = fleetCrd(300_000)
  .replace(/^( *)type: integer$/m, '$1type: integer\n$1pattern: a')
  .replace('scope: Namespaced', 'scope: Everywhere');

interface Report {
  readonly items: readonly { readonly code: string }[];
}

async function started(capabilities: object): Promise<Client> {
  const client = startClient();
  await client.request('initialize', { processId: null, capabilities, workspaceFolders: null });
  client.notify('initialized', {});
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  return client;
}

const asked = (client: Client) => client.request<Report>('textDocument/diagnostic', { textDocument: { uri } });
const kindsOf = ({ items }: Report) =>
  ['crd/', 'lint/'].filter((family) => items.some(({ code }) => code.startsWith(family)));

test('a client that can be told to ask again gets advice in its second answer', async () => {
  const client = await started({
    textDocument: { diagnostic: {} },
    workspace: { diagnostics: { refreshSupport: true } },
  });
  const refreshed = client.askedFor('workspace/diagnostic/refresh');
  const first = await asked(client);
  await refreshed;
  const second = await asked(client);
  assert.deepEqual([kindsOf(first), kindsOf(second)], [['crd/'], ['crd/', 'lint/']]);
  await client.end();
});

test('a client that cannot gets all in the first', async () => {
  const client = await started({ textDocument: { diagnostic: {} } });
  assert.deepEqual(kindsOf(await asked(client)), ['crd/', 'lint/']);
  await client.end();
});

test('a key makes all of it due', async () => {
  const client = await started({
    textDocument: { diagnostic: {} },
    workspace: { diagnostics: { refreshSupport: true } },
  });
  const start = { line: 0, character: 0 };
  const contentChanges = [{ range: { start, end: start }, text: '\n' }];
  client.notify('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges });
  assert.deepEqual(kindsOf(await asked(client)), ['crd/', 'lint/']);
  await client.end();
});

test('a client that is sent diagnostics is sent both', async () => {
  const client = await started({ textDocument: { publishDiagnostics: {} } });
  await client.next<Report & { diagnostics: Report['items'] }>(
    'textDocument/publishDiagnostics',
    ({ diagnostics }) => kindsOf({ items: diagnostics }).join() === 'crd/',
  );
  await client.next<Report & { diagnostics: Report['items'] }>(
    'textDocument/publishDiagnostics',
    ({ diagnostics }) => kindsOf({ items: diagnostics }).join() === 'crd/,lint/',
  );
  await client.end();
});
