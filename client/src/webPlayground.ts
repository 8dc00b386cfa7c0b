import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type PlaygroundLink, type PlaygroundLinkAsked, playgroundLinkRequest } from '../../server/src/lsp/protocol.ts';
import { writtenFile } from './goCrd.ts';

/** Systems hand addresses to browsers as arguments of a program, which not all let be longer. */
const longestOpened = 8000;

/** The command that opens a file in the playground. It says what is in the link before anything of it leaves the editor. */
export function webPlayground(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  return vscode.commands.registerCommand('kubeCrd.openInPlayground', async () => {
    const uri = writtenFile(vscode.window.activeTextEditor?.document.uri);
    if (!uri) return;
    await start();
    const asked: PlaygroundLinkAsked = { uri: uri.toString() };
    const { address, names, problem } = await client.sendRequest<PlaygroundLink>(playgroundLinkRequest, asked);
    if (address !== undefined) await offer(address, names);
    else if (problem) void vscode.window.showInformationMessage(vscode.l10n.t('No link can be made: {0}', problem));
  });
}

async function offer(address: string, names: readonly string[]): Promise<void> {
  const open = vscode.l10n.t('Open in the browser');
  const copy = vscode.l10n.t('Copy the link');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('The link to the playground holds {0}.', names.join(', ')),
    { modal: true, detail: vscode.l10n.t('They are behind its #, which browsers keep to themselves.') },
    ...(address.length > longestOpened ? [copy] : [open, copy]),
  );
  if (chosen === copy) await vscode.env.clipboard.writeText(address);
  // The text as it is: what is parsed and written again may be escaped otherwise.
  if (chosen === open) await vscode.env.openExternal(vscode.Uri.parse(address, true));
}
