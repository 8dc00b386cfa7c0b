import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const message = (body: object) => {
  const text = JSON.stringify({ jsonrpc: '2.0', ...body });
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

/** How much memory a process holds, in megabytes. */
function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1000;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('a client that asks and does not read is not answered into memory', {
  skip: process.platform !== 'linux',
}, async () => {
  const child = spawn(process.execPath, [path.resolve('dist/server/main.cjs'), 'server', '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const uri = 'file:///crd.yaml';
  const property = (i: number) => `                field${i}: {type: string, description: ${'x'.repeat(100)}}\n`;
  const text = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.com
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          properties:
            spec:
              properties:
${Array.from({ length: 2_000 }, (_, i) => property(i)).join('')}`;
  child.stdin.write(
    message({ id: 0, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } }),
  );
  child.stdin.write(message({ method: 'initialized', params: {} }));
  const textDocument = { uri, languageId: 'yaml', version: 1, text };
  child.stdin.write(message({ method: 'textDocument/didOpen', params: { textDocument } }));
  const asked = 1_500;
  for (let id = 1; id <= asked; id++)
    child.stdin.write(message({ id, method: 'textDocument/documentSymbol', params: { textDocument: { uri } } }));
  // Nothing tells when the server has done all it will: it has once its memory does not change any more.
  let most = 0;
  for (let quiet = 0, last = 0; quiet < 4; await pause(250)) {
    const now = residentMegabytes(child.pid!);
    quiet = Math.abs(now - last) < 1 ? quiet + 1 : 0;
    last = now;
    most = Math.max(most, now);
  }
  assert.ok(most < 450, `${most} MB`);
  let answers = 0;
  let tail = '';
  for await (const chunk of child.stdout) {
    const found = (tail + String(chunk)).split('Content-Length: ');
    answers += found.length - 1;
    tail = found.at(-1)!.slice(-20);
    if (answers > asked) break;
  }
  child.kill();
  assert.ok(answers > asked, `${answers} answers`);
});
