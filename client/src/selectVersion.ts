import * as vscode from 'vscode';

const setting = 'kubernetesVersion';

/** Lets the user choose the Kubernetes version from a list; the manifest knows which there are. */
export function selectVersion(context: vscode.ExtensionContext): vscode.Disposable {
  const properties = context.extension.packageJSON.contributes.configuration.properties;
  const names: readonly string[] = properties[`kubeCrd.${setting}`].anyOf[0].enum;
  const versions = [...names, `${names.at(-1)}..${names[0]}`];
  return vscode.commands.registerCommand('kubeCrd.selectVersion', async () => {
    const scope = vscode.window.activeTextEditor?.document.uri ?? null;
    const now = vscode.workspace.getConfiguration('kubeCrd', scope).get<string>(setting);
    const items = versions.map((version) => ({
      label: version,
      description: version === now ? vscode.l10n.t('current') : '',
    }));
    const target = targetOf(scope);
    const placeHolder = vscode.l10n.t('Check against this Kubernetes version (writes {0})', places[target]);
    const chosen = await vscode.window.showQuickPick(items, { placeHolder });
    if (chosen) await save(scope, chosen.label, target);
  });
}

const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;

type Target = typeof Global | typeof Workspace | typeof WorkspaceFolder;

const places: Readonly<Record<Target, string>> = {
  [Global]: vscode.l10n.t('your user settings'),
  [Workspace]: vscode.l10n.t('the workspace settings'),
  [WorkspaceFolder]: vscode.l10n.t('the settings of the folder'),
};

/** Where the setting is already written; otherwise the workspace, if there is one. */
function targetOf(scope: vscode.Uri | null): Target {
  const found = vscode.workspace.getConfiguration('kubeCrd', scope).inspect<string>(setting);
  const usual = vscode.workspace.workspaceFolders === undefined ? Global : Workspace;
  return found?.workspaceFolderValue === undefined ? usual : WorkspaceFolder;
}

async function save(scope: vscode.Uri | null, version: string, target: Target): Promise<void> {
  await vscode.workspace.getConfiguration('kubeCrd', scope).update(setting, version, target);
  vscode.window.setStatusBarMessage(vscode.l10n.t('{0} is now in {1}.', `Kubernetes ${version}`, places[target]), 5000);
}
