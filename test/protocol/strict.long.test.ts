import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Client, modernDocument, startClient } from './client.ts';

// Clients that know little, or keep to the letter of the protocol.

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
      schema:
        openAPIV3Schema:
          type: object
          properties:
            size: {type: integer, description: "How large. [x](command:kubeCrd.restart) ![y](https://example.com/y.png)"}
`;
const box = 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nsise: 3\n';

interface Sent {
  readonly uri: string;
  readonly diagnostics: readonly (Readonly<Record<string, unknown>> & { readonly range: object })[];
}

async function withRoot(
  parameters: (folder: string) => object,
  body: (client: Client, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd strict-'));
  writeFileSync(path.join(folder, 'crd.yaml'), crd);
  const client = startClient();
  await client.request('initialize', { processId: null, capabilities: {}, ...parameters(folder) });
  client.notify('initialized', {});
  try {
    await body(client, pathToFileURL(folder).href);
  } finally {
    assert.equal(await client.end(), 0);
    rmSync(folder, { recursive: true });
  }
}

function open(client: Client, uri: string, text: string): void {
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
}

async function unknownField(client: Client, uri: string): Promise<Sent['diagnostics'][number]> {
  const sent = await client.next<Sent>('textDocument/publishDiagnostics', (one) => {
    return one.uri === uri && one.diagnostics.some(({ code }) => code === 'cr/unknown-field');
  });
  return sent.diagnostics[0]!;
}

for (const [name, parameters] of [
  ['an address', (folder: string) => ({ rootUri: pathToFileURL(folder).href })],
  ['a path', (folder: string) => ({ rootPath: folder })],
] as const) {
  test(`a client that names its root by ${name} only gets the CRDs there`, () =>
    withRoot(parameters, async (client, folder) => {
      open(client, `${folder}/box.yaml`, box);
      await unknownField(client, `${folder}/box.yaml`);
    }));
}

const bare = (folder: string) => ({ rootUri: pathToFileURL(folder).href });

test('a client that knows little gets no more than that', () =>
  withRoot(bare, async (client, folder) => {
    const uri = `${folder}/box.yaml`;
    open(client, uri, box);
    const found = await unknownField(client, uri);
    assert.deepEqual(Object.keys(found).sort(), ['code', 'message', 'range', 'severity', 'source']);
    const symbols = await client.request<object[]>('textDocument/documentSymbol', { textDocument: { uri } });
    assert.ok(symbols.length > 0 && symbols.every((symbol) => 'location' in symbol && !('children' in symbol)));
    const actions = { textDocument: { uri }, range: found.range, context: { diagnostics: [found] } };
    assert.deepEqual(await client.request('textDocument/codeAction', actions), []);
    open(client, `${folder}/crd.yaml`, crd);
    const line = crd.split('\n').findIndex((text) => text.includes('size:'));
    const card = await client.request<{ contents: { kind: string; value: string } }>('textDocument/hover', {
      textDocument: { uri: `${folder}/crd.yaml` },
      position: { line: line - 1, character: 12 },
    });
    assert.equal(card.contents.kind, 'plaintext');
    assert.doesNotMatch(card.contents.value, /[`*]/);
  }));

test('fixes are found again for a client that does not send back what a diagnostic carried', () =>
  withRoot(
    (folder) => ({
      ...bare(folder),
      capabilities: { textDocument: { ...modernDocument, publishDiagnostics: {} } },
    }),
    async (client, folder) => {
      const uri = `${folder}/box.yaml`;
      open(client, uri, box);
      const found = await unknownField(client, uri);
      const actions = { textDocument: { uri }, range: found.range, context: { diagnostics: [found] } };
      const titles = (await client.request<{ title: string }[]>('textDocument/codeAction', actions)).map(
        ({ title }) => title,
      );
      assert.ok(titles.includes('Rename to `size`'), titles.join());
    },
  ));

test('descriptions of a CRD bring neither pictures nor commands into cards', () =>
  withRoot(
    (folder) => ({ ...bare(folder), capabilities: { textDocument: modernDocument } }),
    async (client, folder) => {
      const uri = `${folder}/box.yaml`;
      open(client, uri, box.replace('sise', 'size'));
      for (;;) {
        const card = await client.request<{ contents: { value: string } } | null>('textDocument/hover', {
          textDocument: { uri },
          position: { line: 3, character: 1 },
        });
        if (!card) continue;
        assert.match(card.contents.value, /How large\. \\\[x\\\]\(command:kubeCrd\.restart\) !\\\[y\\\]/);
        return;
      }
    },
  ));

test('nothing is answered before initialize or after shutdown, and there is one initialize', async () => {
  const client = startClient();
  const position = { textDocument: { uri: 'file:///a.yaml' }, position: { line: 0, character: 0 } };
  await assert.rejects(client.request('textDocument/hover', position), /-32002/);
  await client.request('initialize', { processId: null, rootUri: null, capabilities: {} });
  await assert.rejects(
    client.request('initialize', { processId: null, rootUri: null, capabilities: {} }),
    /-32600 the server is already initialized/,
  );
  await client.request('shutdown');
  await assert.rejects(client.request('textDocument/hover', position), /-32600/);
  client.notify('exit');
});

test('one address that is malformed does not keep the others of a batch from being read', () =>
  withRoot(bare, async (client, folder) => {
    const uri = `${folder}/box.yaml`;
    open(client, uri, box);
    await unknownField(client, uri);
    writeFileSync(new URL(`${folder}/crd.yaml`), crd.replace('size:', 'sise:'));
    const changes = ['file://%zz/a.yaml', 'file:///%00.yaml', `${folder}/crd.yaml`].map((one) => ({
      uri: one,
      type: 2,
    }));
    client.notify('workspace/didChangeWatchedFiles', { changes });
    await client.next<Sent>(
      'textDocument/publishDiagnostics',
      (one) => one.uri === uri && one.diagnostics.length === 0,
    );
  }));

test('ranges end with their line, and one place has one insertion', () =>
  withRoot(
    (folder) => ({ ...bare(folder), capabilities: { textDocument: modernDocument } }),
    async (client, folder) => {
      const uri = `${folder}/mixed.yaml`;
      const text = `${box.replaceAll('\n', '\r\n')}a: |\r\n  b\rc: 1\r\n`;
      open(client, uri, text);
      const sent = await client.next<Sent>('textDocument/publishDiagnostics', (one) => {
        return one.uri === uri && one.diagnostics.length > 0;
      });
      const lengths = text.split(/\r\n|\r|\n/).map((line) => line.length);
      for (const { range } of sent.diagnostics as unknown as { range: Record<'start' | 'end', Place> }[])
        for (const { line, character } of [range.start, range.end]) assert.ok(character <= lengths[line]!);
    },
  ));

interface Place {
  readonly line: number;
  readonly character: number;
}

test('a request that is cancelled before its turn is not worked on', () =>
  withRoot(
    (folder) => ({ rootPath: folder }),
    async (client, folder) => {
      open(client, `${folder}/box.yaml`, box);
      const asked = client.request('textDocument/hover', {
        textDocument: { uri: `${folder}/box.yaml` },
        position: { line: 0, character: 1 },
      });
      // The one before it was the request to initialize.
      client.notify('$/cancelRequest', { id: 2 });
      await assert.rejects(asked, /-32800/);
    },
  ));

for (const [options, isSaid] of [
  [{}, true],
  [{ trusted: true }, false],
] as const) {
  test(`that a workspace is trusted unasked is ${isSaid ? 'said' : 'not said'} with ${JSON.stringify(options)}`, () =>
    withRoot(
      (folder) => ({ rootPath: folder, initializationOptions: options }),
      async (client, folder) => {
        open(client, `${folder}/box.yaml`, box);
        const lines: string[] = [];
        const line = client.next<{ readonly message: string }>('window/logMessage', ({ message }) => {
          lines.push(message);
          return message.includes('so it is treated as trusted');
        });
        if (isSaid) await line;
        await unknownField(client, `${folder}/box.yaml`);
        assert.equal(lines.length > 0 && lines.some((one) => one.includes('treated as trusted')), isSaid);
      },
    ));
}
