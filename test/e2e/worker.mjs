// The browser's server in a real browser: a page starts the engine and its parts as a worker and speaks LSP with it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { serverFolders } from '../../scripts/engineParts.mjs';
import { root } from '../../scripts/setup.mjs';
import { openBrowser } from './browser.mjs';

export async function serverInWorker() {
  const script = [...Object.keys(serverFolders), 'engine']
    .map((name) => readFileSync(path.join(root, `dist/server/${name}.cjs`), 'utf8'))
    .join('');
  const server = createServer((request, response) => {
    const isScript = request.url === '/server.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? script : '<!doctype html><title>worker</title>');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const diagnostics = await page.evaluate(
      conversation,
      readFileSync(path.join(root, 'examples/crds/caches.yaml'), 'utf8'),
    );
    assert.deepEqual([...new Set(diagnostics.map(({ code }) => code))].sort(), [
      'crd/forbidden-in-junctor',
      'crd/type-required',
    ]);
  } finally {
    await browser.close();
    server.close();
  }
}

/** Runs in the page. */
async function conversation(text) {
  const worker = new Worker('/server.js');
  const pending = new Map();
  worker.onmessage = ({ data }) => {
    if (data.method && data.id !== undefined) worker.postMessage({ jsonrpc: '2.0', id: data.id, result: null });
    else pending.get(data.id)?.(data.result);
  };
  let last = 0;
  const ask = (method, params) =>
    new Promise((resolve, reject) => {
      // A script that does not start answers nothing.
      worker.onerror = ({ message }) => reject(new Error(message));
      pending.set(++last, resolve);
      worker.postMessage({ jsonrpc: '2.0', id: last, method, params });
    });
  const tell = (method, params) => worker.postMessage({ jsonrpc: '2.0', method, params });
  await ask('initialize', { processId: null, capabilities: { textDocument: { diagnostic: {} } } });
  tell('initialized', {});
  const uri = 'memfs:/crd.yaml';
  tell('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  const { items } = await ask('textDocument/diagnostic', { textDocument: { uri } });
  worker.terminate();
  return items;
}
