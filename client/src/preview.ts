import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type AsVersion,
  asVersionRequest,
  type OtherVersion,
  type OtherVersions,
  otherVersionsRequest,
  type Stored,
  storedRequest,
  storedScheme,
} from '../../server/src/lsp/protocol.ts';
import { editorAtHand } from './firstSteps.ts';
import { isOfGo } from './goCrd.ts';

/** How long typing must pause before an open preview is updated. */
const pauseMs = 300;

/** The commands that show a document beside what the API server would store of it, or give in another version, live. */
export function preview(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async ({ query, fragment }) => {
      if (fragment.startsWith(asVersion)) {
        const asked: AsVersion = { uri: query, version: fragment.slice(asVersion.length) };
        return await client.sendRequest<string>(asVersionRequest, asked);
      }
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
          const made = ({ uri: { scheme, query } }: vscode.TextDocument) => scheme === storedScheme && query === key;
          for (const { uri } of vscode.workspace.textDocuments.filter(made)) changed.fire(uri);
        }, pauseMs),
      );
    }),
    vscode.commands.registerCommand('kubeCrd.showStored', showStored),
    vscode.commands.registerCommand('kubeCrd.showAsVersion', async () => {
      await start();
      await showAsVersion(client);
    }),
  );
}

/** What the name of a document starts with that shows another version. */
const asVersion = 'version ';

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

function storedUri(uri: vscode.Uri, fragment: string): vscode.Uri {
  return vscode.Uri.from({ scheme: storedScheme, path: uri.path, query: uri.toString(), fragment });
}

function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Beside what is stored, the document that it is made of is meant. */
async function documentAtHand(): Promise<vscode.Uri | undefined> {
  const editor = await editorAtHand();
  if (isOfGo(editor)) return undefined;
  const { uri } = editor.document;
  return uri.scheme === storedScheme ? vscode.Uri.parse(uri.query) : uri;
}

async function showStored(given?: unknown): Promise<void> {
  const uri = await documentAtHand();
  if (!uri) return;
  const way =
    ways.find(({ writing }) => writing === given) ?? (await vscode.window.showQuickPick(ways, { placeHolder }));
  if (!way) return;
  const stored = storedUri(uri, way.writing);
  const title = vscode.l10n.t('{0} ↔ as stored ({1})', nameOf(uri), way.label.toLowerCase());
  await vscode.commands.executeCommand('vscode.diff', uri, stored, title);
}

const placeHolder = vscode.l10n.t('How is the object written?');

/** What is lost on the way to another version is red in the left document, and named at the top of the right one. */
async function showAsVersion(client: BaseLanguageClient): Promise<void> {
  const uri = await documentAtHand();
  if (!uri) return;
  const asked: OtherVersions = { uri: uri.toString() };
  const versions = await client.sendRequest<OtherVersion[]>(otherVersionsRequest, asked);
  if (versions.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No resource in this file has a known CRD with another version.'),
    );
    return;
  }
  const rows = versions.map(({ version, served, stored }) => ({
    label: version,
    description: [...(stored ? [vscode.l10n.t('stored')] : []), ...(served ? [] : [vscode.l10n.t('not served')])].join(
      ', ',
    ),
  }));
  const chosen = await vscode.window.showQuickPick(rows, {
    placeHolder: vscode.l10n.t('Show the resource as which version?'),
  });
  if (!chosen) return;
  const shown = storedUri(uri, `${asVersion}${chosen.label}`);
  await vscode.commands.executeCommand(
    'vscode.diff',
    uri,
    shown,
    vscode.l10n.t('{0} ↔ as {1}', nameOf(uri), chosen.label),
  );
}
