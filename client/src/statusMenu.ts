import * as vscode from 'vscode';
import type { Status } from '../../server/src/lsp/protocol.ts';

/** What the menu of the status bar is about. */
export interface Shown {
  readonly version: string;
  /** What of the active file is judged. */
  readonly judged: string | undefined;
  /** What of it is not judged, and why. */
  readonly notJudged: string | undefined;
  readonly notes: readonly string[];
  /** The cluster that files are judged as. */
  readonly judgedAs: Status['judgedAs'];
}

interface Row extends vscode.QuickPickItem {
  readonly command?: string;
  readonly argument?: string;
}

/** How files are judged here, what is not judged and why, and the ways on from there. */
export async function showStatusMenu(shown: Shown, extension: string): Promise<void> {
  const placeHolder = vscode.l10n.t('How CRDs and custom resources are judged here');
  const chosen = await vscode.window.showQuickPick(rowsFor(shown, extension), { placeHolder, matchOnDetail: true });
  if (chosen?.command) await vscode.commands.executeCommand(chosen.command, chosen.argument);
}

const byVersion = (version: string): Row => ({
  label: `$(versions) Kubernetes ${version}`,
  detail: vscode.l10n.t('The version that this file is checked against. Choose another one…'),
  command: 'kubeCrd.selectVersion',
});

/** Its version counts above the settings, so that none is to be chosen. */
const asCluster = ({ cluster, said }: NonNullable<Shown['judgedAs']>): Row[] => [
  { label: `$(server-environment) ${vscode.l10n.t('Judged as cluster {0}', cluster)}`, detail: said },
  {
    label: `$(discard) ${vscode.l10n.t('Stop judging as a cluster')}`,
    detail: vscode.l10n.t('By the CRDs of the workspace and the version of the settings again'),
    command: 'kubeCrd.stopJudgingAsCluster',
  },
];

function rowsFor({ version, judged, notJudged, notes, judgedAs }: Shown, extension: string): Row[] {
  return [
    ...(judgedAs ? asCluster(judgedAs) : [byVersion(version)]),
    ...(judged === undefined ? [] : [{ label: `$(check) ${vscode.l10n.t('Checked in this file')}`, detail: judged }]),
    ...(notJudged === undefined
      ? []
      : [{ label: `$(circle-slash) ${vscode.l10n.t('Not checked in this file')}`, detail: notJudged }]),
    ...notes.map((note) => ({
      label: `$(info) ${vscode.l10n.t('Limited')}`,
      detail: note,
      command: 'kubeCrd.showLog',
    })),
    {
      label: `$(symbol-class) ${vscode.l10n.t('Known kinds')}`,
      detail: vscode.l10n.t('Which CRDs are known, and where each comes from'),
      command: 'kubeCrd.showKinds',
    },
    ...(judgedAs
      ? []
      : [
          {
            label: `$(server-environment) ${vscode.l10n.t('Judge as a cluster…')}`,
            detail: vscode.l10n.t('By the CRDs and the version of a cluster, which your kubectl asks'),
            command: 'kubeCrd.judgeAsCluster',
          },
        ]),
    {
      label: `$(checklist) ${vscode.l10n.t('Check the whole workspace')}`,
      detail: vscode.l10n.t('Also the files that are not open'),
      command: 'kubeCrd.check',
    },
    {
      label: `$(mortar-board) ${vscode.l10n.t('First steps')}`,
      detail: vscode.l10n.t('Five steps with pictures'),
      command: 'workbench.action.openWalkthrough',
      argument: `${extension}#start`,
    },
    {
      label: `$(book) ${vscode.l10n.t('Documentation')}`,
      detail: vscode.l10n.t('What is checked, and how to silence it'),
      command: 'extension.open',
      argument: extension,
    },
    { label: `$(output) ${vscode.l10n.t('Show log')}`, command: 'kubeCrd.showLog' },
    { label: `$(refresh) ${vscode.l10n.t('Restart server')}`, command: 'kubeCrd.restart' },
  ];
}
