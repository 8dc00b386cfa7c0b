import type {
  DocumentDiagnosticParams,
  DocumentDiagnosticReport,
  Diagnostic as ProtocolDiagnostic,
} from 'vscode-languageserver';
import { featuresOf } from '../features/languages/languages.ts';
import { whatIsJudged, whatIsNotJudged } from '../features/problems/notJudged.ts';
import { hasSchema } from '../workspace/builtin.ts';
import type { Definitions } from '../workspace/definitions.ts';
import { namesKind, wantedOf } from '../workspace/kinds.ts';
import { isServedByChart } from '../workspace/languages/chart.ts';
import { languageAt } from '../workspace/languages/languages.ts';
import { type Snapshot, settingsFor } from '../workspace/snapshot.ts';
import { releaseLike } from '../workspace/storedCrds.ts';
import { decode } from '../workspace/uri.ts';
import { baselineSettled, lookUpBaseline, lookUpBaselines } from './baselines.ts';
import { checkKindsLater } from './checkWorkspace.ts';
import { type Context, targetOf } from './context.ts';
import { pauseAfter, publishPause, settledPause, typingPause } from './debounce.ts';
import { kindsSettled, learnOpenKinds } from './kinds.ts';
import { type Served, type Status, servedNotification, statusNotification } from './protocol.ts';
import { readMore, readSettled } from './reading.ts';
import { isAlone, type JudgedAs, type Session, workspaceSettings } from './session.ts';
import { shownTo, toProtocolDiagnostic } from './toProtocol.ts';
import { isHalfTyped } from './typing.ts';

// What the server tells by itself: diagnostics, the status bar, and which files are ours.

function diagnosticsOf(context: Context, uri: string): ProtocolDiagnostic[] {
  const to = targetOf(context, uri);
  if (!to) return [];
  const { snapshot } = context.session;
  const { diagnostics, rulesWait } = shownTo(context.client, uri, featuresOf(snapshot, uri).diagnose(snapshot, uri));
  if (rulesWait !== context.session.rulesWait.has(uri)) {
    context.session.rulesWait[rulesWait ? 'add' : 'delete'](uri);
    tellLater(context);
  }
  return diagnostics.map((one) => toProtocolDiagnostic(one, to, context.client.diagnostics));
}

/** Answers a client that asks for diagnostics. */
export async function diagnosticReport(
  context: Context,
  params: DocumentDiagnosticParams,
): Promise<DocumentDiagnosticReport> {
  const { uri } = params.textDocument;
  await settled(context, uri);
  const items = diagnosticsOf(context, uri);
  adviseAfter(context, uri);
  const { previousResultId } = params;
  // The client keeps what it shows, and moves it along with the text.
  if (previousResultId !== undefined && context.client.refresh && isHeldBack(context, uri, items)) {
    reportAfterTyping(context, uri);
    return { kind: 'unchanged', resultId: previousResultId };
  }
  return reportOf(context.session, uri, items, previousResultId);
}

/** What a file is judged by is known, or takes too long. */
async function settled(context: Context, uri: string): Promise<void> {
  await kindsSettled(context);
  await baselineSettled(context, uri);
  await readSettled(context, uri);
}

/** Characters of a text for which everything is worked out at once when it is opened. */
export const mostAtOnce = 200_000;

/** The first answer of a file is what the API server says of it, where its advice can follow. */
export function adviseLater({ session, client }: Context, uri: string): void {
  if (client.pull && !client.refresh) return;
  session.snapshot = { ...session.snapshot, adviceLater: new Set(session.snapshot.adviceLater).add(uri) };
}

/** The first answer is out: the rest follows. */
function adviseAfter(context: Context, uri: string): void {
  const { session } = context;
  if (!session.snapshot.adviceLater.has(uri)) return;
  context.host.debounce(`advice ${uri}`, 0, () => {
    adviseNow(session, uri);
    if (context.client.pull) refresh(context);
    else publishLater(context, uri, 0);
  });
}

/** From now on everything is worked out at once. */
export function adviseNow(session: Session, uri: string): void {
  if (!session.snapshot.adviceLater.has(uri)) return;
  const left = [...session.snapshot.adviceLater].filter((one) => one !== uri);
  session.snapshot = { ...session.snapshot, adviceLater: new Set(left) };
}

/**
 * The same report again is not news. An editor that takes one in as new drops the fixes that it has on screen for the old:
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
  const { snapshot } = context.session;
  const expression = featuresOf(snapshot, uri).expressionAround?.(snapshot, uri, to.positions.toOffset(typing));
  return isHalfTyped(typing, diagnostics, expression && to.positions.toRange(expression));
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
  if (!client.pull) for (const uri of session.documents.keys()) publishLater(context, uri, pauseAgain(session, uri));
  else if (client.refresh) connection.languages.diagnostics.refresh();
}

/** Looks for the kinds of an open file, or of all, that nothing defines, and has files judged again by what is found. */
export function lookForKinds(context: Context, uri?: string): void {
  const { logged, library } = context.session;
  const learned = () => {
    for (const note of library.notes())
      if (!logged.has(note) && logged.add(note)) context.connection.console.warn(note);
    tellLater(context, () => {
      lookUpBaselines(context);
      refresh(context);
    });
  };
  learnOpenKinds(context, learned, uri);
}

/** Says anew what is true of all open files, once for all that have just been opened or changed. */
function tellLater(context: Context, more?: () => void): void {
  context.host.debounce(more ? 'learned' : 'tell', settledPause, () => {
    sendServed(context);
    sendStatus(context);
    more?.();
  });
}

/** What is judged again because of something else comes once for all of that, but for files of which nothing is said yet. */
function pauseAgain({ took }: Session, uri: string): number {
  return took.has(uri) ? publishPause : 0;
}

function publishLater(context: Context, uri: string, pause: number): void {
  context.host.debounce(uri, pause, () => {
    void settled(context, uri)
      .then(() => publish(context, uri))
      .catch((error: Error) => context.log(error.stack ?? error.message));
  });
}

function publish(context: Context, uri: string): void {
  const document = context.session.documents.get(uri);
  if (!document) return;
  const start = performance.now();
  const diagnostics = diagnosticsOf(context, uri);
  context.session.took.set(uri, performance.now() - start);
  adviseAfter(context, uri);
  if (isHeldBack(context, uri, diagnostics)) reportAfterTyping(context, uri);
  else void context.connection.sendDiagnostics({ uri, version: document.version, diagnostics });
}

/** What an open file needs was read: there may be kinds in it that nobody has looked for. */
function reportRead(context: Context, uri: string): void {
  lookForKinds(context, uri);
  tellLater(context);
  refresh(context);
  tellLater(context);
}

/** What open files need has changed on disk: it is read again. */
export function reportAfterReading(context: Context): void {
  for (const uri of context.session.documents.keys()) {
    readMore(context, uri, () => reportRead(context, uri));
    if (!context.client.pull) publishLater(context, uri, pauseAgain(context.session, uri));
  }
}

/** After a change: this file at once, the others if what they are judged by has changed too. */
export function reportChange(context: Context, uri: string, definitionsBefore: Definitions): void {
  const { session, client } = context;
  if (!client.pull) publishLater(context, uri, pauseAfter(session.took.get(uri)));
  readMore(context, uri, () => reportRead(context, uri));
  const language = languageAt(session.snapshot, uri);
  if (session.readers.some((reader) => reader.judgesBy(language))) refreshLater(context);
  const others = session.snapshot.definitions !== definitionsBefore;
  if (others) {
    lookUpBaseline(context, uri);
    checkKindsLater(context, definitionsBefore);
    refreshLater(context);
  }
  const file = session.snapshot.open.get(uri);
  const { kubernetesVersion: kubernetes } = settingsFor(session.snapshot, uri);
  const shown = session.versions.get(uri) ?? workspaceSettings(session).kubernetesVersion;
  session.versions.set(uri, kubernetes);
  const isServed = isServedAt(session.snapshot, uri);
  const changed = takeJudged(context, uri) || isServed !== session.served.has(uri);
  if (others || changed || (file && (file.leftOut.length > 0 || kubernetes !== shown))) tellLater(context);
}

function refreshLater(context: Context): void {
  context.host.debounce('refresh', publishPause, () => {
    lookUpBaselines(context);
    refresh(context);
  });
}

const waitingRules = 'The rules of an object are not checked as long as it has other errors.';

/** Finds out anew what of an open file is judged, and what is not; says whether that is something else now. */
function takeJudged({ session }: Pick<Context, 'session'>, uri: string): boolean {
  const { snapshot, judged, notJudged, rulesWait } = session;
  const isOpen = snapshot.open.has(uri) || snapshot.others.has(uri);
  const why = isOpen ? whatIsNotJudged(snapshot, uri) : undefined;
  const reasons = [...(why ? [why] : []), ...(isOpen && rulesWait.has(uri) ? [waitingRules] : [])];
  const isNew = [
    note(judged, uri, isOpen ? whatIsJudged(snapshot, uri) : undefined),
    note(notJudged, uri, reasons.join(' ') || undefined),
  ];
  return isNew.includes(true);
}

/** Keeps what is true of a file now; says whether it was something else before. */
function note(kept: Map<string, string>, uri: string, now: string | undefined): boolean {
  if (kept.get(uri) === now) return false;
  if (now === undefined) kept.delete(uri);
  else kept.set(uri, now);
  return true;
}

const restricted =
  'Restricted Mode: CRDs that settings or `.kube-crd.yaml` name, caches of this machine and git are not used until you trust the workspace.';

/** Said of files that were opened without a folder. */
export const judgedAlone =
  'Without an open folder and a repository around it, a file is judged by itself: CRDs and kustomizations beside it are not looked for.';

/** What the status bar shows. */
export function sendStatus(context: Context, state?: Status['state']): void {
  const { session, client, connection } = context;
  if (!client.options.files) return;
  const { judged, notJudged, snapshot } = session;
  const known = [judged, notJudged, snapshot.open, snapshot.others].flatMap((map) => [...map.keys()]);
  for (const uri of new Set(known)) takeJudged({ session }, uri);
  const ofOpenFiles = [...session.snapshot.open.values()].flatMap(({ uri, leftOut }) =>
    leftOut.map((what) => `${uri}: ${what}`),
  );
  const all = [
    ...(session.trusted ? [] : [restricted]),
    ...([...session.documents.keys()].some((uri) => isAlone(session, uri)) ? [judgedAlone] : []),
    ...session.complaints,
    ...session.notes,
    ...session.library.notes(),
    ...ofOpenFiles,
  ];
  const notes = all.map((note) => readable(note, session.folders));
  const { kubernetesVersion: kubernetes } = workspaceSettings(session);
  const status: Status = {
    state: state ?? (notes.length > 0 ? 'limited' : 'ready'),
    kubernetes,
    byFile: Object.fromEntries(otherVersions(session.snapshot, kubernetes)),
    judged: Object.fromEntries(judged),
    ...(session.cluster && { judgedAs: judgedAsText(session.cluster) }),
    missing: session.trusted && context.host.fetcher ? missingIn(session) : 0,
    notJudged: Object.fromEntries(notJudged),
    notes: notes.slice(0, 20),
  };
  void connection.sendNotification(statusNotification, status);
}

/** How files are judged that are judged as a cluster would. */
export function judgedAsText({ context, version, crds }: JudgedAs): NonNullable<Status['judgedAs']> {
  const { release, isKnown } = releaseLike(version);
  const like = isKnown ? '' : `, which is not known here: files are judged for ${release.name}`;
  const count = crds.length === 1 ? 'Its 1 CRD counts' : `Its ${crds.length} CRDs count`;
  const said = `The cluster ${context} runs Kubernetes ${version}${like}. ${count} before all others. \
Its feature gates cannot be asked: they are taken to be as they are by default.`;
  return { cluster: context, said };
}

/** The kinds without a CRD that CRDs could be fetched for. */
function missingIn(session: Session): number {
  const { knownKinds } = workspaceSettings(session);
  const wanted = [...session.snapshot.missing.keys()].map(wantedOf);
  return wanted.filter(({ group, kind }) => !namesKind(knownKinds, group, kind)).length;
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

/** Whether completion and cards of a file are ours. */
function isServedAt(snapshot: Snapshot, uri: string): boolean {
  return hasSchema(snapshot, uri) || isServedByChart(snapshot, uri);
}

/** Tells the client which open files have schemas of ours, where that has changed. */
export function sendServed({ session, client, connection }: Context): void {
  if (!client.options.yamlExtension) return;
  const uris = [...session.snapshot.open.keys()].filter((uri) => isServedAt(session.snapshot, uri));
  if (uris.length === session.served.size && uris.every((uri) => session.served.has(uri))) return;
  session.served = new Set(uris);
  const served: Served = { uris };
  void connection.sendNotification(servedNotification, served);
}
