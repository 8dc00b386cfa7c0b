import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { costsRequest, kindAtRequest } from '../../server/src/lsp/protocol.ts';
import { runProgram } from '../support/program.ts';
import { applyEdits } from '../support/workspace.ts';
import { type Client, startClient } from './client.ts';

// A property of Go types, of the CRD that was generated from them, and of resources: found and renamed from each of them.

interface Place {
  readonly line: number;
  readonly character: number;
}

interface Range {
  readonly start: Place;
  readonly end: Place;
}

const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-go-names-'));
const types = 'api/v1/queue_types.go';
const crd = 'config/crd/messaging.example.com_queues.yaml';
const resource = 'queue.yaml';
const uriOf = (file: string) => pathToFileURL(path.join(home, file)).href;
const nameOf = (uri: string) => [types, crd, resource].find((file) => uriOf(file) === uri) ?? uri;
const textOf = (file: string) => readFileSync(path.join(home, file), 'utf8');

cpSync('examples/queue-operator', home, { recursive: true });
mkdirSync(path.join(home, 'config/crd'), { recursive: true });
assert.equal(runProgram(home, ['generate', '--output-folder', 'config/crd', './api/...']).status, 0);
writeFileSync(
  path.join(home, resource),
  'apiVersion: messaging.example.com/v1\nkind: Queue\nmetadata: {name: a}\nspec:\n  retries: 3\n',
);

const client: Client = startClient();
after(async () => {
  await client.end();
  rmSync(home, { recursive: true });
});

await client.request('initialize', {
  processId: null,
  rootUri: pathToFileURL(home).href,
  workspaceFolders: [{ uri: pathToFileURL(home).href, name: 'operator' }],
  capabilities: { textDocument: { diagnostic: {}, documentSymbol: { hierarchicalDocumentSymbolSupport: true } } },
  initializationOptions: { trusted: true },
});
client.notify('initialized', {});
for (const file of [types, crd, resource]) {
  const languageId = file.endsWith('.go') ? 'go' : 'yaml';
  client.notify('textDocument/didOpen', {
    textDocument: { uri: uriOf(file), languageId, version: 1, text: textOf(file) },
  });
}
for (const file of [types, crd, resource]) {
  await client.request('textDocument/diagnostic', { textDocument: { uri: uriOf(file) } });
}

function at(file: string, text: string, within: number): { textDocument: { uri: string }; position: Place } {
  const before = textOf(file).slice(0, textOf(file).indexOf(text) + within);
  const lines = before.split('\n');
  const position = { line: lines.length - 1, character: lines.at(-1)!.length };
  return { textDocument: { uri: uriOf(file) }, position };
}

/** A place of each file that names the property. */
const starts = {
  [types]: at(types, 'json:"retries', 'json:"re'.length),
  [crd]: at(crd, 'retries:', 3),
  [resource]: at(resource, 'retries:', 3),
};

function lineOf({ uri, range }: { uri: string; range: Range }): string {
  const file = nameOf(uri);
  return `${file.slice(file.lastIndexOf('/') + 1)}: ${textOf(file).split('\n')[range.start.line]!.trim()}`;
}

const rule =
  '// +kubebuilder:validation:XValidation:rule="self.retries == 0 || self.delivery == \'AtLeastOnce\'",message="retries need delivery AtLeastOnce"';

test('a property is found from each file in all of them', async () => {
  const found: string[][] = [];
  for (const start of Object.values(starts)) {
    const asked = { ...start, context: { includeDeclaration: true } };
    const places = await client.request<{ uri: string; range: Range }[]>('textDocument/references', asked);
    found.push([...new Set(places.map(lineOf))].sort());
  }
  const wanted = [
    'messaging.example.com_queues.yaml: retries:',
    "messaging.example.com_queues.yaml: rule: self.retries == 0 || self.delivery == 'AtLeastOnce'",
    'queue.yaml: retries: 3',
    `queue_types.go: ${rule}`,
    'queue_types.go: Retries int32 `json:"retries,omitempty"`',
  ];
  for (const one of found) assert.deepEqual(one, wanted);
});

test('above a kind is what its rules cost, and above a rule what it says of the resources', async () => {
  const lenses = await client.request<{ range: Range; command: { title: string } }[]>('textDocument/codeLens', {
    textDocument: { uri: uriOf(types) },
  });
  const found = lenses.map(({ range, command }) => `${textOf(types).split('\n')[range.start.line]} ${command.title}`);
  // The other rules are about fields that the resource does not have.
  assert.equal(found.length, 2);
  assert.match(found.find((line) => line.startsWith('type Queue ')) ?? '', /rules cost .* · 3 rules · 1 resource$/);
  assert.ok(found.includes(`${rule} true for 1 of 1 resource`), found.join('\n'));
});

test('what rules cost and the schema are shown from Go too', async () => {
  const [version] = await client.request<{ kind: string; range: Range; fields: { field: string; range: Range }[] }[]>(
    costsRequest,
    { uri: uriOf(types) },
  );
  assert.equal(version!.kind, 'Queue');
  const [dearest] = version!.fields;
  assert.equal(dearest!.field, 'spec.consumers');
  assert.ok(textOf(types).split('\n')[dearest!.range.start.line]!.includes('Consumers []Consumer'));
  const { textDocument, position } = starts[types]!;
  const kind = await client.request(kindAtRequest, { uri: textDocument.uri, position });
  assert.deepEqual(kind, { uri: uriOf(crd), group: 'messaging.example.com', kind: 'Queue', version: 'v1' });
});

function edited(file: string, edits: readonly { range: Range; newText: string }[]): string {
  const lines = textOf(file).split('\n');
  const toOffset = ({ line, character }: Place) =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  return applyEdits(
    textOf(file),
    edits.map(({ range, newText }) => ({
      range: { start: toOffset(range.start), end: toOffset(range.end) },
      text: newText,
    })),
  );
}

test('a property that is renamed from any of them has the new name in all, and the CRD is what the types give', async () => {
  const all: Record<string, string>[] = [];
  for (const start of Object.values(starts)) {
    const prepared = await client.request<{ range: Range } | null>('textDocument/prepareRename', start);
    assert.ok(prepared);
    const { changes } = await client.request<{
      changes: Record<string, { range: Range; newText: string }[]>;
    }>('textDocument/rename', { ...start, newName: 'attempts' });
    all.push(
      Object.fromEntries(Object.entries(changes).map(([uri, edits]) => [nameOf(uri), edited(nameOf(uri), edits)])),
    );
  }
  const [after] = all;
  for (const one of all) assert.deepEqual(one, after);
  assert.deepEqual(Object.keys(after!).sort(), [types, crd, resource].sort());
  assert.match(after![types]!, /`json:"attempts,omitempty"`/);
  assert.match(after![resource]!, /^ {2}attempts: 3$/m);
  for (const [file, text] of Object.entries(after!)) writeFileSync(path.join(home, file), text);
  assert.equal(runProgram(home, ['generate', '--output-folder', 'made', './api/...']).status, 0);
  const made = readFileSync(path.join(home, 'made/messaging.example.com_queues.yaml'), 'utf8');
  const sorted = (text: string) => text.split('\n').sort().join('\n');
  assert.equal(sorted(made), sorted(after![crd]!));
});

test('a Go file is outlined by its kinds, and folded', async () => {
  const textDocument = { uri: uriOf(types) };
  const symbols = await client.request<{ name: string }[]>('textDocument/documentSymbol', { textDocument });
  assert.deepEqual(
    symbols.map(({ name }) => name),
    ['Consumer', 'QueueSpec', 'QueueStatus', 'Queue'],
  );
  const folds = await client.request<{ startLine: number }[]>('textDocument/foldingRange', { textDocument });
  assert.ok(folds.length > 10);
});
