import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { crdText } from '../support/crdTexts.ts';
import { startClient } from './client.ts';

// A resource that is in no kustomization is judged by its CRD as a kustomization patches it, while that is written.

const patching = (most: number) => `resources: [crd.yaml]
patches:
  - target: {kind: CustomResourceDefinition}
    patch: |-
      - op: add
        path: /spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/maximum
        value: ${most}
`;
const thing = 'apiVersion: things.example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec:\n  size: 7\n';
const files: Readonly<Record<string, string>> = {
  'crds/crd.yaml': crdText('Thing', 'size: {type: integer}'),
  'crds/kustomization.yaml': patching(5),
  'thing.yaml': thing,
  'shop/kustomization.yaml': 'helmCharts:\n  - name: web\n    releaseName: shop\n    valuesInline:\n      size: 7\n',
  'shop/charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'shop/charts/web/values.yaml': 'size: 1\n',
  'shop/charts/web/templates/thing.yaml':
    'apiVersion: things.example.com/v1\nkind: Thing\nmetadata: {name: {{ .Release.Name }}}\nspec: {size: {{ .Values.size }}}\n',
};

interface Report {
  readonly items: readonly { readonly code: string; readonly range: { readonly start: { readonly line: number } } }[];
}

test('a resource is judged by its CRD as it is patched while the patch is written', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-patched-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const uriOf = (name: string) => pathToFileURL(path.join(folder, name)).href;
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
  const open = (name: string) =>
    client.notify('textDocument/didOpen', {
      textDocument: { uri: uriOf(name), languageId: 'yaml', version: 1, text: files[name]! },
    });
  let version = 1;
  const change = (name: string, text: string) =>
    client.notify('textDocument/didChange', {
      textDocument: { uri: uriOf(name), version: ++version },
      contentChanges: [{ text }],
    });
  const found = async (name = 'thing.yaml') => {
    const asked = { textDocument: { uri: uriOf(name) } };
    const { items } = await client.request<Report>('textDocument/diagnostic', asked);
    return items.map(({ code, range }) => [code, range.start.line]);
  };
  try {
    open('thing.yaml');
    assert.deepEqual(await found(), [['cr/maximum', 4]]);
    change('thing.yaml', thing.replace('7', '3'));
    assert.deepEqual(await found(), []);
    open('crds/kustomization.yaml');
    change('crds/kustomization.yaml', patching(2));
    assert.deepEqual(await found(), [['cr/maximum', 4]]);
    change('crds/kustomization.yaml', patching(4));
    assert.deepEqual(await found(), []);
    // What a chart comes to in another kustomization as well.
    open('shop/kustomization.yaml');
    assert.deepEqual(await found('shop/kustomization.yaml'), [['cr/maximum', 4]]);
    writeFileSync(path.join(folder, 'crds/kustomization.yaml'), patching(9));
    change('crds/kustomization.yaml', patching(9));
    client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uriOf('crds/kustomization.yaml'), type: 2 }] });
    assert.deepEqual(await found('shop/kustomization.yaml'), []);
    change('shop/kustomization.yaml', files['shop/kustomization.yaml']!.replace('7', '70'));
    assert.deepEqual(await found('shop/kustomization.yaml'), [['cr/maximum', 4]]);
  } finally {
    assert.equal(await client.end(), 0);
    rmSync(folder, { recursive: true });
  }
});
