import { type CodeAction, CodeActionKind, type CodeActionParams, type Diagnostic } from 'vscode-languageserver';
import { fixAll, isOneOfSeveral } from '../features/fixAll.ts';
import { fixesFor, markersOf } from '../features/fixes.ts';
import type { Fix, Marker } from '../rules/model/diagnostic.ts';
import { type Context, targetOf } from './context.ts';
import { copyCommand } from './protocol.ts';
import { type DiagnosticData, type Target, toCodeAction } from './toProtocol.ts';

/** All safe fixes of a file at once. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.kubeCrd`;

export function answerCodeActions(context: Context, params: CodeActionParams): CodeAction[] {
  const to = targetOf(context, params.textDocument.uri);
  const { only, diagnostics } = params.context;
  const asked = (kind: string) => only?.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`));
  if (!to) return [];
  if (asked(fixAllKind)) return wholeFile(context, to);
  if (only && !asked(CodeActionKind.QuickFix)) return [];
  return diagnostics.flatMap((diagnostic) => quickFixes(context, to, diagnostic));
}

function quickFixes(context: Context, to: Target, diagnostic: Diagnostic): CodeAction[] {
  const { session, client } = context;
  const data = diagnostic.data as DiagnosticData | undefined;
  // A fix belongs to the text its diagnostic was made from; for a later text the client asks again.
  if (diagnostic.source !== 'kube-crd' || data === undefined || data.version !== to.version) return [];
  const fixes = fixesFor(session.snapshot, to.uri, data.code, data.key);
  const markers = client.options.copy ? markersOf(session.snapshot, to.uri, data.code, data.key) : [];
  return [
    ...fixes.map((fix) => toCodeAction(fix, [diagnostic], to, client.documentChanges)),
    ...(fixes.some(({ safe }) => safe) ? allOfKind(context, to, diagnostic, data.code) : []),
    ...markers.map((marker) => copyAction(marker, diagnostic)),
  ];
}

/** What the client sends back to have an action's edits computed. */
interface AllOfKind {
  readonly uri: string;
  readonly version: number;
  readonly code: string;
}

function allOfKind(context: Context, to: Target, diagnostic: Diagnostic, code: string): CodeAction[] {
  const { session, client } = context;
  if (!isOneOfSeveral(session.snapshot, to.uri, code)) return [];
  const data: AllOfKind = { uri: to.uri, version: to.version, code };
  const title = `Fix all \`${code}\` in this file`;
  const action: CodeAction = { title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], data };
  return client.resolvesEdits ? [action] : [resolveCodeAction(context, action)];
}

/** Editors ask for actions at every step of the cursor: to fix a whole file is worked out when it is chosen. */
export function resolveCodeAction(context: Context, action: CodeAction): CodeAction {
  const { uri, version, code } = (action.data ?? {}) as Partial<AllOfKind>;
  const to = uri === undefined ? undefined : targetOf(context, uri);
  const fix = to?.version === version ? fixAll(context.session.snapshot, to?.uri ?? '', code) : undefined;
  const edit = to && fix && editOf(context, to, fix);
  return edit ? { ...action, edit } : action;
}

function editOf({ client }: Context, to: Target, fix: Fix): CodeAction['edit'] {
  return toCodeAction(fix, [], to, client.documentChanges).edit;
}

/** What an editor asks for on saving, or when the user wants all at once. */
function wholeFile(context: Context, to: Target): CodeAction[] {
  const fix = fixAll(context.session.snapshot, to.uri);
  const edit = fix && editOf(context, to, fix);
  return edit ? [{ title: fix.title, kind: fixAllKind, edit }] : [];
}

function copyAction({ text, on }: Marker, diagnostic: Diagnostic): CodeAction {
  const title = `Copy marker \`${text}\` for ${on}`;
  const command = { title, command: copyCommand, arguments: [`// ${text}`] };
  return { title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], command };
}
