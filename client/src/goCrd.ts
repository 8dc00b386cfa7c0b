import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type GoCrd, type GoCrdShown, goCrdRequest, goCrdScheme } from '../../server/src/lsp/protocol.ts';
import { afterPause } from './pause.ts';

const pauseMs = 150;

/** The command that shows the CRD of Go types beside them, as it is while they are changed. */
export function goCrd(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const ask = (asked: GoCrd) => client.sendRequest<GoCrdShown | null>(goCrdRequest, asked);
  const shown = () => vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === goCrdScheme);
  const later = afterPause(pauseMs, () => {
    for (const { uri } of shown()) changed.fire(uri);
  });
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(goCrdScheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: async ({ query, path }) => {
        const name = path.slice(1).replace(/\.yaml$/, '');
        return (
          (await ask({ uri: query, name }))?.text ?? `# ${vscode.l10n.t('No CRD of this name comes of the types.')}\n`
        );
      },
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.languageId === 'go') later();
    }),
    vscode.commands.registerCommand('kubeCrd.showGoCrd', async () => {
      await start();
      const editor = vscode.window.activeTextEditor;
      if (editor?.document.languageId !== 'go') return;
      const { document, selection } = editor;
      const found = await ask({ uri: document.uri.toString(), position: selection.active });
      if (found) await show(document.uri, found);
      else void vscode.window.showInformationMessage(vscode.l10n.t('No CRD comes of the types of this file.'));
    }),
  );
}

async function show(uri: vscode.Uri, { name, line }: GoCrdShown): Promise<void> {
  const made = vscode.Uri.from({ scheme: goCrdScheme, path: `/${name}.yaml`, query: uri.toString() });
  const document = await vscode.workspace.openTextDocument(made);
  const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside, true);
  const place = new vscode.Position(line, 0);
  editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** The file that a command is about: a CRD that is shown of Go types is not a file, its types are. */
export function writtenFile(uri: vscode.Uri | undefined): vscode.Uri | undefined {
  return uri?.scheme === goCrdScheme ? vscode.Uri.parse(uri.query) : uri;
}

/** Whether an editor shows a CRD of Go types: then it says where a command works that takes a place. */
export function isMadeOfGo({ document: { uri } }: vscode.TextEditor): boolean {
  const isIt = uri.scheme === goCrdScheme;
  if (isIt)
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'This CRD is made of Go types: put the cursor into the marker in the Go file, and use the command there.',
      ),
    );
  return isIt;
}

/** Whether an editor shows a CRD of Go types, or the types: then it says what works instead of a command that takes a file. */
export function isOfGo({ document: { uri, languageId } }: vscode.TextEditor): boolean {
  const isIt = uri.scheme === goCrdScheme || languageId === 'go';
  if (isIt)
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'This takes a CRD that is a file: "kube-crd generate" writes those of Go types, and so does your generator.',
      ),
    );
  return isIt;
}
