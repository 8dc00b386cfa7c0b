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
    provideTextDocumentContent: async ({ query, fragment }) => {
      const writing = ways.find((way) => way.writing === fragment)?.writing ?? 'create';
      const stored: Stored = { uri: query, writing };
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
        setTimeout(() => {
          for (const { writing } of ways) changed.fire(storedUri(document.uri, writing));
        }, pauseMs),
      );
    }),
    vscode.commands.registerCommand('kubeCrd.showStored', showStored),
  );
}

type Writing = NonNullable<Stored['writing']>;

/** The ways to write an object, as they are offered. */
const ways: readonly { readonly writing: Writing; readonly label: string; readonly detail: string }[] = [
  { writing: 'create', label: vscode.l10n.t('Create'), detail: vscode.l10n.t('as a new object') },
  {
    writing: 'replace',
    label: vscode.l10n.t('Replace'),
    detail: vscode.l10n.t('over the committed object, as an update or kubectl replace'),
  },
  {
    writing: 'apply',
    label: vscode.l10n.t('Apply'),
    detail: vscode.l10n.t('over the committed object, as kubectl apply --server-side'),
  },
];

function storedUri(uri: vscode.Uri, writing: Writing): vscode.Uri {
  return vscode.Uri.from({ scheme: storedScheme, path: uri.path, query: uri.toString(), fragment: writing });
}

async function showStored(given?: unknown): Promise<void> {
  const active = vscode.window.activeTextEditor?.document.uri;
  // Beside what is stored, the document that it is made of is meant.
  const uri = active?.scheme === storedScheme ? vscode.Uri.parse(active.query) : active;
  if (!uri) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a CRD or a custom resource first.'));
    return;
  }
  const way =
    ways.find(({ writing }) => writing === given) ?? (await vscode.window.showQuickPick(ways, { placeHolder }));
  if (!way) return;
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const stored = storedUri(uri, way.writing);
  const title = vscode.l10n.t('{0} ↔ as stored ({1})', name, way.label.toLowerCase());
  await vscode.commands.executeCommand('vscode.diff', uri, stored, title);
}

const placeHolder = vscode.l10n.t('How is the object written?');
