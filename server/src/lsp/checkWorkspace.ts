import type { WorkDoneProgressReporter } from 'vscode-languageserver';
import { append } from '../base/append.ts';
import { counted } from '../base/text.ts';
import { type ChartFinding, findingsOfTemplate, told } from '../features/charts/diagnoseChart.ts';
import { ofWholeChart } from '../features/charts/wholeChart.ts';
import { withBuilds } from '../features/kustomizations/diagnoseBuild.ts';
import { diagnose } from '../features/problems/diagnose.ts';
import type { Diagnostic } from '../rules/model/diagnostic.ts';
import type { Baseline } from '../workspace/baseline/baseline.ts';
import { clusterFor } from '../workspace/charts/cluster.ts';
import { renderingsOf } from '../workspace/charts/renderings.ts';
import type { Definitions } from '../workspace/definitions.ts';
import { isChartTemplate } from '../workspace/fileNames.ts';
import { madeOfBuilds } from '../workspace/kustomizations/builds.ts';
import { madeOfCharts } from '../workspace/languages/chart.ts';
import { defaultLimits } from '../workspace/limits.ts';
import type { Manifest } from '../workspace/manifest.ts';
import { textOf } from '../workspace/scan.ts';
import { settingsFor, withBaseline, withOpen } from '../workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { testReasonIn } from '../workspace/testData.ts';
import { baseName, folderOf, isInside } from '../workspace/uri.ts';
import { type Context, docsOf } from './context.ts';
import { checkPause } from './debounce.ts';
import { learnKinds } from './kinds.ts';
import { CancellationToken } from './library.ts';
import { positionsOf } from './position.ts';
import type { Checked } from './protocol.ts';
import { filesThat, type Session, workspaceSettings } from './session.ts';
import { shownTo, type Target, toProtocolDiagnostic } from './toProtocol.ts';

/** What a text needs to hold Kubernetes objects at all, JSON's included. */
export const objects = /^[ \t]*(?:- )?kind:|"kind"/m;

/** Judges every file of the workspace, with a progress that the user can cancel. */
export async function checkWorkspace(context: Context, part?: (text: string) => boolean): Promise<Checked> {
  const { connection, client } = context;
  if (!client.progress) return checkFiles(context, part, CancellationToken.None, { report: () => {} });
  const progress = await connection.window.createWorkDoneProgress();
  progress.begin('Checking the workspace', 0, 'waiting for its CRDs to be read', true);
  try {
    return await checkFiles(context, part, progress.token, progress);
  } finally {
    progress.done();
  }
}

/** Sends the diagnostics of the files that are not open; those of the others are sent or asked for as ever. */
async function checkFiles(
  context: Context,
  part: ((text: string) => boolean) | undefined,
  token: CancellationToken,
  progress: Pick<WorkDoneProgressReporter, 'report'>,
): Promise<Checked> {
  const { session, files } = context;
  // Whoever checks all files ends what goes on; whoever checks some must not, for the others would stay unchecked.
  const turn = part ? session.check : ++session.check;
  const passes = part ?? ((text: string) => objects.test(text));
  const counts = { checked: 0, errors: 0, others: 0, tests: 0 };
  // As `kube-crd check` does.
  const isAsked = (uri: string) => {
    const isOfTest = testReasonIn(uri, session.folders) !== undefined;
    if (isOfTest) counts.tests++;
    return !isOfTest;
  };
  await allLoaded(session);
  const isEnded = () => token.isCancellationRequested || turn !== session.check;
  const count = (found: readonly Diagnostic[]) => {
    for (const { severity } of found) {
      if (severity === 'error') counts.errors++;
      // Hints do not show in the list of problems.
      else if (severity !== 'hint') counts.others++;
    }
  };
  // What a template renders is judged with its chart.
  const roots = (await chartRoots(context)).filter(isAsked);
  const isRendered = (uri: string) => isChartTemplate(uri) && roots.some((root) => isInside(uri, folderOf(root)));
  const told = new Map<string, readonly Diagnostic[]>();
  const found = filesThat(session, files, passes, shareOf(progress), isAsked);
  for await (const { file, ready } of ahead(found, (one) => prepared(context, one))) {
    if (isEnded()) return counts;
    counts.checked++;
    const baseline = await ready;
    if (isRendered(file.uri) && !session.documents.has(file.uri)) continue;
    const own = judgeFile(context, file, baseline);
    if (own.length > 0) told.set(file.uri, own);
    count(own);
  }
  if (!part) await checkCharts(context, roots, { told, count, isEnded, report: (words) => progress.report(words) });
  return counts;
}

async function chartRoots({ session, files }: Context): Promise<string[]> {
  const listings = await Promise.all(session.folders.map((folder) => files.list(folder, defaultLimits.files)));
  const all = listings.flatMap(({ uris }) => uris).filter((uri) => baseName(uri) === 'Chart.yaml');
  return all.filter((uri) => settingsFor(session.snapshot, uri).charts);
}

interface CheckOfCharts {
  /** What was said of files for themselves: the list that is sent replaces it. */
  readonly told: ReadonlyMap<string, readonly Diagnostic[]>;
  readonly count: (found: readonly Diagnostic[]) => void;
  readonly isEnded: () => boolean;
  readonly report: (words: string) => void;
}

/** Judges what charts render, one after the other, and lets go of those that no open file needs. */
async function checkCharts(context: Context, roots: readonly string[], run: CheckOfCharts): Promise<void> {
  const { session } = context;
  for (const [i, root] of roots.entries()) {
    if (run.isEnded()) return;
    run.report(`${i + 1} of ${counted(roots.length, 'chart')}`);
    const isKept = session.snapshot.charts.has(folderOf(root));
    const found = await foundInChartAt(context, root, run.isEnded);
    if (!isKept) for (const reader of session.readers) reader.forget(root);
    if (run.isEnded()) return;
    for (const [uri, all] of byFile(found)) await tellOfChart(context, uri, all, run);
  }
}

/** Everything that is found in what a chart renders, one template after the other. */
async function foundInChartAt(context: Context, uri: string, isEnded: () => boolean): Promise<ChartFinding[]> {
  const { session } = context;
  for (const reader of session.readers) await reader.read(uri);
  const root = folderOf(uri);
  const chart = session.snapshot.charts.get(root);
  if (!chart) return [];
  await learnKinds(context, madeOfCharts(session.snapshot, uri));
  const found = ofWholeChart(session.snapshot, chart);
  for (const name of renderingsOf(chart, clusterFor(session.snapshot, root)).names) {
    const turn = `check of charts ${session.waits++}`;
    await new Promise<void>((resolve) => context.host.debounce(turn, 0, resolve));
    if (isEnded()) return [];
    append(found, findingsOfTemplate(session.snapshot, chart, name));
  }
  return [...told(session.snapshot, chart, found)];
}

function byFile(found: readonly ChartFinding[]): ReadonlyMap<string, Diagnostic[]> {
  const files = new Map<string, Diagnostic[]>();
  for (const { uri, diagnostic } of found) {
    const known = files.get(uri);
    if (known) known.push(diagnostic);
    else files.set(uri, [diagnostic]);
  }
  return files;
}

async function tellOfChart(context: Context, uri: string, found: Diagnostic[], run: CheckOfCharts): Promise<void> {
  const { session, client, files } = context;
  run.count(found);
  // What is open asks for its own.
  const isOwn = session.folders.some((folder) => isInside(uri, folder));
  if (session.documents.has(uri) || !isOwn) return;
  const text = textOf(await files.read(uri, defaultLimits.fileBytes));
  if (text === undefined) return;
  send(context, uri, text, shownTo(client, uri, [...(run.told.get(uri) ?? []), ...found]).diagnostics);
}

/** A verdict that does not know the workspace's CRDs yet is none; a load that begins meanwhile is waited for as well. */
async function allLoaded(session: Session): Promise<void> {
  for (let load = session.loaded; ; load = session.loaded) {
    await load;
    if (load === session.loaded) return;
  }
}

/** Reports the share of the files that were looked at, whenever it is another percentage. */
function shareOf(progress: Pick<WorkDoneProgressReporter, 'report'>): (done: number, total: number) => void {
  let last = 0;
  return (done, total) => {
    const share = Math.floor((100 * done) / total);
    if (share !== last) progress.report(share, `${done} of ${counted(total, 'file')}`);
    last = share;
  };
}

/** So many files are made ready while one is judged: git answers in the meantime. */
const mostAhead = 8;

async function* ahead<Ready>(
  files: AsyncIterable<SourceFile>,
  prepare: (file: SourceFile) => Promise<Ready>,
): AsyncGenerator<{ readonly file: SourceFile; readonly ready: Promise<Ready> }> {
  const waiting: { readonly file: SourceFile; readonly ready: Promise<Ready> }[] = [];
  for await (const file of files) {
    const ready = prepare(file);
    // Whoever waits for it is told of a failure; nobody may.
    ready.catch(() => {});
    waiting.push({ file, ready });
    if (waiting.length > mostAhead) yield waiting.shift()!;
  }
  yield* waiting;
}

/** Reads what a file is judged by; gives what was committed of it. */
async function prepared(context: Context, file: SourceFile): Promise<Baseline | undefined> {
  const { session, baselines } = context;
  await learnKinds(context, [file, ...(await readBuilds(context, file))]);
  if (session.documents.has(file.uri) || !baselines) return undefined;
  const snapshot = withOpen(session.snapshot, file);
  return await baselines.reader.loadOneOfMany(file, settingsFor(snapshot, file.uri).baseline, snapshot.definitions);
}

/** What is built with a file, once all that it takes was read. */
async function readBuilds({ session }: Context, file: SourceFile): Promise<readonly SourceFile[]> {
  for (const reader of session.readers) if (reader.forClosed) await reader.read(file.uri, file);
  return madeOfBuilds(session.snapshot, file.uri);
}

async function checkFile(context: Context, file: SourceFile): Promise<readonly Diagnostic[]> {
  return judgeFile(context, file, await prepared(context, file));
}

function judgeFile(context: Context, file: SourceFile, baseline: Baseline | undefined): readonly Diagnostic[] {
  const { session } = context;
  const { uri } = file;
  const opened = withOpen(session.snapshot, file);
  const snapshot = baseline ? withBaseline(opened, uri, baseline) : opened;
  const found = shownTo(context.client, uri, withBuilds(snapshot, uri, diagnose(snapshot, uri))).diagnostics;
  // It may have been opened meanwhile.
  if (session.documents.has(uri)) return found;
  send(context, uri, file.text, found);
  return found;
}

/** The diagnostics of a file that is not open; none are sent only to take back others. */
function send(context: Context, uri: string, text: string, found: readonly Diagnostic[]): void {
  const { session, connection } = context;
  const target = fileTarget(context, uri, text);
  const diagnostics = found.map((diagnostic) => toProtocolDiagnostic(diagnostic, target, context.client.diagnostics));
  if (diagnostics.length > 0) session.published.add(uri);
  else if (!session.published.delete(uri)) return;
  void connection.sendDiagnostics({ uri, diagnostics });
}

function fileTarget({ client, host }: Context, uri: string, text: string): Target {
  const positions = positionsOf(text, client.encoding);
  return { uri, version: 0, positions, positionsOf: () => undefined, docs: docsOf(client, host) };
}

/** A file that is opened gets its diagnostics as open files do: what was sent before is taken back. */
export function takeBack({ session, connection }: Context, uri: string): void {
  if (session.published.delete(uri)) void connection.sendDiagnostics({ uri, diagnostics: [] });
}

function checksAll({ session }: Context): boolean {
  return workspaceSettings(session).check === 'workspace';
}

/** If the settings ask for it, all files are judged again once things have settled. */
export function checkAllLater(context: Context): void {
  if (!checksAll(context)) return;
  context.host.debounce('check', checkPause, () => {
    context.session.checkedBy = undefined;
    run(context);
  });
}

/** If the settings ask for it, the files of the kinds that have changed are judged again. */
export function checkKindsLater(context: Context, before: Definitions): void {
  if (!checksAll(context)) return;
  const { session } = context;
  session.checkedBy ??= before;
  context.host.debounce('check kinds', checkPause, () => {
    const kinds = changedKinds(session.checkedBy ?? before, session.snapshot.definitions);
    session.checkedBy = undefined;
    run(context, (text) => objects.test(text) && kinds.some((word) => text.includes(word)));
  });
}

function run(context: Context, part?: (text: string) => boolean): void {
  checkWorkspace(context, part).catch((error: Error) => context.log(error.stack ?? error.message));
}

/** The kinds that are defined otherwise; of those that came or went the group, since names may be meant for them. */
function changedKinds(before: Definitions, after: Definitions): string[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  const same = (key: string) => {
    const [old, now] = [before.get(key) ?? [], after.get(key) ?? []];
    // A value may have to be made from its text: it is asked for only where the manifest is another one.
    const isSame = (a: Manifest, b: Manifest) => a === b || a.value === b.value;
    return old.length === now.length && old.every(({ manifest }, i) => isSame(manifest, now[i]!.manifest));
  };
  const nameOf = (key: string) =>
    before.has(key) && after.has(key) ? key.slice(key.indexOf('/') + 1) : key.slice(0, key.indexOf('/'));
  return [...keys].filter((key) => !same(key)).map(nameOf);
}

/** A file that is closed, or changed on disk, is judged as it is on disk, if the settings ask for that. */
export async function checkClosed(context: Context, uri: string): Promise<void> {
  if (!checksAll(context) || context.session.documents.has(uri)) return;
  const text = textOf(await context.files.read(uri, defaultLimits.fileBytes));
  if (text !== undefined && objects.test(text)) await checkFile(context, sourceFile(uri, text));
  else takeBack(context, uri);
}
