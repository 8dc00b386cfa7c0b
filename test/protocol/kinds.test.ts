import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Client, modernDocument, startClient } from './client.ts';

// Where the CRDs of kinds come from that the workspace only uses.

interface Diagnostic {
  readonly code: string;
  readonly severity: number;
  readonly message: string;
}

interface Action {
  readonly title: string;
  readonly command?: { readonly command: string; readonly arguments: readonly string[] };
}

interface KnownKind {
  readonly kind: string;
  readonly source: string;
  readonly resources: number;
  readonly line: number;
}

interface Options {
  readonly trusted?: boolean;
  readonly settings?: object;
}

async function withServer(
  files: Readonly<Record<string, string | Uint8Array>>,
  { trusted = true, settings = {} }: Options,
  body: (client: Client, uri: (name: string) => string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-kinds-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const client = startClient();
  await client.request('initialize', {
    processId: null,
    rootUri: null,
    capabilities: { textDocument: { ...modernDocument, diagnostic: {} } },
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'w' }],
    initializationOptions: { files: true, trusted, crdCommands: true, settings },
  });
  client.notify('initialized', {});
  await client.next<{ state: string }>('kubeCrd/status', ({ state }) => state !== 'starting');
  try {
    await body(client, (name) => pathToFileURL(path.join(folder, name)).href);
  } finally {
    assert.equal(await client.end(), 0);
    rmSync(folder, { recursive: true, force: true });
  }
}

function open(client: Client, uri: string, text: string): void {
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
}

async function pull(client: Client, uri: string): Promise<readonly Diagnostic[]> {
  const report = await client.request<{ items: Diagnostic[] }>('textDocument/diagnostic', { textDocument: { uri } });
  return report.items;
}

const box = 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nspec: {sise: 3}\n';
const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Box, plural: boxes}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
`;

test('a kind that nothing defines is said not to be judged, with what can be done', () =>
  withServer({ 'box.yaml': box }, {}, async (client, uri) => {
    open(client, uri('box.yaml'), box);
    const diagnostics = await pull(client, uri('box.yaml'));
    assert.deepEqual(
      diagnostics.map(({ code, severity, message }) => ({ code, severity, message })),
      [
        {
          code: 'cr/unknown-kind',
          severity: 3,
          message: 'No CRD for Box (example.com/v1) is known, so it is not judged.',
        },
      ],
    );
    const actions = await client.request<Action[]>('textDocument/codeAction', {
      textDocument: { uri: uri('box.yaml') },
      range: { start: { line: 1, character: 6 }, end: { line: 1, character: 9 } },
      context: { diagnostics, only: ['quickfix'] },
    });
    assert.deepEqual(
      actions
        .filter(({ command }) => command)
        .map(({ title, command }) => [title, command!.command, command!.arguments]),
      [
        ['Name a file or folder with its CRD…', 'kubeCrd.nameCrds', [uri('box.yaml')]],
        ['Do not report `Box` of example.com', 'kubeCrd.addKnownKind', ['example.com/Box', uri('box.yaml')]],
        ['Do not report any kind of example.com', 'kubeCrd.addKnownKind', ['example.com/*', uri('box.yaml')]],
      ],
    );
    const settings = { kubeCrd: { knownKinds: ['example.com/*'] } };
    client.notify('workspace/didChangeConfiguration', { settings });
    assert.deepEqual(await pull(client, uri('box.yaml')), []);
  }));

test('a CRD that comes into the workspace ends that', () =>
  withServer({ 'box.yaml': box }, {}, async (client, uri) => {
    open(client, uri('box.yaml'), box);
    assert.deepEqual(
      (await pull(client, uri('box.yaml'))).map(({ code }) => code),
      ['cr/unknown-kind'],
    );
    open(client, uri('crd.yaml'), crd);
    assert.deepEqual(
      (await pull(client, uri('box.yaml'))).map(({ code }) => code),
      ['cr/unknown-field'],
    );
    client.notify('textDocument/didClose', { textDocument: { uri: uri('crd.yaml') } });
    assert.deepEqual(
      (await pull(client, uri('box.yaml'))).map(({ code }) => code),
      ['cr/unknown-kind'],
    );
  }));

test('the known kinds are listed with where they come from and how many resources there are', () =>
  withServer({ 'crds/box.yaml': crd, 'box.yaml': box, 'more.yaml': `${box}---\n${box}` }, {}, async (client) => {
    const kinds = await client.request<KnownKind[]>('kubeCrd/knownKinds');
    assert.deepEqual(
      kinds.map(({ kind, source, resources, line }) => ({ kind, source, resources, line })),
      [{ kind: 'Box', source: 'crds/box.yaml', resources: 3, line: 6 }],
    );
  }));
