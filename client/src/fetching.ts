import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  compareClusterCommand,
  fetchCommand,
  judgeAsClusterCommand,
  type Line,
  leaveClusterCommand,
  lineRequest,
  type Pick,
  pickRequest,
  updateCommand,
} from '../../server/src/lsp/protocol.ts';

/** The commands that bring CRDs in and that ask clusters, which the server carries out, and the questions that it asks for them. */
export function fetching(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  const forward = (name: string, command: string, from: { readonly from: 'missing' } | null = null) =>
    vscode.commands.registerCommand(name, async () => {
      await start();
      const uri = vscode.window.activeTextEditor?.document.uri.toString();
      await client.sendRequest('workspace/executeCommand', { command, arguments: [from, uri] });
    });
  const ask = (name: string, command: string) =>
    vscode.commands.registerCommand(name, async () => {
      // The server says so as well; but without trust it need not even be started.
      if (!vscode.workspace.isTrusted) {
        void vscode.window.showErrorMessage(
          vscode.l10n.t('Clusters are asked only in a workspace that you trust, and this one is in Restricted Mode.'),
        );
        return;
      }
      await start();
      const uri = vscode.window.activeTextEditor?.document.uri.toString();
      const page = await client.sendRequest('workspace/executeCommand', { command, arguments: [uri] });
      if (typeof page === 'string')
        await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(page, true), vscode.ViewColumn.Beside);
    });
  return vscode.Disposable.from(
    ask('kubeCrd.compareWithCluster', compareClusterCommand),
    ask('kubeCrd.judgeAsCluster', judgeAsClusterCommand),
    ask('kubeCrd.stopJudgingAsCluster', leaveClusterCommand),
    forward('kubeCrd.fetchCrds', fetchCommand),
    forward('kubeCrd.fetchMissing', fetchCommand, { from: 'missing' }),
    forward('kubeCrd.updateCrds', updateCommand),
    client.onRequest(pickRequest, pick),
    client.onRequest(lineRequest, ({ title, placeHolder }: Line) =>
      vscode.window.showInputBox({ title, placeHolder, ignoreFocusOut: true }).then((line) => line ?? null),
    ),
  );
}

async function pick({ title, rows }: Pick): Promise<number | null> {
  const items = rows.map((row, at) => ({
    label: row.label,
    at,
    ...(row.detail !== undefined && { detail: row.detail }),
  }));
  const chosen = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  return chosen?.at ?? null;
}
