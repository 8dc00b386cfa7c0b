import type {
  DidChangeTextDocumentParams,
  DidCloseTextDocumentParams,
  DidOpenTextDocumentParams,
} from 'vscode-languageserver';
import { isTestFile } from '../workspace/fileNames.ts';
import { readAround } from './around.ts';
import { lookUpBaseline, lookUpBaselineLater } from './baselines.ts';
import { checkClosed, takeBack } from './checkWorkspace.ts';
import type { Context } from './context.ts';
import { publishPause } from './debounce.ts';
import { applyChanges } from './documents.ts';
import { refreshLensesLater } from './lenses.ts';
import { debugScheme, goCrdScheme, pageScheme, renderedScheme, shownScheme, storedScheme } from './protocol.ts';
import { adviseLater, adviseNow, lookForKinds, mostAtOnce, refresh, reportChange } from './reporting.ts';
import { close, update } from './session.ts';
import { refreshHintsLater } from './trying.ts';
import { typingPlace } from './typing.ts';

/** Documents of ours, about which nothing is said. */
function isOnlyShown(uri: string): boolean {
  return [storedScheme, shownScheme, pageScheme, debugScheme, goCrdScheme, renderedScheme].some((scheme) =>
    uri.startsWith(`${scheme}:`),
  );
}

export async function opened(context: Context, { textDocument }: DidOpenTextDocumentParams): Promise<void> {
  if (isOnlyShown(textDocument.uri)) return;
  takeBack(context, textDocument.uri);
  const before = context.session.snapshot.definitions;
  update(context.session, textDocument);
  if (textDocument.text.length > mostAtOnce) adviseLater(context, textDocument.uri);
  // Not every file system tells that refs have moved.
  context.baselines?.reader.forget();
  lookUpBaseline(context, textDocument.uri);
  const reading = readAround(context, textDocument.uri);
  lookForKinds(context, textDocument.uri);
  if (context.session.snapshot.definitions !== before) lookForKindsLater(context);
  reportChange(context, textDocument.uri, before);
  return reading;
}

export function changed(context: Context, { textDocument, contentChanges }: DidChangeTextDocumentParams): void {
  const { session, client } = context;
  const known = session.documents.get(textDocument.uri);
  if (!known) return;
  const before = session.snapshot.definitions;
  adviseNow(session, textDocument.uri);
  const { difference, ...after } = applyChanges(known, contentChanges, client.encoding);
  update(session, { ...known, version: textDocument.version, ...after }, difference);
  session.typing = typingPlace(textDocument.uri, contentChanges);
  lookUpBaselineLater(context, textDocument.uri);
  lookForKindsLater(context, session.snapshot.definitions === before ? textDocument.uri : undefined);
  if (isTestFile(textDocument.uri) || session.snapshot.definitions !== before) refreshLensesLater(context);
  refreshHintsLater(context, textDocument.uri);
  reportChange(context, textDocument.uri, before);
}

/** While a kind is typed, every key would ask for another one. Without a file it is for all that are open. */
function lookForKindsLater(context: Context, uri?: string): void {
  context.host.debounce(`kinds ${uri ?? ''}`, publishPause, () => lookForKinds(context, uri));
}

export async function closed(context: Context, { textDocument: { uri } }: DidCloseTextDocumentParams): Promise<void> {
  const { session, client, connection, host } = context;
  if (isOnlyShown(uri)) return;
  const before = session.snapshot.definitions;
  adviseNow(session, uri);
  close(session, uri);
  if (!client.pull) void connection.sendDiagnostics({ uri, diagnostics: [] });
  if (session.snapshot.definitions !== before) {
    lookForKindsLater(context);
    host.debounce('refresh', publishPause, () => refresh(context));
  }
  await checkClosed(context, uri);
}
