import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

// `initialize` is answered before the program is there. Nothing but the time of that answer shows it.

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

const built = path.resolve('dist/server/main.cjs');

const request = (id: number, method: string, params: unknown) => ({ jsonrpc: '2.0', id, method, params });
const hello = (capabilities: unknown, more: object = {}) =>
  request(1, 'initialize', { processId: null, capabilities, workspaceFolders: null, ...more });
const framed = (message: object) => {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};
const exit = { jsonrpc: '2.0', method: 'exit' };

interface Ended {
  readonly answers: readonly Answer[];
  readonly errors: string;
  readonly code: number | null;
}

/** Waits for the end of a server, which is told to end after so many answers. */
async function ended(child: ChildProcess, { most, answers, leave }: Talk): Promise<Ended> {
  let errors = '';
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  const isAnswer = (one: Answer) => 'result' in one || 'error' in one;
  const watch = setInterval(() => {
    if (answers().filter(isAnswer).length < most) return;
    clearInterval(watch);
    leave();
  }, 20);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(watch);
  return { answers: answers().filter(isAnswer), errors, code };
}

interface Talk {
  readonly most: number;
  readonly answers: () => readonly Answer[];
  readonly leave: () => void;
}

/** What is sent, each step a moment after the one before: messages at once, or a text as it is. */
type Steps = readonly (readonly object[] | string)[];

/** What a server answers; its input ends where that is said. */
async function overStreams(steps: Steps, { main = built, most = 1, ends = false } = {}): Promise<Ended> {
  const child = spawn(process.execPath, [main, 'server', '--stdio']);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stdin.on('error', () => {});
  const bodies = () => output.split(/Content-Length: \d+\r\n\r\n/).filter((one) => one.endsWith('}'));
  const end = ended(child, {
    most,
    answers: () => bodies().map((one) => JSON.parse(one)),
    leave: () => ends || child.stdin.write(framed(exit)),
  });
  for (const [i, step] of steps.entries()) {
    if (i > 0) await setTimeout(200);
    child.stdin.write(typeof step === 'string' ? step : step.map(framed).join(''));
  }
  if (ends) child.stdin.end();
  return await end;
}

/** The same over the channel of a Node process. */
async function overChannel(messages: readonly object[], { main = built, most = 1 } = {}): Promise<Ended> {
  const child = fork(main, ['server', '--node-ipc'], { silent: true });
  const answers: Answer[] = [];
  child.on('message', (message: Answer) => answers.push(message));
  const leave = () => child.connected && child.send(exit, () => {});
  const end = ended(child, { most, answers: () => answers, leave });
  for (const message of messages) child.send(message);
  return await end;
}

test('the answer is there without the program, and that the program is not is told', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-first-'));
  const alone = path.join(folder, 'main.cjs');
  copyFileSync(built, alone);
  const both = [
    await overStreams([[hello({})]], { main: alone, most: 2 }),
    await overChannel([hello({})], { main: alone, most: 2 }),
  ];
  for (const { answers, errors, code } of both) {
    assert.deepEqual(
      answers.map(({ id, result }) => [id, typeof result]),
      [[1, 'object']],
    );
    assert.match(errors, /program\.cjs cannot be read: this installation is not complete/);
    assert.equal(code, 1);
  }
  rmSync(folder, { recursive: true });
});

test('the program says the same where a message comes late or in pieces', async () => {
  const clients = [
    {},
    { general: { positionEncodings: ['utf-8'] }, textDocument: { rename: { prepareSupport: true } } },
    { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } },
  ];
  for (const capabilities of clients) {
    const text = framed(hello(capabilities));
    const whole = await overStreams([text]);
    const late = await overStreams(['', text]);
    const pieces = await overStreams([text.slice(0, 60), text.slice(60)]);
    const channel = await overChannel([hello(capabilities)]);
    assert.deepEqual(
      whole.answers.map(({ id }) => id),
      [1],
    );
    for (const other of [late, pieces, channel]) assert.deepEqual(other, whole);
  }
});

test('messages that come with the first one are answered in their order', async () => {
  const uri = 'file:///a.yaml';
  const text =
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: {group: 5}\n';
  const messages = [
    hello({ textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } }),
    { jsonrpc: '2.0', method: 'initialized', params: {} },
    {
      jsonrpc: '2.0',
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'yaml', version: 1, text } },
    },
    request(2, 'textDocument/diagnostic', { textDocument: { uri } }),
  ];
  for (const { answers, errors, code } of [
    await overStreams([messages], { most: 2 }),
    await overChannel(messages, { most: 2 }),
  ]) {
    assert.deepEqual(
      answers.map(({ id }) => id),
      [1, 2],
    );
    assert.ok((answers[1]!.result as { items: unknown[] }).items.length > 0);
    assert.deepEqual([errors, code], ['', 1]);
  }
});

test('what is not a proper first message is answered by the program', async () => {
  const wrong: readonly [message: object, code: number][] = [
    [hello({}, { workspaceFolders: 5 }), -32603],
    [hello({ textDocument: { codeAction: { resolveSupport: { properties: 5 } } } }), -32603],
    [request(1, 'textDocument/hover', {}), -32002],
  ];
  for (const [message, code] of wrong) {
    for (const { answers } of [await overStreams([[message]]), await overChannel([message])])
      assert.deepEqual(
        answers.map(({ id, error }) => [id, error?.code]),
        [[1, code]],
        JSON.stringify(message),
      );
  }
});

test('an input that ends ends the server, whatever was sent before', async () => {
  for (const text of ['', 'Content-Length: 500\r\n\r\n{', framed(hello({}))])
    assert.equal((await overStreams([text], { ends: true })).code, 1, text);
});
