import type {
  DocumentDiagnosticParams,
  DocumentDiagnosticReport,
  Diagnostic as ProtocolDiagnostic,
} from 'vscode-languageserver';
import type { Range } from '../base/text.ts';
import { ruleStringAt } from '../features/golang/view.ts';
import { whatIsNotJudged } from '../features/notJudged.ts';
import { ruleAround } from '../features/selection.ts';
import { hasSchema } from '../workspace/builtin.ts';
import type { Definitions } from '../workspace/definitions.ts';
import { type Snapshot, settingsFor } from '../workspace/snapshot.ts';
import { decode } from '../workspace/uri.ts';
import { baselineSettled, lookUpBaselines } from './baselines.ts';
import { checkKindsLater } from './checkWorkspace.ts';
import { type Context, targetOf } from './context.ts';
import { pauseAfter, publishPause, typingPause } from './debounce.ts';
import { findingsOf } from './findings.ts';
import { goSettled, goView, isGo, readGo, readGoBehind, wantsMore } from './golang.ts';
import { kindsSettled, learnOpenKinds } from './kinds.ts';
import { type Served, type Status, servedNotification, statusNotification } from './protocol.ts';
import { type Session, workspaceSettings } from './session.ts';
import { toProtocolDiagnostic } from './toProtocol.ts';
import { isHalfTyped } from './typing.ts';

// What the server tells by itself: diagnostics, the status bar, and which files are ours.

function diagnosticsOf(context: Context, uri: string): ProtocolDiagnostic[] {
  const to = targetOf(context, uri);
  if (!to) return [];
  return findingsOf(context, uri).map((one) => toProtocolDiagnostic(one, to, context.client.diagnostics));
}

/** Answers a client that asks for diagnostics. */
export async function diagnosticReport(
  context: Context,
  params: DocumentDiagnosticParams,
): Promise<DocumentDiagnosticReport> {
  const { uri } = params.textDocument;
  await kindsSettled(context);
  await baselineSettled(context, uri);
  await goSettled(context, uri);
  const items = diagnosticsOf(context, uri);
  const { previousResultId } = params;
  // The client keeps what it shows, and moves it along with the text.
  if (previousResultId !== undefined && context.client.refresh && isHeldBack(context, uri, items)) {
    reportAfterTyping(context, uri);
    return { kind: 'unchanged', resultId: previousResultId };
  }
  return reportOf(context.session, uri, items, previousResultId);
}

/**
 * The same report again is no news. An editor that takes one in as new drops the fixes that it has on screen for the old:
 * whoever chose one of them a moment after a refresh would get nothing.
 */
function reportOf(
  session: Session,
  uri: string,
  items: ProtocolDiagnostic[],
  previousResultId: string | undefined,
): DocumentDiagnosticReport {
  const content = JSON.stringify([session.documents.get(uri)?.version, items]);
  const known = session.reported.get(uri);
  if (known && known.resultId === previousResultId && known.content === content)
    return { kind: 'unchanged', resultId: previousResultId };
  const resultId = String(++session.results);
  session.reported.set(uri, { resultId, content });
  return { kind: 'full', items, resultId };
}

/** Errors at the place of typing wait for a pause, so that a half-typed line does not flash. */
function isHeldBack(context: Context, uri: string, diagnostics: readonly ProtocolDiagnostic[]): boolean {
  const { typing } = context.session;
  const to = targetOf(context, uri);
  if (typing?.uri !== uri || !to) return false;
  const expression = expressionAround(context, uri, to.positions.toOffset(typing));
  return isHalfTyped(typing, diagnostics, expression && to.positions.toRange(expression));
}

function expressionAround(context: Context, uri: string, offset: number): Range | undefined {
  const view = goView(context, uri);
  if (!view) return ruleAround(context.session.snapshot, uri, offset);
  const map = ruleStringAt(view, offset)?.map;
  return map && { start: map.toText(0), end: map.toText(map.value.length) };
}

function reportAfterTyping(context: Context, uri: string): void {
  context.host.debounce(uri, typingPause, () => {
    context.session.typing = undefined;
    if (context.client.pull) refresh(context);
    else publishLater(context, uri, 0);
  });
}

/** Open files are judged again: by the client's own questions where it asks, else by us. */
export function refresh(context: Context): void {
  const { client, connection, session } = context;
  if (!client.pull) for (const uri of session.documents.keys()) publishLater(context, uri);
  else if (client.refresh) connection.languages.diagnostics.refresh();
}

/** Looks for the kinds of open files that nothing defines, and has the files judged again by what is found. */
export function lookForKinds(context: Context): void {
  const { logged, library } = context.session;
  learnOpenKinds(context, () => {
    for (const note of library.notes())
      if (!logged.has(note) && logged.add(note)) context.connection.console.warn(note);
    sendServed(context);
    sendStatus(context);
    lookUpBaselines(context);
    refresh(context);
  });
}

function publishLater(context: Context, uri: string, pause = publishPause): void {
  context.host.debounce(uri, pause, () => {
    const document = context.session.documents.get(uri);
    if (!document) return;
    const start = performance.now();
    const diagnostics = diagnosticsOf(context, uri);
    context.session.took.set(uri, performance.now() - start);
    if (isHeldBack(context, uri, diagnostics)) reportAfterTyping(context, uri);
    else void context.connection.sendDiagnostics({ uri, version: document.version, diagnostics });
  });
}

/** After a change of a Go file, or what it needs. */
export function reportGo(context: Context, uri: string): void {
  const { session, client, host } = context;
  if (!client.pull) publishLater(context, uri, pauseAfter(session.took.get(uri)));
  if (!goView(context, uri) || wantsMore(context, uri)) readGo(context, uri, () => refresh(context));
  // What is said of generated CRDs rests on the types.
  if ((session.golang?.groups.size ?? 0) > 0) host.debounce('refresh', publishPause, () => refresh(context));
}

/** Go files have changed on disk. */
export function reportAfterGo(context: Context): void {
  for (const one of context.session.documents.values()) {
    if (isGo(one)) reportGo(context, one.uri);
    else readGoBehind(context, one.uri, () => refresh(context));
  }
}

/** After a change: this file at once, the others if what they are judged by has changed too. */
export function reportChange(context: Context, uri: string, definitionsBefore: Definitions): void {
  const { session, client, host } = context;
  if (!client.pull) publishLater(context, uri, pauseAfter(session.took.get(uri)));
  readGoBehind(context, uri, () => refresh(context));
  sendServed(context);
  if (session.snapshot.definitions !== definitionsBefore) {
    lookUpBaselines(context);
    checkKindsLater(context, definitionsBefore);
    host.debounce('refresh', publishPause, () => refresh(context));
  }
  const file = session.snapshot.open.get(uri);
  const { kubernetesVersion: kubernetes } = settingsFor(session.snapshot, uri);
  const shown = session.versions.get(uri) ?? workspaceSettings(session).kubernetesVersion;
  session.versions.set(uri, kubernetes);
  const changed = takeNotJudged(context);
  if (file && (changed || file.leftOut.length > 0 || kubernetes !== shown)) sendStatus(context);
}

/** Finds out anew what of the open files is not judged; says whether that is something else now. */
function takeNotJudged({ session }: Pick<Context, 'session'>): boolean {
  const found = new Map<string, string>();
  for (const uri of session.snapshot.open.keys()) {
    const why = whatIsNotJudged(session.snapshot, uri);
    if (why !== undefined) found.set(uri, why);
  }
  const same =
    found.size === session.notJudged.size && [...found].every(([uri, why]) => session.notJudged.get(uri) === why);
  session.notJudged = found;
  return !same;
}

/** What the status bar shows. */
export function sendStatus({ session, client, connection }: Context, state?: Status['state']): void {
  if (!client.options.files) return;
  takeNotJudged({ session });
  const ofOpenFiles = [...session.snapshot.open.values()].flatMap(({ uri, leftOut }) =>
    leftOut.map((what) => `${uri}: ${what}`),
  );
  const all = [...session.complaints, ...session.notes, ...session.library.notes(), ...ofOpenFiles];
  const notes = all.map((note) => readable(note, session.folders));
  const { kubernetesVersion: kubernetes } = workspaceSettings(session);
  const status: Status = {
    state: state ?? (notes.length > 0 ? 'limited' : 'ready'),
    kubernetes,
    byFile: Object.fromEntries(otherVersions(session.snapshot, kubernetes)),
    notJudged: Object.fromEntries(session.notJudged),
    notes: notes.slice(0, 20),
  };
  void connection.sendNotification(statusNotification, status);
}

/** A note as a person reads it: paths from the workspace's folders instead of addresses. */
function readable(note: string, folders: readonly string[]): string {
  const folder = folders.find((one) => note.startsWith(`${one}/`));
  const [address = '', ...rest] = note.slice(folder === undefined ? 0 : folder.length + 1).split(/(?=:? )/);
  const isAddress = folder !== undefined || address.startsWith('file://');
  return isAddress ? decode(address.replace(/^file:\/\//, '')) + rest.join('') : note;
}

function otherVersions(snapshot: Snapshot, usual: string): [uri: string, version: string][] {
  const all = [...snapshot.open.keys()].map((uri): [string, string] => [
    uri,
    settingsFor(snapshot, uri).kubernetesVersion,
  ]);
  return all.filter(([, version]) => version !== usual);
}

/** Tells the client which open files have schemas of ours, where that has changed. */
export function sendServed({ session, client, connection }: Context): void {
  if (!client.options.yamlExtension) return;
  const uris = [...session.snapshot.open.keys()].filter((uri) => hasSchema(session.snapshot, uri));
  if (uris.join('\n') === session.served.join('\n')) return;
  session.served = uris;
  const served: Served = { uris };
  void connection.sendNotification(servedNotification, served);
}
