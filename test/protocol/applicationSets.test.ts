import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { crdText } from '../support/crdTexts.ts';
import { startClient } from './client.ts';

// A file of JSON that a git generator reads is followed: what it says counts in the chart that the set gives it to.

const files: Readonly<Record<string, string>> = {
  '.git/config': '',
  'crd.yaml': crdText('Thing', 'size: {type: integer}'),
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/values.yaml': 'size: 1\n',
  'chart/templates/thing.yaml':
    'apiVersion: things.example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec:\n  size: {{ .Values.size }}\n',
  'sizes/one.json': '[]',
  'set.yaml': `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: set, namespace: argocd}
spec:
  generators: [{git: {repoURL: "", files: [{path: sizes/*.json}]}}]
  template:
    metadata: {name: made}
    spec:
      project: default
      destination: {namespace: made}
      source: {repoURL: "", path: chart, helm: {valuesObject: {size: "{{size}}"}}}
`,
};

interface Registration {
  readonly registrations: readonly {
    readonly registerOptions?: { readonly watchers?: readonly { readonly globPattern: string }[] };
  }[];
}

interface Report {
  readonly items: readonly { readonly code: string; readonly message: string }[];
}

test('a file of a git generator is watched, and read again when it changes', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-set-'));
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) put(name, text);
  const uriOf = (name: string) => pathToFileURL(path.join(folder, name)).href;
  const watched: string[] = [];
  const client = startClient(undefined, {
    'client/registerCapability': ({ registrations }: Registration) => {
      for (const { registerOptions } of registrations)
        watched.push(...(registerOptions?.watchers ?? []).map(({ globPattern }) => globPattern));
      return null;
    },
  });
  const watching = { didChangeWatchedFiles: { dynamicRegistration: true } };
  await client.request('initialize', {
    processId: null,
    rootUri: null,
    capabilities: { textDocument: { diagnostic: {} }, workspace: watching },
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'w' }],
    initializationOptions: { trusted: true },
  });
  client.notify('initialized', {});
  const uri = uriOf('set.yaml');
  const text = files['set.yaml']!;
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  /** Asks until there are so many findings. */
  const untilFound = async (count: number) => {
    for (;;) {
      const asked = { textDocument: { uri } };
      const { items } = await client.request<Report>('textDocument/diagnostic', asked);
      const found = items.filter(({ code }) => code === 'cr/type').map(({ message }) => message);
      if (found.length === count) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  try {
    assert.deepEqual(await untilFound(0), []);
    while (!watched.includes('**/*.json')) await new Promise((resolve) => setTimeout(resolve, 20));
    put('sizes/one.json', '{"size": "many"}');
    const changes = [{ uri: uriOf('sizes/one.json'), type: 2 }];
    client.notify('workspace/didChangeWatchedFiles', { changes });
    assert.match((await untilFound(1))[0]!, /With the values of Application made/);
    put('sizes/one.json', '{"size": "few"}');
    client.notify('workspace/didChangeWatchedFiles', { changes });
    put('sizes/one.json', '[]');
    client.notify('workspace/didChangeWatchedFiles', { changes });
    assert.deepEqual(await untilFound(0), []);
  } finally {
    assert.equal(await client.end(), 0);
    rmSync(folder, { recursive: true });
  }
});
