import type {
  DidChangeTextDocumentParams,
  DidCloseTextDocumentParams,
  DidOpenTextDocumentParams,
} from 'vscode-languageserver';
import { isTestFile } from '../workspace/files.ts';
import { lookUpBaseline, lookUpBaselineLater } from './baselines.ts';
import { checkClosed, takeBack } from './checkWorkspace.ts';
import type { Context } from './context.ts';
import { publishPause } from './debounce.ts';
import { applyChanges, type OpenDocument } from './documents.ts';
import { isGo } from './golang.ts';
import { refreshLensesLater } from './lenses.ts';
import { debugScheme, goCrdScheme, pageScheme, shownScheme, storedScheme } from './protocol.ts';
import { lookForKinds, refresh, reportChange, reportGo } from './reporting.ts';
import { close, update } from './session.ts';
import { refreshHintsLater } from './trying.ts';
import { typingPlace } from './typing.ts';

/** Documents of ours, about which nothing is said. */
function isOnlyShown(uri: string): boolean {
  return [storedScheme, shownScheme, pageScheme, debugScheme, goCrdScheme].some((scheme) =>
    uri.startsWith(`${scheme}:`),
  );
}

export function opened(context: Context, { textDocument }: DidOpenTextDocumentParams): void {
  if (isOnlyShown(textDocument.uri)) return;
  if (isGo(textDocument)) {
    openedGo(context, textDocument);
    return;
  }
  takeBack(context, textDocument.uri);
  const before = context.session.snapshot.definitions;
  update(context.session, textDocument);
  // Not every file system tells that refs have moved.
  context.baselines?.reader.forget();
  lookUpBaseline(context, textDocument.uri);
  lookForKinds(context);
  reportChange(context, textDocument.uri, before);
}

/** Nothing of Go files is in the snapshot: what is made of them is known beside it. */
function openedGo(context: Context, document: OpenDocument): void {
  context.session.documents.set(document.uri, document);
  reportGo(context, document.uri);
}

export function changed(context: Context, { textDocument, contentChanges }: DidChangeTextDocumentParams): void {
  const { session, client } = context;
  const known = session.documents.get(textDocument.uri);
  if (!known) return;
  const before = session.snapshot.definitions;
  const now = applyChanges(known, contentChanges, client.encoding);
  if (isGo(known)) {
    session.documents.set(known.uri, { ...known, version: textDocument.version, ...now });
    session.typing = typingPlace(textDocument.uri, contentChanges);
    reportGo(context, known.uri);
    return;
  }
  update(session, { ...known, version: textDocument.version, ...now });
  session.typing = typingPlace(textDocument.uri, contentChanges);
  lookUpBaselineLater(context, textDocument.uri);
  lookForKindsLater(context);
  if (isTestFile(textDocument.uri) || session.snapshot.definitions !== before) refreshLensesLater(context);
  refreshHintsLater(context, textDocument.uri);
  reportChange(context, textDocument.uri, before);
}

/** While a kind is typed, every key would ask for another one. */
function lookForKindsLater(context: Context): void {
  context.host.debounce('kinds', publishPause, () => lookForKinds(context));
}

export async function closed(context: Context, { textDocument: { uri } }: DidCloseTextDocumentParams): Promise<void> {
  const { session, client, connection, host } = context;
  if (isOnlyShown(uri)) return;
  const known = session.documents.get(uri);
  if (known && isGo(known)) {
    session.documents.delete(uri);
    if (!client.pull) void connection.sendDiagnostics({ uri, diagnostics: [] });
    return;
  }
  const before = session.snapshot.definitions;
  close(session, uri);
  if (!client.pull) void connection.sendDiagnostics({ uri, diagnostics: [] });
  if (session.snapshot.definitions !== before) {
    lookForKinds(context);
    host.debounce('refresh', publishPause, () => refresh(context));
  }
  await checkClosed(context, uri);
}
