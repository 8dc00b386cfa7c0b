import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  fetchCommand,
  type Line,
  lineRequest,
  type Pick,
  pickRequest,
  updateCommand,
} from '../../server/src/lsp/protocol.ts';

/** The commands that bring CRDs in, which the server carries out, and the questions that it asks for them. */
export function fetching(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  const forward = (name: string, command: string, from: { readonly from: 'missing' } | null = null) =>
    vscode.commands.registerCommand(name, async () => {
      await start();
      const uri = vscode.window.activeTextEditor?.document.uri.toString();
      await client.sendRequest('workspace/executeCommand', { command, arguments: [from, uri] });
    });
  return vscode.Disposable.from(
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
