import type { InitializeParams, InitializeResult, TextDocumentSyncKind } from 'vscode-languageserver';
import { triggers } from '../features/complete/triggers.ts';
import { colorNames } from '../features/lenses/colorNames.ts';
import { foldersOf, type KnownClient, readClient } from './clientCapabilities.ts';
import {
  compareClusterCommand,
  coverTestsCommand,
  debugTestCommand,
  fetchCommand,
  judgeAsClusterCommand,
  leaveClusterCommand,
  newTestCommand,
  runTestsCommand,
  showTestsCommand,
  updateCommand,
} from './protocol.ts';

// What the server can do, as a client is told first of all. Nothing here leads to what does it: the program is not yet
// there when that is told (cli/firstAnswer.ts).

/** What of a machine decides what the server can do. */
export interface Machine {
  readonly version: string;
  readonly canFetch: boolean;
  readonly canAskClusters: boolean;
}

/** All safe fixes of a file at once. */
export const fixAllKind = 'source.fixAll.kubeCrd';

export const clusterCommands = [compareClusterCommand, judgeAsClusterCommand, leaveClusterCommand];

const incremental: TextDocumentSyncKind = 2;

/** The answer to `initialize`. */
export function initializeResult(client: KnownClient, machine: Machine): InitializeResult {
  return {
    capabilities: capabilities(client, serverCommands(machine)),
    serverInfo: { name: 'kube-crd', version: machine.version },
  };
}

/** The same before anything is there that could be asked; undefined where the client will be refused. */
export function resultBefore(params: object, machine: Machine): InitializeResult | undefined {
  const asked = params as InitializeParams;
  try {
    foldersOf(asked);
    return initializeResult(readClient(asked), machine);
  } catch (error) {
    // It is not made as the protocol says.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The commands of the server, as far as the machine can run them. */
function serverCommands({ canFetch, canAskClusters }: Machine): string[] {
  return [
    ...(canFetch ? [fetchCommand, updateCommand] : []),
    ...(canAskClusters ? clusterCommands : []),
    runTestsCommand,
    debugTestCommand,
    coverTestsCommand,
    showTestsCommand,
    newTestCommand,
  ];
}

function capabilities(client: KnownClient, commands: string[]): InitializeResult['capabilities'] {
  const diagnosticProvider = { identifier: 'kube-crd', interFileDependencies: true, workspaceDiagnostics: false };
  return {
    positionEncoding: client.encoding,
    textDocumentSync: { openClose: true, change: incremental },
    hoverProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    renameProvider: client.preparesRename ? { prepareProvider: true } : true,
    documentSymbolProvider: { label: 'Kubernetes' },
    workspaceSymbolProvider: true,
    foldingRangeProvider: true,
    selectionRangeProvider: true,
    documentLinkProvider: {},
    semanticTokensProvider: {
      legend: { tokenTypes: [...colorNames], tokenModifiers: ['defaultLibrary'] },
      full: true,
      range: true,
    },
    inlayHintProvider: true,
    documentOnTypeFormattingProvider: { firstTriggerCharacter: '\n' },
    signatureHelpProvider: { triggerCharacters: ['(', ','] },
    completionProvider: { triggerCharacters: [...new Set(Object.values(triggers).flat())] },
    codeActionProvider: { codeActionKinds: ['quickfix', 'refactor', fixAllKind], resolveProvider: true },
    codeLensProvider: {},
    executeCommandProvider: { commands },
    ...(client.pull ? { diagnosticProvider } : {}),
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  };
}
