import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type CoverTests,
  type CrdFileCoverage,
  coverTestsRequest,
  type DebugTest,
  debugEnd,
  debugScheme,
  debugTestHere,
  debugTestRequest,
  isTestFile,
  newTestCommand,
  type RunTests,
  runTestsHere,
  runTestsRequest,
  showTestsHere,
  type TestCoverage,
  type TestOutcome,
  type TestPlace,
  testGlobs,
  testsRequest,
} from '../../server/src/lsp/protocol.ts';
import { editorAtHand } from './firstSteps.ts';
import { afterPause } from './pause.ts';
import { filesBelow } from './workspaceFiles.ts';

const pattern = `**/{${testGlobs.join(',')}}`;
/** More files of tests than anybody looks through. */
const mostFiles = 10_000;

/** Tests of CRDs in the view of tests: a file each, with its cases. */
export function tests(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  const controller = vscode.tests.createTestController('kubeCrd.tests', vscode.l10n.t('Tests of CRDs'));
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
    for (const folder of vscode.workspace.workspaceFolders ?? [])
      for (const uri of await filesBelow(folder.uri, testGlobs, mostFiles)) fileItem(uri);
  };
  controller.resolveHandler = (item) => (item ? readCases(item) : findFiles());
  controller.refreshHandler = async () => {
    controller.items.replace([]);
    await findFiles();
  };
  const begin = async (request: vscode.TestRunRequest) => {
    // All may be asked for before the view was ever looked at.
    if (!request.include) await findFiles();
    const chosen = byFile(request, controller);
    for (const file of chosen.keys()) if (file.children.size === 0) await readCases(file);
    return { running: controller.createTestRun(request), chosen };
  };
  const run = async (request: vscode.TestRunRequest) => {
    const { running, chosen } = await begin(request);
    const failed: vscode.TestItem[] = [];
    for (const [file, cases] of chosen) {
      const outcomes = await client.sendRequest<TestOutcome[]>(runTestsRequest, askedOf(file, cases));
      failed.push(...showOutcomes(running, file, cases, outcomes));
    }
    running.end();
    return failed;
  };
  const covered = new WeakMap<vscode.FileCoverage, CrdFileCoverage>();
  /** One request for all files: several of them may be about the same CRD. */
  const cover = async (request: vscode.TestRunRequest) => {
    const { running, chosen } = await begin(request);
    const asked: CoverTests = { files: [...chosen].map(([file, cases]) => askedOf(file, cases)) };
    const { runs, crds, text } = await client.sendRequest<TestCoverage>(coverTestsRequest, asked);
    const outcomes = new Map(runs.map((one) => [one.uri, one.outcomes]));
    for (const [file, cases] of chosen) showOutcomes(running, file, cases, outcomes.get(file.id) ?? []);
    running.appendOutput(text.replaceAll('\n', '\r\n'));
    for (const crd of crds) {
      const counts = [crd.statements, crd.branches].map(({ done, all }) => new vscode.TestCoverageCount(done, all));
      const shown = new vscode.FileCoverage(vscode.Uri.parse(crd.uri, true), counts[0]!, counts[1]!);
      covered.set(shown, crd);
      running.addCoverage(shown);
    }
    running.end();
  };
  const continuous = new Set<vscode.TestRunRequest>();
  const rerun = afterPause(pauseMs, async () => {
    // A run for a request that is answered already is shown nowhere: each run has its own.
    for (const { include, exclude, profile } of continuous)
      await run(new vscode.TestRunRequest(include, exclude, profile, true));
  });
  const profile = controller.createRunProfile(
    vscode.l10n.t('Run'),
    vscode.TestRunProfileKind.Run,
    async (request, token) => {
      if (request.continuous) continuous.add(request);
      else await run(request);
      token.onCancellationRequested(() => continuous.delete(request));
    },
    true,
    undefined,
    true,
  );
  const debugging = controller.createRunProfile(
    vscode.l10n.t('Debug'),
    vscode.TestRunProfileKind.Debug,
    async (request) => {
      const failed = await run(request);
      const chosen = (request.include ?? []).filter(({ parent }) => parent !== undefined);
      // Of whole files those are of interest that fail.
      for (const { uri, id } of (chosen.length > 0 ? chosen : failed).slice(0, mostPages))
        if (uri) await showCase(uri.toString(), id);
    },
  );
  const coverage = controller.createRunProfile(
    vscode.l10n.t('Coverage'),
    vscode.TestRunProfileKind.Coverage,
    cover,
    true,
  );
  coverage.loadDetailedCoverage = async (_, file) => coveredPlaces(covered.get(file));
  const runHere = async (uri: string, ids?: readonly string[]) => {
    const file = fileItem(vscode.Uri.parse(uri, true));
    await readCases(file);
    const wanted = ids?.flatMap((id) => file.children.get(id) ?? []) ?? [file];
    await run(new vscode.TestRunRequest(wanted, undefined, profile));
  };
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  const changed = ({ document }: { readonly document: vscode.TextDocument }) => {
    const item = controller.items.get(document.uri.toString());
    if (item && item.children.size > 0) void readCases(item);
    if (document.languageId === 'yaml') rerun();
  };
  return vscode.Disposable.from(
    controller,
    profile,
    debugging,
    coverage,
    casePages(client, start),
    vscode.commands.registerCommand(runTestsHere, runHere),
    vscode.commands.registerCommand(debugTestHere, showCase),
    vscode.commands.registerCommand(showTestsHere, showTests),
    vscode.commands.registerCommand('kubeCrd.newTest', newTest),
    watcher,
    watcher.onDidCreate(fileItem),
    watcher.onDidDelete((uri) => controller.items.delete(uri.toString())),
    vscode.workspace.onDidChangeTextDocument(changed),
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (isTestFile(document.uri.path)) void readCases(fileItem(document.uri));
    }),
  );
}

/** How many pages one wish to debug opens. */
const mostPages = 3;

/** Pages that show what cases evaluate; package.json has them shown rendered. */
function casePages(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const refresh = afterPause(pauseMs, async () => {
    const shown = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === debugScheme);
    for (const { uri } of shown) changed.fire(uri);
  });
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(debugScheme, {
      onDidChange: changed.event,
      async provideTextDocumentContent({ query, fragment }) {
        await start();
        const asked: DebugTest = { uri: query, id: fragment };
        return (
          (await client.sendRequest<string | null>(debugTestRequest, asked)) ??
          `${vscode.l10n.t('There is no such case any more.')}\n`
        );
      },
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) =>
      document.languageId === 'yaml' ? refresh() : undefined,
    ),
  );
}

async function showCase(uri: string, id: string): Promise<void> {
  const { path } = vscode.Uri.parse(uri, true);
  const page = vscode.Uri.from({ scheme: debugScheme, path: `${path}${debugEnd}`, query: uri, fragment: id });
  await vscode.commands.executeCommand('vscode.open', page, vscode.ViewColumn.Beside);
}

/** Shows the cases that are about a rule, in place. */
async function showTests(uri: string, at: TestPlace['range']['start'], places: readonly PlaceOfTest[]): Promise<void> {
  const found = places.map((place) => new vscode.Location(vscode.Uri.parse(place.uri, true), rangeOf(place.range)));
  const position = new vscode.Position(at.line, at.character);
  await vscode.commands.executeCommand('editor.action.showReferences', vscode.Uri.parse(uri, true), position, found);
}

/** Writes a test of what is at the cursor: a resource, or a rule. */
async function newTest(): Promise<void> {
  const editor = await editorAtHand();
  const { line, character } = editor.selection.active;
  await vscode.commands.executeCommand(newTestCommand, editor.document.uri.toString(), { line, character });
}

interface PlaceOfTest {
  readonly uri: string;
  readonly range: TestPlace['range'];
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

function askedOf(file: vscode.TestItem, cases: readonly vscode.TestItem[] | undefined): RunTests {
  return { uri: file.id, ...(cases && { ids: cases.map(({ id }) => id) }) };
}

/** Shows what came of the cases of a file; gives those that failed. */
function showOutcomes(
  running: vscode.TestRun,
  file: vscode.TestItem,
  cases: readonly vscode.TestItem[] | undefined,
  outcomes: readonly TestOutcome[],
): vscode.TestItem[] {
  const failed: vscode.TestItem[] = [];
  for (const { id, name, range, failures, unlike, milliseconds } of outcomes) {
    const item = file.children.get(id);
    if (!failures || (cases && item && !cases.includes(item))) continue;
    const messages = failures.map((failure) => new vscode.TestMessage(item ? failure : `${name}: ${failure}`));
    const [first] = messages;
    if (first && unlike) Object.assign(first, { expectedOutput: unlike.wanted, actualOutput: unlike.found });
    for (const message of messages) if (file.uri) message.location = new vscode.Location(file.uri, rangeOf(range));
    if (messages.length > 0 && item) failed.push(item);
    if (messages.length > 0) running.failed(item ?? file, messages, milliseconds);
    else if (item) running.passed(item, milliseconds);
  }
  return failed;
}

/** What can go two ways has a branch for each, so that the editor says at its end which of them is missing. */
function coveredPlaces(crd: CrdFileCoverage | undefined): vscode.StatementCoverage[] {
  return (crd?.points ?? []).map(({ range, ways }) => {
    const hits = ways.reduce((sum, way) => sum + way.hits, 0);
    const branches = ways.map((way) => new vscode.BranchCoverage(way.hits, undefined, way.name));
    return new vscode.StatementCoverage(hits, rangeOf(range), branches.length > 1 ? branches : []);
  });
}

const pauseMs = 300;
