import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type Page, pageRequest, pageScheme } from '../../server/src/lsp/protocol.ts';
import { writtenFile } from './goCrd.ts';
import { afterPause } from './pause.ts';

/** How long typing must pause before open pages are updated. */
const pauseMs = 300;

const commands: Readonly<Record<string, Page['page']>> = {
  'kubeCrd.showChanges': 'changes',
  'kubeCrd.showDocumentation': 'documentation',
  'kubeCrd.showTable': 'table',
  'kubeCrd.showVersions': 'versions',
};

const nothing: Readonly<Record<Page['page'], string>> = {
  changes: vscode.l10n.t('There is no CRD in this file.'),
  documentation: vscode.l10n.t('There is no kind in this file whose CRD is known.'),
  table: vscode.l10n.t('There is no kind in this file whose CRD is known.'),
  versions: vscode.l10n.t('There is no kind in this file whose CRD is known.'),
};

/** What the tab of a page is called. */
const titles: Readonly<Record<Page['page'], (file: string) => string>> = {
  changes: (file) => vscode.l10n.t('Changes in {0}', file),
  documentation: (file) => vscode.l10n.t('Documentation of {0}', file),
  table: (file) => vscode.l10n.t('kubectl get of {0}', file),
  versions: (file) => vscode.l10n.t('Versions in {0}', file),
};

/** The commands that show pages about a file, live; package.json has the pages shown rendered. */
export function pages(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const later = afterPause(pauseMs, () => {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === pageScheme) changed.fire(uri);
  });
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(pageScheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: async ({ query, fragment }) => {
        await start();
        const asked = { uri: query, page: fragment } as Page;
        return (await client.sendRequest<string | null>(pageRequest, asked)) ?? `${nothing[asked.page]}\n`;
      },
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme !== pageScheme) later();
    }),
    ...Object.entries(commands).map(([command, page]) => vscode.commands.registerCommand(command, () => show(page))),
  );
}

async function show(page: Page['page']): Promise<void> {
  const uri = writtenFile(vscode.window.activeTextEditor?.document.uri);
  if (!uri) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a CRD or a custom resource first.'));
    return;
  }
  const folder = uri.path.slice(0, uri.path.lastIndexOf('/') + 1);
  const path = folder + titles[page](uri.path.slice(folder.length));
  const shown = vscode.Uri.from({ scheme: pageScheme, path, query: uri.toString(), fragment: page });
  await vscode.commands.executeCommand('vscode.open', shown, vscode.ViewColumn.Beside);
}
