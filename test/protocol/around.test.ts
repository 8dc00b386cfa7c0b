import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { crdText } from '../support/crdTexts.ts';
import { type Client, startClient } from './client.ts';

// Files that are opened without a folder: the repository around them counts, as for `check FILE`.

const files: Readonly<Record<string, string>> = {
  'base/crd.yaml': crdText('Thing', 'size: {type: integer}'),
  'base/kustomization.yaml': 'resources: [crd.yaml, thing.yaml]\n',
  'base/thing.yaml': 'apiVersion: things.example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {}\n',
  'prod/kustomization.yaml': 'resources: [../base]\npatches: [{path: patch.yaml}]\n',
  'prod/patch.yaml': 'apiVersion: things.example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec:\n  size: many\n',
};

interface Report {
  readonly uri: string;
  readonly diagnostics: readonly {
    readonly code: string;
    readonly range: { readonly start: { readonly line: number } };
  }[];
}

interface Alone {
  readonly client: Client;
  /** Opens a file, and waits until this is what is found in it. */
  finds(name: string, wanted: readonly (readonly [code: string, line: number])[]): Promise<void>;
  readonly folder: string;
}

async function opened(use: (alone: Alone) => Promise<void>, { trusted = true, mark = '.git' } = {}): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-around-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  if (mark === '.git') mkdirSync(path.join(folder, mark));
  else if (mark !== '') writeFileSync(path.join(folder, mark), '');
  const client = startClient();
  await client.request('initialize', {
    ...{ processId: null, rootUri: null, workspaceFolders: null },
    capabilities: { workspace: { workspaceFolders: true } },
    initializationOptions: { files: true, trusted },
  });
  client.notify('initialized', {});
  const finds: Alone['finds'] = async (name, wanted) => {
    const uri = pathToFileURL(path.join(folder, name)).href;
    const document = { uri, languageId: 'yaml', version: 1, text: files[name]! };
    client.notify('textDocument/didClose', { textDocument: { uri } });
    client.forget('textDocument/publishDiagnostics');
    client.notify('textDocument/didOpen', { textDocument: document });
    const isFound = ({ code, range }: Report['diagnostics'][number], i: number) =>
      code === wanted[i]![0] && range.start.line === wanted[i]![1];
    await client.next<Report>('textDocument/publishDiagnostics', (report) => {
      return report.uri === uri && report.diagnostics.length === wanted.length && report.diagnostics.every(isFound);
    });
  };
  try {
    await use({ client, finds, folder });
  } finally {
    assert.equal(await client.end(), 0);
    rmSync(folder, { recursive: true });
  }
}

const saysAlone = ({ notes }: { notes: readonly string[] }) => notes.some((note) => note.includes('judged by itself'));

test('what the repository around builds is known', () =>
  opened(async ({ finds }) => {
    await finds('prod/patch.yaml', [['cr/type', 4]]);
  }));

test('so is what a folder with settings does', () =>
  opened(({ finds }) => finds('prod/patch.yaml', [['cr/type', 4]]), {
    mark: '.kube-crd.yaml',
  }));

test('without a repository the status says what is not looked for', () =>
  opened(
    async ({ client, finds }) => {
      await finds('prod/patch.yaml', [['cr/unknown-kind', 1]]);
      await client.next('kubeCrd/status', saysAlone);
    },
    { mark: '' },
  ));

test('without trust nothing around is read until it is given', () =>
  opened(
    async ({ client, finds }) => {
      await finds('prod/patch.yaml', [['cr/unknown-kind', 1]]);
      await client.next('kubeCrd/status', saysAlone);
      client.notify('kubeCrd/trusted');
      await client.next<{ notes: readonly string[] }>('kubeCrd/status', (status) => !saysAlone(status));
      await finds('prod/patch.yaml', [['cr/type', 4]]);
    },
    { trusted: false },
  ));

test('the repository is left when a folder is opened', () =>
  opened(async ({ client, finds, folder }) => {
    await finds('prod/patch.yaml', [['cr/type', 4]]);
    const added = [{ uri: pathToFileURL(path.join(folder, 'prod')).href, name: 'prod' }];
    client.notify('workspace/didChangeWorkspaceFolders', { event: { added, removed: [] } });
    await finds('base/thing.yaml', [['cr/unknown-kind', 1]]);
  }));
