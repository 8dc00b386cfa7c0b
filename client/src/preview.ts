import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type Stored, storedRequest, storedScheme } from '../../server/src/lsp/protocol.ts';

/** How long typing must pause before an open preview is updated. */
const pauseMs = 300;

/** The command that shows a document beside what the API server would store of it, live. */
export function preview(client: BaseLanguageClient): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async ({ query }) => {
      const stored: Stored = { uri: query };
      return (await client.sendRequest<string | null>(storedRequest, stored)) ?? '';
    },
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(storedScheme, provider),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const key = document.uri.toString();
      clearTimeout(timers.get(key));
      timers.set(
        key,
        setTimeout(() => changed.fire(storedUri(document.uri)), pauseMs),
      );
    }),
    vscode.commands.registerCommand('kubeCrd.showStored', showStored),
  );
}

function storedUri(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: storedScheme, path: uri.path, query: uri.toString() });
}

async function showStored(): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (!uri) {
    void vscode.window.showInformationMessage('Open a custom resource or a CRD first.');
    return;
  }
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  await vscode.commands.executeCommand('vscode.diff', uri, storedUri(uri), `${name} ↔ as stored`);
}
