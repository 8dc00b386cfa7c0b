import * as vscode from 'vscode';

const id = 'ms-kubernetes-tools.vscode-kubernetes-tools';
const section = 'vs-kubernetes';
const setting = 'vs-kubernetes.crd-code-completion';
const told = 'toldAboutKubernetesExtension';

/** Whether the Kubernetes extension is installed and on: it checks, completes and explains built-in kinds. */
export function hasKubernetesExtension(): boolean {
  return vscode.extensions.getExtension(id) !== undefined;
}

/**
 * The Kubernetes extension completes custom resources from the CRDs of a cluster, through the YAML extension: that would
 * be the same a second time, and perhaps of an older version. It can only be switched off by its own setting, so the
 * user is told once, and asked.
 */
export async function tellAboutKubernetesExtension(context: vscode.ExtensionContext): Promise<void> {
  if (!hasKubernetesExtension() || context.globalState.get(told)) return;
  const configuration = vscode.workspace.getConfiguration();
  const settings = configuration.get<Readonly<Record<string, unknown>>>(section, {});
  if (settings[setting] === 'disabled') return;
  await context.globalState.update(told, true);
  const off = vscode.l10n.t('Turn it off there');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'The Kubernetes extension also completes and explains custom resources, using the CRDs of its cluster, so some suggestions may appear twice.',
    ),
    off,
    vscode.l10n.t('Keep both'),
  );
  if (answer === off)
    await configuration.update(section, { ...settings, [setting]: 'disabled' }, vscode.ConfigurationTarget.Global);
}
