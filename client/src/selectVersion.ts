import * as vscode from 'vscode';

const setting = 'kubernetesVersion';

/** Lets the user choose the Kubernetes version from a list; the manifest knows which there are. */
export function selectVersion(context: vscode.ExtensionContext): vscode.Disposable {
  const properties = context.extension.packageJSON.contributes.configuration.properties;
  const versions: readonly string[] = properties[`kubeCrd.${setting}`].enum;
  return vscode.commands.registerCommand('kubeCrd.selectVersion', async () => {
    const scope = vscode.window.activeTextEditor?.document.uri ?? null;
    const now = vscode.workspace.getConfiguration('kubeCrd', scope).get<string>(setting);
    const items = versions.map((version) => ({
      label: version,
      description: version === now ? 'current' : '',
    }));
    const placeHolder = 'Check against this Kubernetes version';
    const chosen = await vscode.window.showQuickPick(items, { placeHolder });
    if (chosen) await save(scope, chosen.label);
  });
}

/** Where the setting is already written; otherwise the workspace, if there is one. */
async function save(scope: vscode.Uri | null, version: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration('kubeCrd', scope);
  const found = settings.inspect<string>(setting);
  const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
  const usual = vscode.workspace.workspaceFolders === undefined ? Global : Workspace;
  const target = found?.workspaceFolderValue === undefined ? usual : WorkspaceFolder;
  await settings.update(setting, version, target);
  const where = {
    [Global]: 'your user settings',
    [Workspace]: 'the workspace settings',
    [WorkspaceFolder]: 'the settings of the folder',
  };
  vscode.window.setStatusBarMessage(`Kubernetes ${version} is now in ${where[target]}.`, 5000);
}
