import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  type GoCrdShown,
  goCrdRequest,
  newTestCommand,
  type ResourceOfKind,
  resourcesRequest,
  type Scratch,
  scratchRequest,
  showValuesRequest,
  type Tried,
  tryRequest,
} from '../../server/src/lsp/protocol.ts';
import { runProgram } from '../support/program.ts';
import { startClient } from './client.ts';

// Go files and the CRDs that were generated from them, with raw requests.

interface Sent {
  readonly code: string;
  readonly severity: number;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number } };
  readonly relatedInformation?: readonly { readonly location: { readonly uri: string }; readonly message: string }[];
}

const applied: { readonly edit: { readonly changes: Record<string, { newText: string }[]> } }[] = [];
const client = startClient(undefined, {
  'workspace/applyEdit': (asked) => {
    applied.push(asked as unknown as (typeof applied)[number]);
    return { applied: true };
  },
});
const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-go-'));
after(async () => {
  await client.end();
  rmSync(home, { recursive: true });
});

const types = 'api/v1/queue_types.go';
const crd = 'config/crd/messaging.example.com_queues.yaml';
const uriOf = (file: string) => pathToFileURL(path.join(home, file)).href;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: home });
const texts = new Map<string, string>();
let version = 1;

cpSync('examples/queue-operator', home, { recursive: true });
const example = readFileSync(path.join(home, types), 'utf8');
writeFileSync(
  path.join(home, types),
  example.replace('\tConsumers []', '\t// +kubebuilder:validation:MaxItems=20\n\tConsumers []'),
);
mkdirSync(path.join(home, 'config/crd'), { recursive: true });
assert.equal(runProgram(home, ['generate', '--output-folder', 'config/crd', './api/...']).status, 0);
git('init', '--quiet');
git('add', '--all');
git('commit', '--quiet', '--message', 'first');

await client.request('initialize', {
  processId: null,
  rootUri: pathToFileURL(home).href,
  workspaceFolders: [{ uri: pathToFileURL(home).href, name: 'operator' }],
  capabilities: {
    textDocument: {
      diagnostic: {},
      publishDiagnostics: { relatedInformation: true },
      codeAction: { codeActionLiteralSupport: {} },
    },
    workspace: { applyEdit: true },
  },
  initializationOptions: { trusted: true, tries: true },
});
client.notify('initialized', {});

function open(file: string): void {
  const text = readFileSync(path.join(home, file), 'utf8');
  texts.set(file, text);
  const languageId = file.endsWith('.go') ? 'go' : 'yaml';
  client.notify('textDocument/didOpen', { textDocument: { uri: uriOf(file), languageId, version, text } });
}

/** Puts a text in the place of another one that is in the file as it was opened. */
function change(file: string, from: string, to: string): void {
  const before = texts.get(file)!;
  assert.ok(before.includes(from), from);
  const textDocument = { uri: uriOf(file), version: ++version };
  client.notify('textDocument/didChange', { textDocument, contentChanges: [{ text: before.replace(from, to) }] });
}

async function problems(file: string): Promise<readonly Sent[]> {
  const asked = { textDocument: { uri: uriOf(file) } };
  return (await client.request<{ items: Sent[] }>('textDocument/diagnostic', asked)).items;
}

/** What is said of a file from its types, once it is. */
async function compared(file: string, code: string): Promise<readonly string[]> {
  for (;;) {
    const found = (await problems(file)).filter((one) => one.code === code);
    if (found.length > 0) return found.map(({ message, range }) => `${range.start.line}: ${message}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function placeOf(file: string, text: string, within = 0): { line: number; character: number } {
  const before = texts.get(file)!;
  const at = before.indexOf(text) + within;
  assert.ok(at >= within, text);
  const lines = before.slice(0, at).split('\n');
  return { line: lines.length - 1, character: lines.at(-1)!.length };
}

async function definition(file: string, text: string): Promise<string[]> {
  const asked = { textDocument: { uri: uriOf(file) }, position: placeOf(file, text, 3) };
  const found = await client.request<{ uri: string; range: Sent['range'] }[]>('textDocument/definition', asked);
  return found.map(({ uri, range }) => {
    const name = [types, crd].find((one) => uriOf(one) === uri)!;
    return texts.get(name)!.split('\n')[range.start.line]!.trim();
  });
}

/** What the action does whose title begins so. */
async function editsOf(file: string, diagnostic: Sent, title: string): Promise<Record<string, { newText: string }[]>> {
  const asked = { textDocument: { uri: uriOf(file) }, range: diagnostic.range, context: { diagnostics: [diagnostic] } };
  const actions = await client.request<{ title: string; edit: { changes: Record<string, { newText: string }[]> } }[]>(
    'textDocument/codeAction',
    asked,
  );
  const found = actions.find((one) => one.title.startsWith(title));
  assert.ok(found, actions.map((one) => one.title).join(', '));
  return found.edit.changes;
}

test('a generated CRD that was changed by hand, with the way to its types', async () => {
  open(crd);
  texts.set(types, readFileSync(path.join(home, types), 'utf8'));
  assert.deepEqual(await problems(crd), []);
  change(crd, 'maximum: 10\n', 'maximum: 12\n');
  const [said] = await compared(crd, 'go/by-hand');
  assert.match(said!, /The types give `maximum: 10` here\. This was changed by hand after the last commit/);
  assert.deepEqual(await definition(crd, 'retries:'), ['Retries int32 `json:"retries,omitempty"`']);
  const [found] = (await problems(crd)).filter(({ code }) => code === 'go/by-hand');
  const [edit] = (await editsOf(crd, found!, 'Write the CRD as its Go types give it'))[uriOf(crd)]!;
  assert.equal(`---\n${edit!.newText}`, texts.get(crd));
  change(crd, 'maximum: 10\n', 'maximum: 10\n');
});

test('types that are ahead of their CRD are said to be at both ends', async () => {
  open(types);
  assert.deepEqual(await problems(types), []);
  change(types, 'Maximum=10\n', 'Maximum=11\n');
  const [ofTypes] = await compared(types, 'go/stale');
  assert.match(ofTypes!, /`messaging\.example\.com_queues\.yaml` is not what these types give for `spec\.retries`/);
  const [ofCrd] = await compared(crd, 'go/stale');
  assert.match(ofCrd!, /The types give `maximum: 11` here\. The CRD was not generated since/);
  assert.deepEqual(await definition(types, '+kubebuilder:validation:Maximum=10\n'), ['maximum: 10']);
  const [found] = (await problems(types)).filter(({ code }) => code === 'go/stale');
  const edits = await editsOf(types, found!, 'Write `messaging.example.com_queues.yaml` as these types give it');
  assert.match(edits[uriOf(crd)]![0]!.newText, /^ +maximum: 11$/m);
});

test('the CRD of a type is shown as it is while it is typed', async () => {
  change(types, 'Maximum=10\n', 'Maximum=13\n');
  const asked = { uri: uriOf(types), position: placeOf(types, '+kubebuilder:validation:Maximum=10\n', 3) };
  const shown = (await client.request<GoCrdShown | null>(goCrdRequest, asked))!;
  assert.equal(shown.name, 'queues.messaging.example.com');
  assert.equal(shown.text.split('\n')[shown.line]!.trim(), 'maximum: 13');
  const named = await client.request<GoCrdShown | null>(goCrdRequest, { uri: uriOf(types), name: shown.name });
  assert.equal(named!.text, shown.text);
});

test('a rule in a marker is tried on the resources of its kind, and a case that breaks it is written', async () => {
  const mine = 'config/queue.yaml';
  const queue = 'apiVersion: messaging.example.com/v1\nkind: Queue\nmetadata: {name: mine}\nspec: {retention: 200h}\n';
  writeFileSync(path.join(home, mine), queue);
  client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uriOf(mine), type: 1 }] });
  change(types, 'Maximum=10\n', 'Maximum=10\n');
  const position = placeOf(types, 'duration(self) <=', 2);
  const actions = await client.request<{ title: string }[]>('textDocument/codeAction', {
    textDocument: { uri: uriOf(types) },
    range: { start: position, end: position },
    context: { diagnostics: [] },
  });
  const titles = actions.map(({ title }) => title);
  for (const title of ['Try this rule on the resources of its kind', 'New case that breaks this rule'])
    assert.ok(titles.includes(title), titles.join(', '));

  const asked = { uri: uriOf(types), position };
  const tried = (await client.request<Tried | null>(tryRequest, asked))!;
  assert.equal(tried.expression, "duration(self) <= duration('168h')");
  assert.deepEqual(
    tried.objects.map(({ name, file, outcome }) => `${name} in ${file}: ${outcome}`),
    ['mine in config/queue.yaml: false'],
  );
  const [resource] = await client.request<ResourceOfKind[]>(resourcesRequest, { uri: uriOf(types) });
  assert.equal(`${resource!.kind} ${resource!.name}`, 'Queue mine');
  const values = { uri: resource!.uri, position: resource!.range.start };
  await client.request(showValuesRequest, { uri: uriOf(types), resource: values });
  const range = { start: { ...position, character: 0 }, end: { ...position, character: 200 } };
  const hints = await client.request<{ label: string; position: typeof position }[]>('textDocument/inlayHint', {
    textDocument: { uri: uriOf(types) },
    range,
  });
  const behind = hints.map((hint) => [hint.label, hint.position.character - position.character] as const);
  assert.ok(
    behind.some(([label, at]) => label === '= duration("200h0m0s")' && at === 'ration(self)'.length),
    String(behind),
  );
  await client.request(showValuesRequest, { uri: uriOf(types), resource: null });

  // As it is typed, which the generated CRD is not; and elsewhere in the file, by the rule that was named.
  change(types, "duration('168h')", "duration('300h')");
  const changed = (await client.request<Tried | null>(tryRequest, asked))!;
  assert.deepEqual(
    changed.objects.map(({ outcome }) => outcome),
    ['true'],
  );
  const start = { line: 0, character: 0 };
  const named = await client.request<Tried | null>(tryRequest, { ...asked, position: start, rule: tried.rule });
  assert.equal(named?.expression, "duration(self) <= duration('300h')");
  const scratch: Scratch = { uri: uriOf(types), rule: tried.rule! };
  assert.match((await client.request<string | null>(scratchRequest, scratch))!, /^kind: Queue$/m);

  // A case is one of the CRD that was generated: of a rule that is not in it there is none.
  const ofSpec = placeOf(types, 'self.retries == 0', 2);
  const newCase = { command: newTestCommand, arguments: [uriOf(types), ofSpec] };
  change(types, 'self.retries == 0', 'self.retries == 1');
  await client.request('workspace/executeCommand', newCase);
  assert.equal(applied.length, 0);
  change(types, 'Maximum=10\n', 'Maximum=10\n');
  await client.request('workspace/executeCommand', newCase);
  const [[uri, [written]]] = Object.entries(applied[0]!.edit.changes) as [[string, [{ newText: string }]]];
  assert.equal(uri, uriOf('config/crd/messaging.example.com_queues.crdtest.yaml'));
  assert.match(written.newText, /^crd: \.?\/?messaging\.example\.com_queues\.yaml$/m);
  assert.match(written.newText, /name: "refused: .*retries need delivery AtLeastOnce"/);
});

test('documentation and versions of what comes of the types are shown for the Go file', async () => {
  const page = (of: string) => client.request<string | null>('kubeCrd/page', { uri: uriOf(types), page: of });
  assert.match((await page('documentation'))!, /Queue[\s\S]*retries/);
  assert.match((await page('versions'))!, /v1/);
});

test('a finding of a generated CRD is mended in its types', async () => {
  change(types, '\t// +kubebuilder:validation:MaxItems=20\n', '');
  change(crd, '                maxItems: 20\n', '');
  const [found] = (await problems(crd)).filter(({ code }) => code === 'crd/rule-cost');
  const related = found!.relatedInformation?.map(({ location, message }) => `${location.uri} ${message}`);
  assert.deepEqual(related?.at(-1), `${uriOf(types)} what it is generated from`);
  const edits = await editsOf(crd, found!, 'In queue_types.go: Add `maxItems');
  assert.match(edits[uriOf(types)]![0]!.newText, /^\t\/\/ \+kubebuilder:validation:MaxItems=\d+\n$/);
});

test('markers are offered where they begin, and the signs that begin them offer nothing in YAML', async () => {
  change(types, '// +kubebuilder:validation:Maximum=10\n', '// +\n');
  const asked = (file: string, text: string, within: number, triggerCharacter: string) =>
    client.request<{ items: { label: string }[] }>('textDocument/completion', {
      textDocument: { uri: uriOf(file) },
      position: placeOf(file, text, within),
      context: { triggerKind: 2, triggerCharacter },
    });
  const offered = await asked(types, '+kubebuilder:validation:Maximum=10\n', 1, '+');
  assert.ok(offered.items.some(({ label }) => label.includes('kubebuilder:validation:Maximum')));
  assert.deepEqual((await asked(crd, 'maximum: 10', 'maximum: '.length, '+')).items, []);
});

test('types that another program changes are read again', async () => {
  change(crd, '                maxItems: 20\n', '                maxItems: 20\n');
  client.notify('textDocument/didClose', { textDocument: { uri: uriOf(types) } });
  writeFileSync(path.join(home, types), texts.get(types)!.replace('Maximum=10\n', 'Maximum=15\n'));
  client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uriOf(types), type: 2 }] });
  for (;;) {
    const [said] = await compared(crd, 'go/stale');
    if (said!.includes('The types give `maximum: 15` here.')) return;
  }
});

test('a Go file without markers is looked into no further', async () => {
  writeFileSync(path.join(home, 'main.go'), 'package main\n\nfunc main() {}\n');
  open('main.go');
  assert.deepEqual(await problems('main.go'), []);
  assert.equal(
    await client.request(goCrdRequest, { uri: uriOf('main.go'), position: { line: 0, character: 0 } }),
    null,
  );
});
