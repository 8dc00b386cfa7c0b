import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type RunTests,
  runTestsRequest,
  type TestOutcome,
  type TestPlace,
  testsRequest,
} from '../../server/src/lsp/protocol.ts';

const pattern = '**/*.crdtest.{yaml,yml}';

/** Tests of CRDs in the view of tests: a file each, with its cases. */
export function tests(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  const controller = vscode.tests.createTestController('kubeCrd.tests', 'Tests of CRDs');
  const fileItem = (uri: vscode.Uri) => {
    const known = controller.items.get(uri.toString());
    if (known) return known;
    const item = controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    item.canResolveChildren = true;
    controller.items.add(item);
    return item;
  };
  const readCases = async (item: vscode.TestItem) => {
    await start();
    const places = await client.sendRequest<TestPlace[]>(testsRequest, { uri: item.id });
    // Items that stay keep their results, and those of a run that is under way.
    const gone = new Set<string>();
    item.children.forEach(({ id }) => {
      gone.add(id);
    });
    for (const place of places) {
      putCase(controller, item, place);
      gone.delete(place.id);
    }
    for (const id of gone) item.children.delete(id);
  };
  const findFiles = async () => {
    for (const uri of await vscode.workspace.findFiles(pattern, '**/node_modules/**')) fileItem(uri);
  };
  controller.resolveHandler = (item) => (item ? readCases(item) : findFiles());
  controller.refreshHandler = async () => {
    controller.items.replace([]);
    await findFiles();
  };
  const run = async (request: vscode.TestRunRequest) => {
    // All may be asked for before the view was ever looked at.
    if (!request.include) await findFiles();
    const running = controller.createTestRun(request);
    for (const [file, cases] of byFile(request, controller)) await runFile(client, running, file, cases, readCases);
    running.end();
  };
  const continuous = new Set<vscode.TestRunRequest>();
  const rerun = debounced(async () => {
    for (const request of continuous) await run(request);
  });
  const profile = controller.createRunProfile(
    'Run',
    vscode.TestRunProfileKind.Run,
    async (request, token) => {
      if (!request.continuous) return await run(request);
      continuous.add(request);
      token.onCancellationRequested(() => continuous.delete(request));
    },
    true,
    undefined,
    true,
  );
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  const changed = ({ document }: { readonly document: vscode.TextDocument }) => {
    const item = controller.items.get(document.uri.toString());
    if (item && item.children.size > 0) void readCases(item);
    if (document.languageId === 'yaml') rerun();
  };
  return vscode.Disposable.from(
    controller,
    profile,
    watcher,
    watcher.onDidCreate(fileItem),
    watcher.onDidDelete((uri) => controller.items.delete(uri.toString())),
    vscode.workspace.onDidChangeTextDocument(changed),
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (/\.crdtest\.ya?ml$/.test(document.uri.path)) void readCases(fileItem(document.uri));
    }),
  );
}

function putCase(controller: vscode.TestController, file: vscode.TestItem, { id, name, range }: TestPlace): void {
  const item = file.children.get(id) ?? controller.createTestItem(id, name, file.uri);
  item.label = name;
  item.range = rangeOf(range);
  file.children.add(item);
}

function rangeOf({ start, end }: TestPlace['range']): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** What was asked for, by file: some of its cases, or all. */
function byFile({ include, exclude }: vscode.TestRunRequest, { items }: vscode.TestController) {
  const files = new Map<vscode.TestItem, vscode.TestItem[] | undefined>();
  const all: vscode.TestItem[] = [];
  items.forEach((item) => {
    all.push(item);
  });
  for (const item of include ?? all) {
    if (exclude?.includes(item)) continue;
    if (!item.parent) files.set(item, undefined);
    else if (!files.has(item.parent)) files.set(item.parent, [item]);
    else files.get(item.parent)?.push(item);
  }
  return files;
}

async function runFile(
  client: BaseLanguageClient,
  running: vscode.TestRun,
  file: vscode.TestItem,
  cases: readonly vscode.TestItem[] | undefined,
  readCases: (item: vscode.TestItem) => Promise<void>,
): Promise<void> {
  if (file.children.size === 0) await readCases(file);
  const asked: RunTests = { uri: file.id, ...(cases && { ids: cases.map(({ id }) => id) }) };
  const outcomes = await client.sendRequest<TestOutcome[]>(runTestsRequest, asked);
  for (const { id, name, range, failures, milliseconds } of outcomes) {
    const item = file.children.get(id);
    if (!failures || (cases && item && !cases.includes(item))) continue;
    const messages = failures.map((failure) => new vscode.TestMessage(item ? failure : `${name}: ${failure}`));
    for (const message of messages) if (file.uri) message.location = new vscode.Location(file.uri, rangeOf(range));
    if (messages.length > 0) running.failed(item ?? file, messages, milliseconds);
    else if (item) running.passed(item, milliseconds);
  }
}

const pauseMs = 300;

function debounced(run: () => Promise<void>): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void run(), pauseMs);
  };
}
