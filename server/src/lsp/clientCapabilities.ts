import type { InitializeParams, MarkupKind } from 'vscode-languageserver';
import type { Encoding } from './position.ts';
import type { InitializationOptions } from './protocol.ts';

/** What the client at the other end can do, as far as it matters to us. */
export interface KnownClient {
  readonly encoding: Encoding;
  /**
   * It asks for diagnostics; otherwise we send them. One that cannot be told to ask again, such as Neovim, would keep old
   * ones where another file has changed: it gets them sent, if it takes any.
   */
  readonly pull: boolean;
  readonly refresh: boolean;
  readonly refreshesLenses: boolean;
  readonly refreshesHints: boolean;
  readonly snippets: boolean;
  readonly documentChanges: boolean;
  /** It applies edits that the server sends. */
  readonly appliesEdits: boolean;
  /** Edits may make files. */
  readonly createsFiles: boolean;
  /** It opens documents that the server names. */
  readonly showsDocuments: boolean;
  /** It groups edits by what we say of them, and asks before it makes some. */
  readonly annotatesEdits: boolean;
  /** It asks what would be renamed before it asks for the new name. */
  readonly preparesRename: boolean;
  /** It asks for the edits of a code action once that is chosen. */
  readonly resolvesEdits: boolean;
  readonly configuration: boolean;
  /** It shows progress that the server starts. */
  readonly progress: boolean;
  /** It tells when workspace folders come and go. */
  readonly folders: boolean;
  readonly registersWatchers: boolean;
  /** It watches files outside of the workspace's folders as well. */
  readonly watchesElsewhere: boolean;
  readonly registersConfiguration: boolean;
  /** Cards and documentation of completions may be Markdown. */
  readonly markdownHover: boolean;
  readonly markdownCompletion: boolean;
  /** A parameter may be named by where it is in the signature. */
  readonly parameterOffsets: boolean;
  /** Symbols may have children. */
  readonly hierarchicalSymbols: boolean;
  /** Code actions may be more than commands. */
  readonly codeActions: boolean;
  readonly diagnostics: KnownDiagnostics;
  readonly options: InitializationOptions;
}

/** What a diagnostic may carry beside its message. */
export interface KnownDiagnostics {
  readonly related: boolean;
  readonly tags: boolean;
  readonly documentation: boolean;
  readonly data: boolean;
}

const markdown: MarkupKind = 'markdown';

export function readClient({ capabilities, initializationOptions }: InitializeParams): KnownClient {
  const document = capabilities?.textDocument;
  const workspace = capabilities?.workspace;
  const watching = workspace?.didChangeWatchedFiles;
  const refresh = workspace?.diagnostics?.refreshSupport ?? false;
  const encodings = capabilities?.general?.positionEncodings ?? [];
  return {
    // UTF-16 is every client's mother tongue, and ours.
    encoding: encodings.length > 0 && !encodings.includes('utf-16') && encodings.includes('utf-8') ? 'utf-8' : 'utf-16',
    pull: document?.diagnostic !== undefined && (refresh || document.publishDiagnostics === undefined),
    refresh,
    refreshesLenses: workspace?.codeLens?.refreshSupport ?? false,
    refreshesHints: workspace?.inlayHint?.refreshSupport ?? false,
    snippets: document?.completion?.completionItem?.snippetSupport ?? false,
    appliesEdits: workspace?.applyEdit ?? false,
    createsFiles: workspace?.workspaceEdit?.resourceOperations?.includes('create') ?? false,
    showsDocuments: capabilities?.window?.showDocument?.support ?? false,
    documentChanges: workspace?.workspaceEdit?.documentChanges ?? false,
    annotatesEdits: workspace?.workspaceEdit?.changeAnnotationSupport !== undefined,
    preparesRename: document?.rename?.prepareSupport ?? false,
    resolvesEdits: document?.codeAction?.resolveSupport?.properties.includes('edit') ?? false,
    configuration: workspace?.configuration ?? false,
    progress: capabilities?.window?.workDoneProgress ?? false,
    folders: workspace?.workspaceFolders ?? false,
    registersWatchers: watching?.dynamicRegistration ?? false,
    watchesElsewhere: (watching?.dynamicRegistration && watching.relativePatternSupport) ?? false,
    registersConfiguration: workspace?.didChangeConfiguration?.dynamicRegistration ?? false,
    markdownHover: document?.hover?.contentFormat?.includes(markdown) ?? false,
    markdownCompletion: document?.completion?.completionItem?.documentationFormat?.includes(markdown) ?? false,
    parameterOffsets: document?.signatureHelp?.signatureInformation?.parameterInformation?.labelOffsetSupport ?? false,
    hierarchicalSymbols: document?.documentSymbol?.hierarchicalDocumentSymbolSupport ?? false,
    codeActions: document?.codeAction?.codeActionLiteralSupport !== undefined,
    diagnostics: readDiagnostics(document),
    options: isObject(initializationOptions) ? initializationOptions : {},
  };
}

/** Clients that ask for diagnostics say in one place or the other what these may carry. */
function readDiagnostics(document: InitializeParams['capabilities']['textDocument']): KnownDiagnostics {
  const [asked, sent] = [document?.diagnostic, document?.publishDiagnostics];
  return {
    related: asked?.relatedInformation ?? sent?.relatedInformation ?? false,
    tags: (asked?.tagSupport ?? sent?.tagSupport) !== undefined,
    documentation: asked?.codeDescriptionSupport ?? sent?.codeDescriptionSupport ?? false,
    data: asked?.dataSupport ?? sent?.dataSupport ?? false,
  };
}

function isObject(value: unknown): value is InitializationOptions {
  return typeof value === 'object' && value !== null;
}

/** The folders that a client has open. */
export function foldersOf(params: InitializeParams): string[] {
  return rootsOf(params).map(withoutSlash);
}

/** Older clients name one root, as an address or as a path. */
function rootsOf({ workspaceFolders, rootUri, rootPath }: InitializeParams): string[] {
  if (workspaceFolders) return workspaceFolders.map(({ uri }) => uri);
  if (rootUri) return [rootUri];
  if (!rootPath) return [];
  const path = rootPath.replaceAll('\\', '/');
  return [`file://${path.startsWith('/') ? '' : '/'}${path.split('/').map(encodeURIComponent).join('/')}`];
}

export function withoutSlash(uri: string): string {
  return uri.replace(/\/$/, '');
}
