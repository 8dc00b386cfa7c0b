import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type Changes, changesEnd, changesRequest, changesScheme } from '../../server/src/lsp/protocol.ts';

/** How long typing must pause before an open page is updated. */
const pauseMs = 300;

/** The command that shows what a changed CRD does to its users; package.json has the page shown rendered. */
export function changes(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(changesScheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: async ({ query }) => {
        await start();
        const asked: Changes = { uri: query };
        return (await client.sendRequest<string | null>(changesRequest, asked)) ?? 'There is no CRD in this file.\n';
      },
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === changesScheme) return;
      clearTimeout(timer);
      timer = setTimeout(() => changed.fire(pageOf(document.uri)), pauseMs);
    }),
    vscode.commands.registerCommand('kubeCrd.showChanges', show),
  );
}

function pageOf(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: changesScheme, path: `${uri.path}${changesEnd}`, query: uri.toString() });
}

async function show(): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (!uri) {
    void vscode.window.showInformationMessage('Open a CRD first.');
    return;
  }
  await vscode.commands.executeCommand('vscode.open', pageOf(uri), vscode.ViewColumn.Beside);
}
