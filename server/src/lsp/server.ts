import {
  type CodeAction,
  type CodeActionParams,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type DocumentDiagnosticParams,
  type DocumentDiagnosticReport,
  type DocumentSymbolParams,
  type Hover,
  type InitializeParams,
  type InitializeResult,
  type InlayHintParams,
  MarkupKind,
  type CompletionList as ProtocolCompletions,
  type Diagnostic as ProtocolDiagnostic,
  type Location as ProtocolLocation,
  type SignatureHelp as ProtocolSignatureHelp,
  type ReferenceParams,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  type WorkspaceSymbolParams,
} from 'vscode-languageserver';
import { onBug } from '../base/bug.ts';
import { signatureHelp } from '../features/cel/signature.ts';
import { complete } from '../features/complete.ts';
import { definitionAt } from '../features/definition.ts';
import { diagnose } from '../features/diagnose.ts';
import { fixesFor } from '../features/fixes.ts';
import { hover } from '../features/hover.ts';
import { inlayHints } from '../features/inlayHints.ts';
import { declarationOf, highlights, mayUse, usesIn, wantedAt } from '../features/references.ts';
import { outline, workspaceSymbols } from '../features/symbols.ts';
import type { Files } from '../workspace/files.ts';
import { fileAt, hasSchema, settingsFor } from '../workspace/snapshot.ts';
import { editorFiles, filesByScheme } from '../workspace/sources/editorFiles.ts';
import { type ClientAbilities, readClient } from './abilities.ts';
import { applyChanges } from './documents.ts';
import { guarded, guardedNotification } from './guard.ts';
import { type Later, publishPause, typingPause } from './later.ts';
import { positionsOf } from './position.ts';
import {
  listFilesRequest,
  readFileRequest,
  type Served,
  type Status,
  servedNotification,
  statusNotification,
  trustNotification,
} from './protocol.ts';
import { close, configure, filesThat, loadAll, newSession, reload, type Session, update } from './session.ts';
import {
  type DiagnosticData,
  type Target,
  toCodeAction,
  toDocumentSymbol,
  toInlayHint,
  toLocation,
  toProtocolCompletion,
  toProtocolDiagnostic,
  toSignatureHelp,
  toWorkspaceSymbol,
} from './toProtocol.ts';
import { isHalfTyped, typingPlace } from './typing.ts';

/** What the place that runs the server gives it. */
export interface Host {
  /** Files of the machine's disk; undefined in the browser. */
  readonly disk: Files | undefined;
  readonly version: string;
  /** The address of a rule's documentation. */
  docs(code: string): string | undefined;
  /** Runs something a little later; a newer call with the same name replaces an older one. */
  readonly later: Later;
}

export function startServer(connection: Connection, host: Host): void {
  const session = newSession();
  let client: ClientAbilities = readClient({} as InitializeParams);
  let files: Files = host.disk ?? editorFiles(requests(connection));
  const log = (message: string) => connection.console.error(message);
  onBug((error) => log(error.stack ?? error.message));

  const target = (uri: string): Target | undefined => targetOf(session, client, host, uri);

  connection.onInitialize((params): InitializeResult => {
    client = readClient(params);
    session.folders = (params.workspaceFolders ?? []).map(({ uri }) => uri.replace(/\/$/, ''));
    session.trusted = client.options.trusted ?? true;
    if (client.options.files && host.disk) files = filesByScheme(host.disk, editorFiles(requests(connection)));
    configure(session, client.options.settings, new Map());
    return { capabilities: capabilities(client), serverInfo: { name: 'kube-crd', version: host.version } };
  });

  connection.onInitialized(
    guardedNotification('initialized', log, async () => {
      if (client.folders) followFolders();
      await register(connection, client);
      await readSettingsFromClient();
      await loadWorkspace();
    }),
  );

  /** The library lets only clients that can send it be listened to, once they are known. */
  function followFolders(): void {
    connection.workspace.onDidChangeWorkspaceFolders(
      guardedNotification('didChangeWorkspaceFolders', log, async ({ added, removed }) => {
        const gone = new Set(removed.map(({ uri }) => uri.replace(/\/$/, '')));
        session.folders = [
          ...session.folders.filter((folder) => !gone.has(folder)),
          ...added.map(({ uri }) => uri.replace(/\/$/, '')),
        ];
        await readSettingsFromClient();
        await loadWorkspace();
      }),
    );
  }

  async function readSettingsFromClient(): Promise<void> {
    if (!client.configuration) return;
    const items = [{ section: 'kubeCrd' }, ...session.folders.map((scopeUri) => ({ section: 'kubeCrd', scopeUri }))];
    const [all, ...byFolder] = await connection.workspace.getConfiguration(items);
    const folders = new Map(session.folders.map((folder, i) => [folder, byFolder[i]]));
    for (const complaint of configure(session, all, folders)) connection.console.warn(complaint);
  }

  async function loadWorkspace(): Promise<void> {
    sendStatus('starting');
    if (!(await loadAll(session, files))) return;
    for (const note of session.notes) connection.console.warn(note);
    sendStatus();
    sendServed();
    refresh();
  }

  function sendStatus(state?: Status['state']): void {
    const notes = [
      ...session.notes,
      ...[...session.snapshot.open.values()].flatMap((file) => file.leftOut.map((what) => `${file.uri}: ${what}`)),
    ];
    const status: Status = {
      state: state ?? (notes.length > 0 ? 'limited' : 'ready'),
      kubernetes: session.snapshot.settings.all.kubernetes,
      notes: notes.slice(0, 20),
    };
    if (client.options.files) void connection.sendNotification(statusNotification, status);
  }

  /** Open files are judged anew: by the client's own questions where it pulls, else by us. */
  function refresh(): void {
    if (client.pull) {
      if (client.refresh) connection.languages.diagnostics.refresh();
    } else for (const uri of session.documents.keys()) publishLater(uri);
  }

  function publishLater(uri: string, pause = publishPause): void {
    host.later(uri, pause, () => {
      const document = session.documents.get(uri);
      if (!document) return;
      const diagnostics = diagnosticsOf(uri);
      if (isHeldBack(uri, diagnostics)) publishAfterTyping(uri);
      else void connection.sendDiagnostics({ uri, version: document.version, diagnostics });
    });
  }

  /** Errors at the place of typing wait for a pause, so that a half-typed line does not flash. */
  function isHeldBack(uri: string, diagnostics: readonly ProtocolDiagnostic[]): boolean {
    return session.typing?.uri === uri && isHalfTyped(session.typing, diagnostics);
  }

  function publishAfterTyping(uri: string): void {
    host.later(uri, typingPause, () => {
      session.typing = undefined;
      if (client.pull) refresh();
      else publishLater(uri, 0);
    });
  }

  function diagnosticsOf(uri: string): ProtocolDiagnostic[] {
    const to = target(uri);
    if (!to) return [];
    return diagnose(session.snapshot, uri).map((diagnostic) => toProtocolDiagnostic(diagnostic, to));
  }

  function yamlHasOutline(uri: string): boolean {
    return client.options.yamlExtension === true && settingsFor(session.snapshot, uri).outline === 'auto';
  }

  /** Tells the client which open files have schemas of ours, where that has changed. */
  function sendServed(): void {
    if (!client.options.yamlExtension) return;
    const uris = [...session.snapshot.open.keys()].filter((uri) => hasSchema(session.snapshot, uri));
    if (uris.join('\n') === session.served.join('\n')) return;
    session.served = uris;
    const served: Served = { uris };
    void connection.sendNotification(servedNotification, served);
  }

  /** After a change: this file at once, the others if what they are judged by has changed too. */
  function changed(uri: string, definitionsBefore: unknown): void {
    if (!client.pull) publishLater(uri);
    sendServed();
    if (session.snapshot.definitions !== definitionsBefore) host.later('refresh', publishPause, refresh);
    if ((session.snapshot.open.get(uri)?.leftOut.length ?? 0) > 0) sendStatus();
  }

  connection.onDidOpenTextDocument(
    guardedNotification('didOpen', log, ({ textDocument }) => {
      const before = session.snapshot.definitions;
      update(session, textDocument);
      changed(textDocument.uri, before);
    }),
  );

  connection.onDidChangeTextDocument(
    guardedNotification('didChange', log, ({ textDocument, contentChanges }) => {
      const known = session.documents.get(textDocument.uri);
      if (!known) return;
      const before = session.snapshot.definitions;
      const text = applyChanges(known.text, contentChanges, client.encoding);
      update(session, { ...known, version: textDocument.version, text });
      session.typing = typingPlace(textDocument.uri, contentChanges);
      changed(textDocument.uri, before);
    }),
  );

  connection.onDidCloseTextDocument(
    guardedNotification('didClose', log, ({ textDocument: { uri } }) => {
      const before = session.snapshot.definitions;
      close(session, uri);
      if (!client.pull) void connection.sendDiagnostics({ uri, diagnostics: [] });
      if (session.snapshot.definitions !== before) host.later('refresh', publishPause, refresh);
    }),
  );

  connection.onDidChangeWatchedFiles(
    guardedNotification('didChangeWatchedFiles', log, async ({ changes }) => {
      const before = session.snapshot.definitions;
      for (const { uri } of changes) await reload(session, files, uri);
      if (session.snapshot.definitions !== before) refresh();
      sendStatus();
    }),
  );

  connection.onDidChangeConfiguration(
    guardedNotification('didChangeConfiguration', log, async ({ settings }) => {
      const crdsBefore = JSON.stringify(session.snapshot.settings.all.crds);
      if (client.configuration) await readSettingsFromClient();
      else
        for (const complaint of configure(session, sectionOf(settings), new Map())) connection.console.warn(complaint);
      if (JSON.stringify(session.snapshot.settings.all.crds) !== crdsBefore) await loadWorkspace();
      sendStatus();
      refresh();
    }),
  );

  connection.onNotification(
    trustNotification,
    guardedNotification('trusted', log, async () => {
      session.trusted = true;
      await loadWorkspace();
    }),
  );

  const noDiagnostics: DocumentDiagnosticReport = { kind: 'full', items: [] };
  connection.languages.diagnostics.on(
    guarded<DocumentDiagnosticParams, DocumentDiagnosticReport>('diagnostic', noDiagnostics, log, (params) => {
      const { uri } = params.textDocument;
      const items = diagnosticsOf(uri);
      const { previousResultId } = params;
      // The client keeps what it shows, and moves it along with the text.
      if (previousResultId !== undefined && client.refresh && isHeldBack(uri, items)) {
        publishAfterTyping(uri);
        return { kind: 'unchanged', resultId: previousResultId };
      }
      return { kind: 'full', items, resultId: String(++session.results) };
    }),
  );

  connection.onHover(
    guarded<TextDocumentPositionParams, Hover | null>('hover', null, log, ({ textDocument: { uri }, position }) => {
      const to = settingsFor(session.snapshot, uri).hover ? target(uri) : undefined;
      const found = to && hover(session.snapshot, uri, to.positions.toOffset(position));
      if (!found) return null;
      return {
        contents: { kind: MarkupKind.Markdown, value: found.markdown },
        range: to.positions.toRange(found.range),
      };
    }),
  );

  connection.onDefinition(
    guarded('definition', [], log, ({ textDocument: { uri }, position }: TextDocumentPositionParams) => {
      const to = target(uri);
      if (!to) return [];
      return definitionAt(session.snapshot, uri, to.positions.toOffset(position)).flatMap((at) => toLocation(at, to));
    }),
  );

  connection.onReferences(
    guarded('references', [], log, async ({ textDocument: { uri }, position, context }: ReferenceParams) => {
      const to = target(uri);
      const wanted = to && wantedAt(session.snapshot, uri, to.positions.toOffset(position));
      if (!to || !wanted) return [];
      const places: ProtocolLocation[] = [];
      if (context.includeDeclaration) places.push(...declarationOf(wanted).flatMap((at) => toLocation(at, to)));
      for await (const file of filesThat(session, files, (text) => mayUse(text, wanted))) {
        const positions = positionsOf(file.text, client.encoding);
        places.push(...usesIn(file, wanted).map(({ range }) => ({ uri: file.uri, range: positions.toRange(range) })));
      }
      return places;
    }),
  );

  connection.onDocumentHighlight(
    guarded('documentHighlight', [], log, ({ textDocument: { uri }, position }: TextDocumentPositionParams) => {
      const to = target(uri);
      if (!to) return [];
      const found = highlights(session.snapshot, uri, to.positions.toOffset(position));
      return found.map(({ range }) => ({ range: to.positions.toRange(range) }));
    }),
  );

  connection.onDocumentSymbol(
    guarded('documentSymbol', [], log, ({ textDocument: { uri } }: DocumentSymbolParams) => {
      const to = settingsFor(session.snapshot, uri).outline === 'off' || yamlHasOutline(uri) ? undefined : target(uri);
      return to ? outline(session.snapshot, uri).map((symbol) => toDocumentSymbol(symbol, to)) : [];
    }),
  );

  connection.onWorkspaceSymbol(
    guarded('workspaceSymbol', [], log, ({ query }: WorkspaceSymbolParams) =>
      workspaceSymbols(session.snapshot, query).flatMap((symbol) => {
        const file = fileAt(session.snapshot, symbol.uri);
        return file ? [toWorkspaceSymbol(symbol, positionsOf(file.text, client.encoding))] : [];
      }),
    ),
  );

  connection.onSignatureHelp(
    guarded<TextDocumentPositionParams, ProtocolSignatureHelp | null>(
      'signatureHelp',
      null,
      log,
      ({ textDocument: { uri }, position }) => {
        const to = target(uri);
        const help = to && signatureHelp(session.snapshot, uri, to.positions.toOffset(position));
        return help ? toSignatureHelp(help) : null;
      },
    ),
  );

  connection.languages.inlayHint.on(
    guarded('inlayHint', [], log, ({ textDocument: { uri }, range }: InlayHintParams) => {
      const to = target(uri);
      if (!to || !settingsFor(session.snapshot, uri).costHints) return [];
      const within = { start: to.positions.toOffset(range.start), end: to.positions.toOffset(range.end) };
      return inlayHints(session.snapshot, uri, within).map((hint) => toInlayHint(hint, to));
    }),
  );

  const noCompletions: ProtocolCompletions = { isIncomplete: false, items: [] };
  connection.onCompletion(
    guarded<TextDocumentPositionParams, ProtocolCompletions>(
      'completion',
      noCompletions,
      log,
      ({ textDocument: { uri }, position }) => {
        const to = target(uri);
        if (!to || !settingsFor(session.snapshot, uri).completion) return noCompletions;
        const found = complete(session.snapshot, uri, to.positions.toOffset(position));
        return { isIncomplete: false, items: found.map((item) => toProtocolCompletion(item, to, client.snippets)) };
      },
    ),
  );

  connection.onCodeAction(
    guarded<CodeActionParams, CodeAction[]>('codeAction', [], log, ({ textDocument: { uri }, context }) => {
      const to = target(uri);
      if (!to) return [];
      return context.diagnostics.flatMap((diagnostic) => {
        const data = diagnostic.data as DiagnosticData | undefined;
        // A fix belongs to the text its diagnostic was made from; for a later text the client asks again.
        if (diagnostic.source !== 'kube-crd' || data === undefined || data.version !== to.version) return [];
        const fixes = fixesFor(session.snapshot, uri, data.code, data.key);
        return fixes.map((fix) => toCodeAction(fix, [diagnostic], to, client.documentChanges));
      });
    }),
  );

  connection.listen();
}

function requests(connection: Connection) {
  return {
    list: (folder: string, most: number) => connection.sendRequest<string[]>(listFilesRequest, { folder, most }),
    read: (uri: string) => connection.sendRequest<string | null>(readFileRequest, { uri }),
  };
}

function sectionOf(settings: unknown): unknown {
  return typeof settings === 'object' && settings !== null && 'kubeCrd' in settings ? settings.kubeCrd : settings;
}

function targetOf(session: Session, client: ClientAbilities, host: Host, uri: string): Target | undefined {
  const document = session.documents.get(uri);
  if (!document) return undefined;
  return {
    uri,
    version: document.version,
    positions: positionsOf(document.text, client.encoding),
    positionsOf: (other) => {
      const file = fileAt(session.snapshot, other);
      return file && positionsOf(file.text, client.encoding);
    },
    docs: host.docs,
  };
}

async function register(connection: Connection, client: ClientAbilities): Promise<void> {
  if (client.registersWatchers) {
    const watchers = [{ globPattern: '**/*.{yaml,yml}' }];
    await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  }
  if (client.registersConfiguration) {
    await connection.client.register(DidChangeConfigurationNotification.type, { section: 'kubeCrd' });
  }
}

function capabilities(client: ClientAbilities): InitializeResult['capabilities'] {
  return {
    positionEncoding: client.encoding,
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
    hoverProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    documentSymbolProvider: { label: 'Kubernetes' },
    workspaceSymbolProvider: true,
    inlayHintProvider: true,
    signatureHelpProvider: { triggerCharacters: ['(', ','] },
    completionProvider: { triggerCharacters: [' ', ':', '.'] },
    codeActionProvider: { codeActionKinds: ['quickfix'] },
    ...(client.pull
      ? { diagnosticProvider: { identifier: 'kube-crd', interFileDependencies: true, workspaceDiagnostics: false } }
      : {}),
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  };
}
