import type { CodeAction, CodeActionParams, Diagnostic, Range } from 'vscode-languageserver';
import type { Features, Told } from '../features/languages/features.ts';
import { featuresOf } from '../features/languages/languages.ts';
import type { Ask, Fix, Marker } from '../rules/model/diagnostic.ts';
import { fixAllKind } from './capabilities.ts';
import { type Context, targetOf } from './context.ts';
import { CodeActionKind } from './library.ts';
import { newTestActions } from './newTest.ts';
import { copyCommand, fetchCommand, knownKindCommand, nameCrdsCommand } from './protocol.ts';
import { type DiagnosticData, type Target, toCodeAction } from './toProtocol.ts';
import { tryActions } from './trying.ts';

export function answerCodeActions(context: Context, params: CodeActionParams): CodeAction[] {
  const to = targetOf(context, params.textDocument.uri);
  const { only, diagnostics } = params.context;
  const asked = (kind: string) => only?.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`));
  // Older clients take commands only, and we have none that fix anything.
  if (!to || !context.client.codeActions) return [];
  if (asked(fixAllKind)) return wholeFile(context, to);
  const wants = (kind: string) => only === undefined || asked(kind);
  return [
    ...(wants(CodeActionKind.QuickFix) ? allQuickFixes(context, to, diagnostics) : []),
    ...[
      ...refactorings(context, to, params.range),
      ...newTestActions(context, to, params.range.start),
      ...tryActions(context, to, params.range.start),
    ].filter(({ kind }) => wants(kind ?? '')),
  ];
}

/** A fix of another file than the one that is asked about, be it open or not. */
function actionIn(context: Context, to: Target, uri: string, fix: Fix, diagnostic: Diagnostic): CodeAction[] {
  const positions = to.positionsOf(uri);
  if (!positions) return [];
  const version = context.session.documents.get(uri)?.version;
  const target = { ...to, uri, positions, version: version ?? 0 };
  const isVersioned = context.client.documentChanges && version !== undefined;
  return [toCodeAction(fix, [diagnostic], target, isVersioned)];
}

/** Of how many diagnostics at one place fixes are looked for: a longer menu would not help. */
const mostDiagnostics = 20;

function allQuickFixes(context: Context, to: Target, diagnostics: readonly Diagnostic[]): CodeAction[] {
  const few = diagnostics.slice(0, mostDiagnostics).flatMap((diagnostic) => {
    const data = dataOf(context, to, diagnostic);
    return data ? [{ diagnostic, data }] : [];
  });
  const fixes = few.flatMap((found) => quickFixes(context, to, found, few.length));
  return distinct([...fixes, ...silencingActions(context, to, few)]);
}

/** Several diagnostics at one place can offer the same, in other words too. */
function distinct(actions: readonly CodeAction[]): CodeAction[] {
  const idOf = ({ title, edit, data, command }: CodeAction) => JSON.stringify(edit ?? [title, data, command]);
  const first = new Map<string, CodeAction>();
  for (const action of actions) {
    const id = idOf(action);
    if (!first.has(id)) first.set(id, action);
  }
  return [...first.values()];
}

/** What starts from the cursor, not from a problem. */
function refactorings({ session, client }: Context, to: Target, { start }: Range): CodeAction[] {
  const offset = to.positions.toOffset(start);
  const assists = featuresIn(session, to).assists?.(session.snapshot, to.uri, offset) ?? [];
  return assists.map(({ title, kind, edits }) => {
    const { edit } = toCodeAction({ title, edits, safe: false }, [], to, client.documentChanges);
    return { title, kind, ...(edit ? { edit } : {}) };
  });
}

interface FoundDiagnostic {
  readonly diagnostic: Diagnostic;
  readonly data: DiagnosticData;
}

/** A fix belongs to the text its diagnostic was made from; for a later text the client asks again. */
function dataOf(context: Context, to: Target, diagnostic: Diagnostic): DiagnosticData | undefined {
  if (diagnostic.source !== 'kube-crd') return undefined;
  const data = context.client.diagnostics.data
    ? (diagnostic.data as DiagnosticData | undefined)
    : dataAt(context, to, diagnostic);
  return data?.version === to.version && typeof data.key === 'object' ? data : undefined;
}

function quickFixes(context: Context, to: Target, found: FoundDiagnostic, among: number): CodeAction[] {
  const { session, client } = context;
  const { diagnostic, data } = found;
  const { snapshot } = session;
  const features = featuresIn(session, to);
  const told = toldOf(to, found, among);
  const fixes = features.fixes?.(snapshot, to.uri, told) ?? [];
  const asks = (features.asks?.(snapshot, to.uri, told) ?? []).filter((ask) => isOffered(context, ask));
  const elsewhere = features.fixesElsewhere?.(snapshot, to.uri, told) ?? [];
  const markers = client.options.copy ? (features.markers?.(snapshot, to.uri, told) ?? []) : [];
  return [
    ...fixes.map((fix) => toCodeAction(fix, [diagnostic], to, client.documentChanges)),
    ...(fixes.some(({ safe }) => safe) ? allOfKind(context, to, diagnostic, data.code) : []),
    ...asks.map((ask) => askAction(ask, to.uri, diagnostic)),
    ...elsewhere.flatMap(({ uri, fix }) => actionIn(context, to, uri, fix, diagnostic)),
    ...markers.map((marker) => copyAction(marker, diagnostic)),
  ];
}

function featuresIn({ snapshot }: Context['session'], { uri }: Target): Features {
  return featuresOf(snapshot, uri);
}

function toldOf(to: Target, { diagnostic, data: { code, key } }: FoundDiagnostic, among: number): Told {
  return { code, key, offset: to.positions.toOffset(diagnostic.range.start), among };
}

/** Whether a client, and the machine, can do what a fix asks for. */
function isOffered({ client: { options }, session, host }: Context, { ask, source }: Ask): boolean {
  if (ask === 'copy') return options.copy ?? false;
  // What settings name is not read without trust.
  if (ask === 'name-crds' && !session.trusted) return false;
  if (ask !== 'fetch') return options.crdCommands ?? false;
  if (!host.fetcher || !session.trusted) return false;
  return source?.from !== 'cluster' || host.fetcher.hasKubectl();
}

/** Comments that silence, below all fixes: the ones that silence least first. */
function silencingActions({ session, client }: Context, to: Target, all: readonly FoundDiagnostic[]): CodeAction[] {
  const { silencing } = featuresIn(session, to);
  const ways = all.map((found) =>
    (silencing?.(session.snapshot, to.uri, toldOf(to, found, all.length)) ?? []).map((fix) =>
      toCodeAction(fix, [found.diagnostic], to, client.documentChanges),
    ),
  );
  const most = Math.max(0, ...ways.map(({ length }) => length));
  return Array.from({ length: most }, (_, i) => ways.flatMap((one) => one[i] ?? [])).flat();
}

/** For clients that do not send back what a diagnostic carried: the one of that code at that place, as of now. */
function dataAt({ session }: Context, to: Target, { code, range }: Diagnostic): DiagnosticData | undefined {
  const [start, end] = [to.positions.toOffset(range.start), to.positions.toOffset(range.end)];
  const found = featuresIn(session, to)
    .diagnose(session.snapshot, to.uri)
    .find((one) => {
      return one.code === code && one.range.start === start && one.range.end === end;
    });
  return found && { code: found.code, key: found.key, version: to.version };
}

/** What the client sends back to have an action's edits computed. */
interface AllOfKind {
  readonly uri: string;
  readonly version: number;
  readonly code: string;
}

function allOfKind(context: Context, to: Target, diagnostic: Diagnostic, code: string): CodeAction[] {
  const { session, client } = context;
  if (!featuresIn(session, to).isOneOfSeveral?.(session.snapshot, to.uri, code)) return [];
  const data: AllOfKind = { uri: to.uri, version: to.version, code };
  const title = `Fix all \`${code}\` in this file`;
  const action: CodeAction = { title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], data };
  return client.resolvesEdits ? [action] : [resolveCodeAction(context, action)];
}

/** Editors ask for actions at every step of the cursor: to fix a whole file is worked out when it is chosen. */
export function resolveCodeAction(context: Context, action: CodeAction): CodeAction {
  const { uri, version, code } = (action.data ?? {}) as Partial<AllOfKind>;
  const to = uri === undefined ? undefined : targetOf(context, uri);
  const fix = to && to.version === version ? fixAllIn(context, to, { ...(code !== undefined && { code }) }) : undefined;
  const edit = to && fix && editOf(context, to, fix);
  return edit ? { ...action, edit } : action;
}

function fixAllIn({ session }: Context, to: Target, which: { readonly code?: string } = {}): Fix | undefined {
  return featuresIn(session, to).fixAll?.(session.snapshot, to.uri, which);
}

function editOf({ client }: Context, to: Target, fix: Fix): CodeAction['edit'] {
  return toCodeAction(fix, [], to, client.documentChanges).edit;
}

/** What an editor asks for on saving, or when the user wants all at once. */
function wholeFile(context: Context, to: Target): CodeAction[] {
  const fix = fixAllIn(context, to);
  const edit = fix && editOf(context, to, fix);
  return edit ? [{ title: fix.title, kind: fixAllKind, edit }] : [];
}

function copyAction({ text, on }: Marker, diagnostic: Diagnostic): CodeAction {
  const title = `Copy marker \`${text}\` for ${on}`;
  const command = { title, command: copyCommand, arguments: [`// ${text}`] };
  return { title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], command };
}

const askCommands: Readonly<Record<Ask['ask'], string>> = {
  'name-crds': nameCrdsCommand,
  'known-kind': knownKindCommand,
  copy: copyCommand,
  fetch: fetchCommand,
};

function askAction({ title, ask, about, source }: Ask, uri: string, diagnostic: Diagnostic): CodeAction {
  const subject = about ?? source;
  const args = [...(subject === undefined ? [] : [subject]), ...(ask === 'copy' ? [] : [uri])];
  const command = { title, command: askCommands[ask], arguments: args };
  return { title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], command };
}
