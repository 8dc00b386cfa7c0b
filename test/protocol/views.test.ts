import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  asVersionRequest,
  costsRequest,
  type KindRef,
  kindAtRequest,
  otherVersionsRequest,
  type PlaygroundLink,
  playgroundLinkRequest,
  playgroundRequest,
  type ResourceOfKind,
  resourcesRequest,
  type SchemaRow,
  schemaRequest,
  scratchRequest,
  showValuesRequest,
  type Tried,
  tryHere,
  tryRequest,
  type VersionCost,
} from '../../server/src/lsp/protocol.ts';
import { playOf } from '../../server/src/share/link.ts';
import { startClient } from './client.ts';

// What views ask, with raw requests.

const crd = readFileSync('examples/crds/databases.yaml', 'utf8');
const database = readFileSync('examples/database.yaml', 'utf8');
const line = crd.split('\n').findIndex((row) => row.includes('self.replicas <= self.maxReplicas'));
const position = { line, character: 30 };

async function session(tries: boolean) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-views-'));
  mkdirSync(path.join(home, 'crds'));
  writeFileSync(path.join(home, 'crds/databases.yaml'), crd);
  writeFileSync(path.join(home, 'database.yaml'), database);
  const folder = pathToFileURL(home).href;
  const client = startClient(['server', '--stdio']);
  await client.request('initialize', {
    processId: null,
    rootUri: folder,
    workspaceFolders: [{ uri: folder, name: 'w' }],
    capabilities: { textDocument: { codeAction: { codeActionLiteralSupport: {} } } },
    initializationOptions: { trusted: true, tries },
  });
  client.notify('initialized', {});
  const uri = `${folder}/crds/databases.yaml`;
  const open = (at: string, text: string) =>
    client.notify('textDocument/didOpen', { textDocument: { uri: at, languageId: 'yaml', version: 1, text } });
  open(uri, crd);
  const end = async () => {
    assert.equal(await client.end(), 0);
    rmSync(home, { recursive: true });
  };
  return { client, folder, uri, open, end };
}

test('a rule is tried on files that are not open, and its values are hints until they are no longer wanted', async () => {
  const { client, folder, uri, end } = await session(true);
  const tried = await client.request<Tried>(tryRequest, { uri, position });
  assert.deepEqual(
    tried.objects.map(({ name, file, outcome }) => `${name} in ${file}: ${outcome}`),
    ['shop/orders in database.yaml: true'],
  );
  // Elsewhere in the file the rule that is named counts.
  const elsewhere = await client.request<Tried | null>(tryRequest, { uri, position: { line: 0, character: 0 } });
  assert.equal(elsewhere, null);
  const start = { line: 0, character: 0 };
  const again = await client.request<Tried>(tryRequest, { uri, position: start, rule: tried.rule });
  assert.equal(again.expression, tried.expression);

  const [resource] = await client.request<ResourceOfKind[]>(resourcesRequest, { uri });
  assert.equal(`${resource!.kind} ${resource!.name}`, 'Database orders');
  const range = { start, end: { line: 1000, character: 0 } };
  const hints = () => client.request<{ label: string }[]>('textDocument/inlayHint', { textDocument: { uri }, range });
  assert.deepEqual(await hints(), []);
  await client.request(showValuesRequest, { uri, resource: { uri: resource!.uri, position: resource!.range.start } });
  assert.deepEqual(
    (await hints()).map(({ label }) => label),
    ['= 3 → true', '= 2'],
  );
  await client.request(showValuesRequest, { uri });
  assert.deepEqual(await hints(), []);
  await client.request(showValuesRequest, { uri, resource: { uri: `${folder}/gone.yaml`, position: start } });
  assert.deepEqual(await hints(), []);

  const scratch = await client.request<string>(scratchRequest, { uri, rule: tried.rule });
  assert.match(scratch, /^apiVersion: storage\.example\.com\/v1\nkind: Database\n/);
  await end();
});

test('a link to the playground holds the file and the CRD of its kind', async () => {
  const { client, folder, open, end } = await session(true);
  const uri = `${folder}/database.yaml`;
  open(uri, `${database}# typed\n`);
  const { address, names } = await client.request<PlaygroundLink>(playgroundLinkRequest, { uri });
  assert.deepEqual(names, ['database.yaml', 'crds/databases.storage.example.com.yaml']);
  const { kubernetes, files } = await playOf(address!.slice(address!.indexOf('#') + 1));
  assert.equal(kubernetes, '1.37');
  assert.equal(files[0]?.text, `${database}# typed\n`);
  assert.equal(files[1]?.text, `${crd.trim()}\n`);
  const unknown = await client.request<PlaygroundLink>(playgroundLinkRequest, { uri: `${folder}/x.yaml` });
  assert.deepEqual(unknown, { names: [], problem: 'x.yaml is not a file of manifests' });
  await end();
});

test('a rule has an action that leads to the view, in clients with that command', async () => {
  for (const tries of [true, false]) {
    const { client, uri, end } = await session(tries);
    const range = { start: position, end: position };
    const asked = { textDocument: { uri }, range, context: { diagnostics: [] } };
    const actions = await client.request<{ command?: { command: string } }[]>('textDocument/codeAction', asked);
    assert.equal(
      actions.some(({ command }) => command?.command === tryHere),
      tries,
    );
    await end();
  }
});

test('playgrounds, costs, schemas and versions are answered', async () => {
  const { client, folder, uri, open, end } = await session(true);
  const play = `${folder}/a.cel.yaml`;
  const text = await client.request<string>(playgroundRequest);
  open(play, text);
  const played = await client.request<Tried>(tryRequest, { uri: play, position: { line: 0, character: 0 } });
  assert.equal(`${played.title}: ${played.objects[0]!.outcome}`, 'CEL playground: true');

  const [version] = await client.request<VersionCost[]>(costsRequest, { uri });
  assert.deepEqual(
    version!.fields.map(({ field, range }) => `${field} ${crd.split('\n')[range.start.line]!.trim()}`),
    ['spec spec:', 'spec.engine engine:'],
  );
  const kind = await client.request<KindRef>(kindAtRequest, { uri, position });
  assert.equal(`${kind.group} ${kind.kind} ${kind.version}`, 'storage.example.com Database v1');
  const rows = await client.request<SchemaRow[]>(schemaRequest, { kind, names: ['spec', 'users'] });
  assert.deepEqual(
    rows.map((row) => row.path),
    ['spec.users[].name', 'spec.users[].role'],
  );
  const resource = `${folder}/database.yaml`;
  open(resource, database);
  const versions = await client.request(otherVersionsRequest, { uri: resource });
  // The resource is in the only one.
  assert.deepEqual(versions, []);
  assert.match(await client.request<string>(asVersionRequest, { uri: resource, version: 'v1' }), /Nothing is lost\./);
  await end();
});
