import { readFileSync } from 'node:fs';
import { type Client, startClient } from '../protocol/client.ts';
import { type Edit, editsOf, fleetCrd } from '../support/fleetCrd.ts';
import { cpuOf } from './supportPeers.ts';

/** A CRD of about this many bytes: one object with many properties, each with a description and a rule. */
function bigCrd(bytes: number): string {
  const head = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: giants.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: giants, kind: Giant}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
`;
  let text = head;
  for (let i = 0; text.length < bytes; i++) {
    text += `                field${i}:
                  type: object
                  description: ${'What the field is for, in a sentence or two. '.repeat(4)}
                  x-kubernetes-validations:
                    - rule: self.size <= 10 || self.names.all(n, n != 'x${i}')
                      message: no
                  properties:
                    size: {type: integer, minimum: 0, default: 1}
                    names: {type: array, maxItems: 20, items: {type: string, maxLength: 63}}
`.replace('message: no', 'message: too large');
  }
  return text;
}

function bigResource(lines: number): string {
  const users = Array.from({ length: lines - 12 }, (_, i) => `    - name: user-${i}`).join('\n');
  return `apiVersion: storage.example.com/v1\nkind: Database\nmetadata:\n  name: orders\nspec:\n  engine: postgres\n  storage:\n    size: 3\n  replicas: 1\n  users:\n${users}\n`;
}

/** A resource of the big CRD's kind. */
function giant(lines: number): string {
  const fields = Array.from({ length: lines - 5 }, (_, i) => `  field${i}: {size: 3, names: [a, b]}`).join('\n');
  return `apiVersion: example.com/v1\nkind: Giant\nmetadata:\n  name: orders\nspec:\n${fields}\n`;
}

interface Subject {
  readonly name: string;
  readonly uri: string;
  readonly text: string;
  /** A line to work on, and a column in it. */
  readonly line: number;
  readonly character: number;
}

const rounds = 40;

/** Latencies of the built server through standard input and output. */
export async function bench(): Promise<void> {
  const crd = bigCrd(1_400_000);
  const resource = bigResource(200);
  const subjects: Subject[] = [
    { name: '200-line resource', uri: 'file:///bench/cr.yaml', text: resource, line: 8, character: 4 },
    { name: '1.4 MB CRD', uri: 'file:///bench/giant.yaml', text: crd, line: 23, character: 36 },
    { name: '200 lines under it', uri: 'file:///bench/orders.yaml', text: giant(200), line: 8, character: 4 },
  ];
  const client = startClient();
  await client.request('initialize', { processId: null, capabilities: { textDocument: { diagnostic: {} } } });
  client.notify('initialized', {});
  open(client, 'file:///bench/databases.yaml', readFileSync('examples/crds/databases.yaml', 'utf8'));
  console.log('what                                              p50 ms   p95 ms');
  for (const subject of subjects) await measure(client, subject);
  await client.end();
  await keystrokes(fleetCrd(1_400_000));
}

function open(client: Client, uri: string, text: string): void {
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
}

async function measure(client: Client, { name, uri, text, line, character }: Subject): Promise<void> {
  open(client, uri, text);
  const textDocument = { uri };
  const position = { line, character };
  let version = 1;
  /** One key: text at the end of a comment-free line is put in and taken out. */
  const key = (put: string) => {
    const end = text.split('\n', line + 1)[line]!.length;
    const isIn = ++version % 2 === 0;
    const lines = put.split('\n');
    const putEnd = { line: line + lines.length - 1, character: (lines.length === 1 ? end : 0) + lines.at(-1)!.length };
    const range = { start: { line, character: end }, end: isIn ? { line, character: end } : putEnd };
    client.notify('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text: isIn ? put : '' }],
    });
  };
  await client.request('textDocument/diagnostic', { textDocument });
  await report(`${name}: completion`, () => client.request('textDocument/completion', { textDocument, position }));
  await report(`${name}: hover`, () => client.request('textDocument/hover', { textDocument, position }));
  await report(`${name}: completion after a key`, () => {
    key(' ');
    return client.request('textDocument/completion', { textDocument, position });
  });
  await report(`${name}: hover after a key`, () => {
    key(' ');
    return client.request('textDocument/hover', { textDocument, position });
  });
  const indent = /^ */.exec(text.split('\n', line + 1)[line]!)![0].length;
  await report(`${name}: completion of a half-typed key`, () => {
    key(`\n${' '.repeat(indent)}x`);
    const typed = { line: line + 1, character: indent + 1 };
    return client.request('textDocument/completion', { textDocument, position: typed });
  });
  await report(`${name}: diagnostics after a key`, () => {
    key(' ');
    return client.request('textDocument/diagnostic', { textDocument });
  });
}

async function report(what: string, ask: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
  }
  console.log(`${what.padEnd(48)} ${share(times, 0.5)} ${share(times, 0.95)}`);
}

/** Each edit and its undoing, in a CRD in the shape of the largest public ones, and what that takes of the processor. */
async function keystrokes(crd: string): Promise<void> {
  for (const pull of [true, false]) {
    const client = startClient();
    const textDocument = pull ? { diagnostic: {} } : { publishDiagnostics: { versionSupport: true } };
    await client.request('initialize', { processId: null, capabilities: { textDocument } });
    client.notify('initialized', {});
    const keys: Keys = { client, uri: 'file:///bench/fleets.yaml', text: crd, version: 1, pull };
    console.log(
      `\n1.4 MB CRD, diagnostics ${pull ? 'asked for' : 'sent'} after a key               p50 ms   p95 ms   CPU ms`,
    );
    const start = performance.now();
    open(client, keys.uri, crd);
    await diagnosed(keys);
    console.log(`${'opening it'.padEnd(48)} ${(performance.now() - start).toFixed(1).padStart(8)}`);
    for (const edit of editsOf(crd)) await measureEdit(keys, edit);
    await client.end();
  }
}

interface Keys {
  readonly client: Client;
  readonly uri: string;
  readonly text: string;
  readonly pull: boolean;
  version: number;
}

function diagnosed({ client, uri, version, pull }: Keys): Promise<unknown> {
  return pull
    ? client.request('textDocument/diagnostic', { textDocument: { uri } })
    : client.next<{ version: number }>('textDocument/publishDiagnostics', (one) => one.version === version);
}

async function measureEdit(keys: Keys, { name, at, put }: Edit): Promise<void> {
  const { client, uri, text } = keys;
  const lines = text.slice(0, at).split('\n');
  const start = { line: lines.length - 1, character: lines.at(-1)!.length };
  const end = put === '\n' ? { line: start.line + 1, character: 0 } : { ...start, character: start.character + 1 };
  const change = (range: object, now: string) => {
    keys.version++;
    client.notify('textDocument/didChange', {
      textDocument: { uri, version: keys.version },
      contentChanges: [{ range, text: now }],
    });
    return diagnosed(keys);
  };
  const times = { put: [] as number[], undone: [] as number[] };
  let busy = 0;
  for (let i = 0; i < rounds; i++) {
    for (const which of ['put', 'undone'] as const) {
      const [from, cpu] = [performance.now(), cpuOf(client.pid)];
      await (which === 'put' ? change({ start, end: start }, put) : change({ start, end }, ''));
      times[which].push(performance.now() - from);
      // What goes on behind the answer is part of what a key costs.
      await new Promise((resolve) => setTimeout(resolve, 30));
      busy += cpuOf(client.pid) - cpu;
    }
  }
  const each = (busy / rounds / 2).toFixed(0).padStart(8);
  console.log(`${name.padEnd(48)} ${share(times.put, 0.5)} ${share(times.put, 0.95)} ${each}`);
  console.log(`${`${name}, undone`.padEnd(48)} ${share(times.undone, 0.5)} ${share(times.undone, 0.95)}`);
}

function share(times: number[], part: number): string {
  times.sort((a, b) => a - b);
  return times[Math.floor(part * (times.length - 1))]!.toFixed(1).padStart(8);
}
