import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { crdText } from '../support/crdTexts.ts';
import { startClient } from './client.ts';

// What a Kustomization of Flux adds to a build is judged while it is written, in its own file.

const applying = (size: string, folder: string) => `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {interval: 5m, url: "https://example.com/acme/fleet"}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./${folder}
  sourceRef: {kind: GitRepository, name: fleet}
  patches:
    - patch: |-
        - {op: replace, path: /spec/size, value: ${size}}
      target: {kind: Thing}
`;
const files: Readonly<Record<string, string>> = {
  '.git/config': '[remote "origin"]\n\turl = https://example.com/acme/fleet.git\n',
  'crd.yaml': crdText('Thing', 'size: {type: integer}'),
  'apps/kustomization.yaml': 'resources: [thing.yaml]\n',
  'apps/thing.yaml': 'apiVersion: things.example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec:\n  size: 3\n',
  'clusters/apps.yaml': applying('many', 'apps'),
};

interface Report {
  readonly items: readonly { readonly code: string; readonly range: { readonly start: { readonly line: number } } }[];
}

test('findings of what a Kustomization of Flux builds follow its text', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-flux-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const uri = pathToFileURL(path.join(folder, 'clusters/apps.yaml')).href;
  const client = startClient();
  await client.request('initialize', {
    processId: null,
    rootUri: null,
    capabilities: { textDocument: { diagnostic: {} } },
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'w' }],
    initializationOptions: { files: true, trusted: true },
  });
  client.notify('initialized', {});
  await client.next<{ state: string }>('kubeCrd/status', ({ state }) => state !== 'starting');
  const text = files['clusters/apps.yaml']!;
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  let version = 1;
  const foundIn = async (now: string) => {
    client.notify('textDocument/didChange', {
      textDocument: { uri, version: ++version },
      contentChanges: [{ text: now }],
    });
    const { items } = await client.request<Report>('textDocument/diagnostic', { textDocument: { uri } });
    return items.filter(({ code }) => code !== 'cr/unknown-kind').map(({ code, range }) => [code, range.start.line]);
  };
  try {
    assert.deepEqual(await foundIn(`${text}# a\n`), [['cr/type', 13]]);
    assert.deepEqual(await foundIn(applying('4', 'apps')), []);
    assert.deepEqual(await foundIn(applying('4', 'gone')), [['flux/path-not-found', 9]]);
    assert.deepEqual(await foundIn(applying('many', 'apps')), [['cr/type', 13]]);
  } finally {
    assert.equal(await client.end(), 0);
    rmSync(folder, { recursive: true });
  }
});
