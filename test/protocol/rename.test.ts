import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { crdText } from '../support/crdTexts.ts';
import { type Client, startClient } from './client.ts';

// Renaming as clients ask for it, with and without what they may be able to do.

const fields = 'size: {type: integer}, color: {type: string}';
const rule = '"x-kubernetes-validations": [{rule: self.size > 1}]';
const crd = crdText('Thing', fields).replace('{type: object, properties', `{type: object, ${rule}, properties`);
const thing = 'apiVersion: things.example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec:\n  size: 3\n';
const kustomization = `kind: Kustomization
patches:
  - target: {kind: Thing}
    path: patch.yaml
`;
const patch = '- {op: replace, path: /spec/size, value: 4}\n';
const files: Readonly<Record<string, string>> = {
  'crd.yaml': crd,
  'thing.yaml': thing,
  'kustomization.yaml': kustomization,
  'patch.yaml': patch,
};

async function withThings(
  capabilities: object,
  body: (client: Client, uri: (name: string) => string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-rename-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const uri = (name: string) => pathToFileURL(path.join(folder, name)).href;
  const client = startClient();
  await client.request('initialize', {
    processId: null,
    rootUri: null,
    capabilities,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'w' }],
    initializationOptions: { files: true, trusted: true },
  });
  client.notify('initialized', {});
  await client.next<{ state: string }>('kubeCrd/status', ({ state }) => state !== 'starting');
  client.notify('textDocument/didOpen', {
    textDocument: { uri: uri('crd.yaml'), languageId: 'yaml', version: 7, text: crd },
  });
  try {
    await body(client, uri);
  } finally {
    assert.equal(await client.end(), 0);
    rmSync(folder, { recursive: true });
  }
}

interface Edit {
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
  readonly newText: string;
  readonly annotationId?: string;
}
interface Renamed {
  readonly changes?: Readonly<Record<string, readonly Edit[]>>;
  readonly documentChanges?: readonly {
    readonly textDocument: { readonly uri: string; readonly version: number | null };
    readonly edits: readonly Edit[];
  }[];
  readonly changeAnnotations?: Readonly<Record<string, { readonly needsConfirmation: boolean }>>;
}

/** On the property `size`. */
const at = (uri: (name: string) => string, text = 'size: {') => {
  const before = crd.slice(0, crd.indexOf(text) + 1).split('\n');
  const position = { line: before.length - 1, character: before.at(-1)!.length };
  return { textDocument: { uri: uri('crd.yaml') }, position };
};

const texts = (edits: readonly Edit[] | undefined) => edits?.map(({ newText }) => newText);

test('a client without annotations gets plain edits of all files', () =>
  withThings({}, async (client, uri) => {
    const { changes, documentChanges } = await client.request<Renamed>('textDocument/rename', {
      ...at(uri),
      newName: 'length',
    });
    assert.equal(documentChanges, undefined);
    assert.deepEqual(Object.keys(changes!).sort(), ['crd.yaml', 'patch.yaml', 'thing.yaml'].map(uri));
    assert.deepEqual(texts(changes![uri('crd.yaml')]), ['length', 'length']);
    const [edit] = changes![uri('thing.yaml')]!;
    assert.deepEqual(edit!.range.start, { line: 4, character: 2 });
  }));

test('a client with annotations is told what belongs to what, and asked about other files', () =>
  withThings(
    {
      workspace: {
        workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} },
        didChangeWatchedFiles: { dynamicRegistration: true },
      },
      textDocument: { rename: { prepareSupport: true } },
    },
    async (client, uri) => {
      const prepared = await client.request('textDocument/prepareRename', at(uri));
      const { position } = at(uri);
      const start = { ...position, character: position.character - 1 };
      assert.deepEqual(prepared, {
        range: { start, end: { ...start, character: start.character + 4 } },
        placeholder: 'size',
      });
      const renamed = await client.request<Renamed>('textDocument/rename', { ...at(uri), newName: 'length' });
      const found = renamed.documentChanges!.map(({ textDocument, edits }) => ({
        name: path.basename(textDocument.uri),
        version: textDocument.version,
        ids: edits.map(({ annotationId }) => annotationId),
      }));
      assert.deepEqual(found, [
        { name: 'crd.yaml', version: 7, ids: ['rules', 'schema'] },
        { name: 'thing.yaml', version: null, ids: ['resources'] },
        { name: 'patch.yaml', version: null, ids: ['patches'] },
      ]);
      const confirmed = Object.entries(renamed.changeAnnotations!).filter(([, one]) => one.needsConfirmation);
      assert.deepEqual(confirmed.map(([id]) => id).sort(), ['patches', 'resources']);
    },
  ));

test('a refusal is an error with its reason, and where there is no name nothing is renamed', () =>
  withThings({}, async (client, uri) => {
    const refused = client.request('textDocument/rename', { ...at(uri), newName: 'color' });
    await assert.rejects(refused, /-32803 `spec` already has a property `color`\./);
    assert.equal(await client.request('textDocument/prepareRename', at(uri, 'scope')), null);
    assert.equal(await client.request('textDocument/rename', { ...at(uri, 'scope'), newName: 'x' }), null);
    assert.deepEqual(await client.request('textDocument/rename', { ...at(uri), newName: 'size' }), { changes: {} });
  }));
