import { readFileSync } from 'node:fs';
import { type Client, startClient } from '../protocol/client.ts';

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
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]!.toFixed(1).padStart(8);
  console.log(`${what.padEnd(48)} ${at(0.5)} ${at(0.95)}`);
}
