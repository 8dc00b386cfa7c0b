import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startClient } from './client.ts';

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Box, plural: boxes}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`;

test('naming CRDs in the settings of one folder brings their kinds in', async () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-settings-'));
  mkdirSync(path.join(home, 'workspace'));
  mkdirSync(path.join(home, 'crds'));
  writeFileSync(path.join(home, 'crds/box.yaml'), crd);
  const folder = pathToFileURL(path.join(home, 'workspace')).href;
  let crds: string[] = [];
  const client = startClient(['server', '--stdio'], {
    'workspace/configuration': ({ items }: { items: { scopeUri?: string }[] }) =>
      items.map(({ scopeUri }) => (scopeUri === undefined ? {} : { crds })),
  });
  await client.request('initialize', {
    processId: null,
    rootUri: folder,
    workspaceFolders: [{ uri: folder, name: 'workspace' }],
    capabilities: { workspace: { configuration: true } },
  });
  client.notify('initialized', {});
  const text = 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nsise: 3\n';
  const uri = `${folder}/box.yaml`;
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  const codes = (wanted: string) =>
    client.next<{ diagnostics: { code: string }[] }>(
      'textDocument/publishDiagnostics',
      ({ diagnostics }) => diagnostics.map(({ code }) => code).join() === wanted,
    );
  await codes('cr/unknown-kind');
  crds = [path.join(home, 'crds')];
  client.notify('workspace/didChangeConfiguration', { settings: {} });
  await codes('cr/unknown-field');
  assert.equal(await client.end(), 0);
  rmSync(home, { recursive: true });
});

test('.kube-crd.yaml of a folder holds for its files at once when it is written', async () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-settings-'));
  writeFileSync(path.join(home, 'crd.yaml'), crd);
  writeFileSync(path.join(home, '.kube-crd.yaml'), 'rules: {cr/unknown-field: hint}\nhovr: true\n');
  const folder = pathToFileURL(home).href;
  const client = startClient(['server', '--stdio']);
  await client.request('initialize', {
    processId: null,
    rootUri: folder,
    workspaceFolders: [{ uri: folder, name: 'workspace' }],
    capabilities: {},
  });
  client.notify('initialized', {});
  const text = 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nsise: 3\n';
  const uri = `${folder}/box.yaml`;
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  const severity = (wanted: number) =>
    client.next<{ diagnostics: { code: string; severity: number }[] }>(
      'textDocument/publishDiagnostics',
      ({ diagnostics }) =>
        diagnostics.map((one) => `${one.code} ${one.severity}`).join() === `cr/unknown-field ${wanted}`,
    );
  await severity(4);
  writeFileSync(path.join(home, '.kube-crd.yaml'), 'rules: {cr/unknown-field: warning}\n');
  const changes = [{ uri: `${folder}/.kube-crd.yaml`, type: 2 }];
  client.notify('workspace/didChangeWatchedFiles', { changes });
  await severity(2);
  assert.equal(await client.end(), 0);
  rmSync(home, { recursive: true });
});

test('a path in .kube-crd.yaml that leads nowhere is a problem at its place, until it leads somewhere', async () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-settings-'));
  const text = 'crds:\n  - crd.yaml\n  - elsewhere/*.yaml\n';
  writeFileSync(path.join(home, 'crd.yaml'), crd);
  writeFileSync(path.join(home, '.kube-crd.yaml'), text);
  const folder = pathToFileURL(home).href;
  const client = startClient(['server', '--stdio']);
  await client.request('initialize', {
    processId: null,
    rootUri: folder,
    workspaceFolders: [{ uri: folder, name: 'workspace' }],
    capabilities: {},
  });
  client.notify('initialized', {});
  const uri = `${folder}/.kube-crd.yaml`;
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  interface Sent {
    readonly uri: string;
    readonly diagnostics: readonly { readonly message: string; readonly range: { readonly start: object } }[];
  }
  const sent = (fits: (one: Sent) => boolean) =>
    client.next<Sent>('textDocument/publishDiagnostics', (one) => one.uri === uri && fits(one));
  const { diagnostics } = await sent((one) => one.diagnostics.length > 0);
  assert.deepEqual(
    diagnostics.map(({ message, range }) => [message, range.start]),
    [['There is no file with CRDs at `elsewhere/*.yaml`.', { line: 2, character: 4 }]],
  );
  mkdirSync(path.join(home, 'elsewhere'));
  writeFileSync(path.join(home, 'elsewhere/more.yaml'), crd);
  client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
  await sent((one) => one.diagnostics.length === 0);
  assert.equal(await client.end(), 0);
  rmSync(home, { recursive: true });
});
