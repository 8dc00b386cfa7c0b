import type { InitializeParams } from 'vscode-languageserver';
import type { Encoding } from './position.ts';
import type { InitializationOptions } from './protocol.ts';

/** What the client at the other end can do, as far as it matters to us. */
export interface KnownClient {
  readonly encoding: Encoding;
  /** It asks for diagnostics; otherwise we send them. */
  readonly pull: boolean;
  readonly refresh: boolean;
  readonly snippets: boolean;
  readonly documentChanges: boolean;
  /** It asks for the edits of a code action once that is chosen. */
  readonly resolvesEdits: boolean;
  readonly configuration: boolean;
  /** It shows progress that the server starts. */
  readonly progress: boolean;
  /** It tells when workspace folders come and go. */
  readonly folders: boolean;
  readonly registersWatchers: boolean;
  readonly registersConfiguration: boolean;
  readonly options: InitializationOptions;
}

export function readClient({ capabilities, initializationOptions }: InitializeParams): KnownClient {
  const document = capabilities?.textDocument;
  const workspace = capabilities?.workspace;
  const encodings = capabilities?.general?.positionEncodings ?? [];
  return {
    // UTF-16 is every client's mother tongue, and ours.
    encoding: encodings.length > 0 && !encodings.includes('utf-16') && encodings.includes('utf-8') ? 'utf-8' : 'utf-16',
    pull: document?.diagnostic !== undefined,
    refresh: workspace?.diagnostics?.refreshSupport ?? false,
    snippets: document?.completion?.completionItem?.snippetSupport ?? false,
    documentChanges: workspace?.workspaceEdit?.documentChanges ?? false,
    resolvesEdits: document?.codeAction?.resolveSupport?.properties.includes('edit') ?? false,
    configuration: workspace?.configuration ?? false,
    progress: capabilities?.window?.workDoneProgress ?? false,
    folders: workspace?.workspaceFolders ?? false,
    registersWatchers: workspace?.didChangeWatchedFiles?.dynamicRegistration ?? false,
    registersConfiguration: workspace?.didChangeConfiguration?.dynamicRegistration ?? false,
    options: isObject(initializationOptions) ? initializationOptions : {},
  };
}

function isObject(value: unknown): value is InitializationOptions {
  return typeof value === 'object' && value !== null;
}
