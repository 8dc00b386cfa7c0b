import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

const asked = 300;
const object = (i: number) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a${i}}\ndata: {a: b, c: d}\n`;
/** Its outline takes some 2 MB. */
const text = Array.from({ length: 1500 }, (_, i) => object(i)).join('---\n');

test('a client that asks and does not read leaves no answers waiting in memory', {
  skip: process.platform !== 'linux',
}, async () => {
  const child = spawn(process.execPath, [path.resolve('dist/server/main.cjs'), 'server', '--stdio'], {
    stdio: 'pipe',
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const uri = 'file:///a.yaml';
  const documentSymbol = { hierarchicalDocumentSymbolSupport: true };
  send({
    id: 0,
    method: 'initialize',
    params: { processId: null, capabilities: { textDocument: { documentSymbol } } },
  });
  send({ method: 'initialized', params: {} });
  const textDocument = { uri, languageId: 'yaml', version: 1, text };
  send({ method: 'textDocument/didOpen', params: { textDocument } });
  for (let id = 1; id <= asked; id++) {
    send({ id, method: 'textDocument/documentSymbol', params: { textDocument: { uri } } });
  }
  await untilIdle(child.pid!);
  const most = Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1000;
  const answers = await readAnswers(child.stdout, asked + 1);
  assert.equal(answers, asked + 1);
  assert.equal(said, '');
  child.kill();
  assert.ok(most < 400, `${most} MB`);
});

/** Waits until a process does nothing: it then has all it was sent, or waits for its answers to be read. */
async function untilIdle(pid: number): Promise<void> {
  const ticks = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15).map(Number);
  for (let before = -1, quiet = 0; quiet < 4; ) {
    await pause(250);
    const now = ticks().reduce((a, b) => a + b);
    quiet = now - before < 2 ? quiet + 1 : 0;
    before = now;
  }
}

async function readAnswers(stream: NodeJS.ReadableStream, most: number): Promise<number> {
  let answers = 0;
  let rest = '';
  for await (const chunk of stream) {
    const parts = (rest + chunk).split(/"id":\d+,"result"/);
    rest = parts.at(-1)!.slice(-40);
    answers += parts.length - 1;
    if (answers >= most) break;
  }
  return answers;
}
