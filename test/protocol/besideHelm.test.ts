import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startClient } from './client.ts';

// Templates of the language `helm`, beside extensions that look after the built-in kinds elsewhere.

const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-beside-'));
const uriOf = (file: string) => pathToFileURL(path.join(home, file)).href;
after(() => rmSync(home, { recursive: true }));

const template =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {replica: {{ .Values.replicas }}}\n';
mkdirSync(path.join(home, 'templates'));
writeFileSync(path.join(home, 'Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 1.0.0\n');
writeFileSync(path.join(home, 'values.yaml'), 'replicas: 2\n');
writeFileSync(path.join(home, 'values.schema.json'), '{}');
writeFileSync(path.join(home, 'templates/web.yaml'), template);

async function codesWith(options: object): Promise<{ readonly codes: string[]; readonly served: readonly string[] }> {
  const client = startClient();
  await client.request('initialize', {
    processId: null,
    rootUri: pathToFileURL(home).href,
    workspaceFolders: [{ uri: pathToFileURL(home).href, name: 'chart' }],
    capabilities: { textDocument: { diagnostic: {} } },
    initializationOptions: { trusted: true, builtinElsewhere: true, yamlExtension: true, ...options },
  });
  client.notify('initialized', {});
  const all = client.next<{ uris: string[] }>('kubeCrd/served', ({ uris }) => uris.length === 2);
  for (const [name, languageId, text] of [
    ['templates/web.yaml', 'helm', template],
    ['values.yaml', 'yaml', 'replicas: 2\n'],
  ]) {
    client.notify('textDocument/didOpen', { textDocument: { uri: uriOf(name!), languageId, version: 1, text } });
  }
  const { uris } = await all;
  let codes: string[] = [];
  for (let tries = 0; tries < 20 && codes.length === 0; tries++) {
    const asked = { textDocument: { uri: uriOf('templates/web.yaml') } };
    const { items } = await client.request<{ items: { code: string }[] }>('textDocument/diagnostic', asked);
    codes = items.map(({ code }) => code).filter((code) => code.startsWith('builtin/'));
    if (codes.length === 0) await setTimeout(100);
  }
  await client.end();
  return { codes, served: uris };
}

test('those that know the kinds in YAML do not know what templates come to', async () => {
  const { codes, served } = await codesWith({});
  assert.ok(codes.includes('builtin/unknown-field'), codes.join());
  assert.deepEqual([...served].sort(), [uriOf('templates/web.yaml'), uriOf('values.yaml')]);
});

test('one that checks templates is left to it', async () => {
  assert.deepEqual((await codesWith({ templatesElsewhere: true })).codes, []);
});
