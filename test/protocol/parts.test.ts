import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { startProgram } from './client.ts';

// Parts of the engine are read when something of them is called, which may be hours after the start.

const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-parts-'));
after(() => rmSync(folder, { recursive: true }));
for (const name of readdirSync('dist/server')) copyFileSync(`dist/server/${name}`, path.join(folder, name));

const uri = 'file:///crd.yaml';
const text = readFileSync('examples/crds/databases.yaml', 'utf8');
const line = text.split('\n').findIndex((one) => one.trim() === 'versions:');
const hover = { textDocument: { uri }, position: { line, character: 4 } };

const isAbout =
  (words: RegExp) =>
  ({ message }: { readonly message: string }) =>
    words.test(message);

/** A server in which a CRD was judged: nothing was asked of what an editor asks beside that. */
async function server() {
  const client = startProgram(process.execPath, [path.join(folder, 'main.cjs'), 'server', '--stdio'], {});
  await client.request('initialize', {
    processId: process.pid,
    capabilities: { textDocument: { diagnostic: {} } },
    workspaceFolders: null,
  });
  client.notify('initialized', {});
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  await client.request('textDocument/diagnostic', { textDocument: { uri } });
  return client;
}

test('a part of another build is not run, and the server says why and goes on', async () => {
  const client = await server();
  const part = path.join(folder, 'editor.cjs');
  const whole = readFileSync(part, 'utf8');
  writeFileSync(part, whole.replace(/(\.id ?= ?)"[0-9a-f]{16}"/, '$1"0123456789abcdef"'));
  assert.equal(await client.request('textDocument/hover', hover), null);
  assert.ok(await client.next('window/logMessage', isAbout(/kube-crd was changed while it ran/)));
  assert.equal(await client.request('textDocument/hover', hover), null, 'whoever asks again is told the same');
  writeFileSync(part, whole);
  assert.ok(await client.request('textDocument/hover', hover));
  await client.end();
});

test('a part that is gone is an answer too', async () => {
  const client = await server();
  rmSync(path.join(folder, 'editor.cjs'));
  assert.equal(await client.request('textDocument/hover', hover), null);
  assert.ok(await client.next('window/logMessage', isAbout(/editor\.cjs cannot be read/)));
  copyFileSync('dist/server/editor.cjs', path.join(folder, 'editor.cjs'));
  await client.end();
});
