import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type KnownKind, knownKindCommand, knownKindsRequest, nameCrdsCommand } from '../../server/src/lsp/protocol.ts';

/** The list of known kinds, and the commands that bring more kinds in or ask for silence about others. */
export function knownKinds(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand('kubeCrd.showKinds', async () => {
      await start();
      await show(client);
    }),
    vscode.commands.registerCommand(knownKindCommand, (glob: string, uri: string) =>
      add('knownKinds', glob, vscode.Uri.parse(uri)),
    ),
    vscode.commands.registerCommand(nameCrdsCommand, (uri: string) => nameCrds(vscode.Uri.parse(uri))),
  );
}

async function show(client: BaseLanguageClient): Promise<void> {
  const rows = client.sendRequest<KnownKind[]>(knownKindsRequest).then((kinds) =>
    kinds.map((known) => ({
      label: known.kind,
      description: `${known.group} · ${known.versions.join(', ')}`,
      detail: `${known.source} · ${counted(known.resources)}`,
      known,
    })),
  );
  const placeHolder = vscode.l10n.t('Kinds whose CRDs are known. Enter opens the CRD');
  const chosen = await vscode.window.showQuickPick(rows, {
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!chosen) return;
  const { uri, line } = chosen.known;
  const selection = new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection });
}

function counted(resources: number): string {
  return resources === 1 ? vscode.l10n.t('1 resource') : vscode.l10n.t('{0} resources', resources);
}

async function nameCrds(uri: vscode.Uri): Promise<void> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('A file or folder with CRDs'),
      openLabel: vscode.l10n.t('Use its CRDs'),
      canSelectFiles: true,
      canSelectFolders: true,
      ...(folder ? { defaultUri: folder.uri } : {}),
    })) ?? [];
  if (chosen) await add('crds', pathIn(folder, chosen), uri);
}

/** Relative to the folder where it is in there, so that the setting holds on other machines too. */
function pathIn(folder: vscode.WorkspaceFolder | undefined, { path, fsPath }: vscode.Uri): string {
  const inFolder = folder && path.startsWith(`${folder.uri.path}/`);
  return inFolder ? path.slice(folder.uri.path.length + 1) : fsPath;
}

/** Adds to a list of the settings, where it is already written; otherwise in the workspace, if there is one. */
async function add(setting: 'crds' | 'knownKinds', entry: string, uri: vscode.Uri): Promise<void> {
  const settings = vscode.workspace.getConfiguration('kubeCrd', uri);
  const found = settings.inspect<readonly string[]>(setting);
  const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
  const usual = vscode.workspace.workspaceFolders === undefined ? Global : Workspace;
  const [target, before] = found?.workspaceFolderValue
    ? [WorkspaceFolder, found.workspaceFolderValue]
    : found?.workspaceValue || usual === Workspace
      ? [Workspace, found?.workspaceValue ?? found?.globalValue ?? []]
      : [Global, found?.globalValue ?? []];
  if (!before.includes(entry)) await settings.update(setting, [...before, entry], target);
  vscode.window.setStatusBarMessage(vscode.l10n.t('{0} is now in {1}.', entry, `kubeCrd.${setting}`), 5000);
}
