import * as vscode from 'vscode';
import type { Status } from '../../server/src/lsp/protocol.ts';
import { type Shown, showStatusMenu } from './statusMenu.ts';

/** How the server fares, and whether it judges anything in the active file. */
type State = Status['state'] | 'unjudged';

const icons: Readonly<Record<State, string>> = {
  starting: '$(loading~spin)',
  ready: '$(check)',
  limited: '$(info)',
  unjudged: '$(circle-slash)',
  failed: '$(error)',
};

/** What the icons say, to those who do not see them. */
const states: Readonly<Record<State, string>> = {
  starting: vscode.l10n.t('starting'),
  ready: vscode.l10n.t('ready'),
  limited: vscode.l10n.t('limited'),
  unjudged: vscode.l10n.t('not checked'),
  failed: vscode.l10n.t('failed'),
};

/** The item in the status bar: how the server fares, and for which Kubernetes version the active file is judged. */
export interface StatusItem extends vscode.Disposable {
  /** The server is being started: until then nothing is shown. */
  begin(): void;
  show(status: Status): void;
  /** The server has ended and does not come back by itself. */
  ended(): void;
}

const nothing: Status = {
  state: 'starting',
  kubernetes: '',
  byFile: {},
  judged: {},
  missing: 0,
  notJudged: {},
  notes: [],
};

export function statusItem(extension: string): StatusItem {
  const item = vscode.window.createStatusBarItem('kubeCrd.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Kubernetes CRD & CEL';
  let last = nothing;
  const shown = (): Shown => {
    const uri = vscode.window.activeTextEditor?.document.uri.toString() ?? '';
    return {
      version: last.byFile[uri] ?? last.kubernetes,
      judged: last.judged[uri],
      notJudged: last.notJudged[uri],
      notes: last.notes,
      judgedAs: last.judgedAs,
    };
  };
  let begun = false;
  const draw = () => {
    const { version, judged, notJudged, notes, judgedAs } = shown();
    tellMenus(judged);
    void vscode.commands.executeCommand('setContext', 'kubeCrd.judgedAsCluster', judgedAs !== undefined);
    const state = stateOf(last.state, judged, notJudged);
    const said = [judgedAs?.said, judged, notJudged, ...notes].filter((one) => one !== undefined);
    // A version stands for a verdict: where nothing is judged there is none.
    const kubernetes = state === 'unjudged' ? 'Kubernetes' : `Kubernetes ${version}`.trimEnd();
    const words = judgedAs ? vscode.l10n.t('{0} as {1}', kubernetes, judgedAs.cluster) : kubernetes;
    item.text = `${icons[state]} ${words}`;
    item.tooltip = tooltip(said);
    const label = vscode.l10n.t('{0}, {1}, {2}', words, item.name ?? '', states[state]);
    item.accessibilityInformation = {
      label: [label, ...said.map((one) => one.replace(/\.$/, ''))].join('. '),
      role: 'button',
    };
    // Of a file without Kubernetes objects there is nothing to say.
    const isNeeded =
      last.state === 'starting' || last.state === 'failed' || judged !== undefined || notJudged !== undefined;
    if (begun && isNeeded) item.show();
    else item.hide();
    item.command = last.state === 'failed' ? 'kubeCrd.restart' : 'kubeCrd.showStatus';
    item.backgroundColor = last.state === 'failed' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
  };
  draw();
  const moved = vscode.window.onDidChangeActiveTextEditor(draw);
  const menu = vscode.commands.registerCommand('kubeCrd.showStatus', () => showStatusMenu(shown(), extension));
  return {
    begin: () => {
      begun = true;
      draw();
    },
    ended: () => {
      last = {
        ...last,
        state: 'failed',
        notes: [vscode.l10n.t('The language server has ended. Click to start it again.')],
      };
      draw();
    },
    show: (status) => {
      last = status;
      draw();
    },
    dispose: () => vscode.Disposable.from(item, moved, menu).dispose(),
  };
}

function stateOf(state: Status['state'], judged: string | undefined, notJudged: string | undefined): State {
  if (state === 'starting' || state === 'failed') return state;
  if (judged === undefined) return 'unjudged';
  return notJudged === undefined ? state : 'limited';
}

/** Menus, buttons and keys are for files in which something is judged, some for those with CRDs: package.json says which. */
function tellMenus(judged = ''): void {
  void vscode.commands.executeCommand('setContext', 'kubeCrd.judged', judged !== '');
  const definesKinds = /\b(?:CustomResource|CompositeResource)Definition \(/.test(judged);
  void vscode.commands.executeCommand('setContext', 'kubeCrd.definesKinds', definesKinds);
  const hasRules = definesKinds || /AdmissionPolicy \(/.test(judged);
  void vscode.commands.executeCommand('setContext', 'kubeCrd.hasRules', hasRules);
}

function tooltip(notes: readonly string[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  text.isTrusted = { enabledCommands: ['kubeCrd.showKinds', 'kubeCrd.showLog'] };
  text.appendText(
    notes.join('\n\n') || vscode.l10n.t('CRDs and custom resources are checked as this version would check them.'),
  );
  const links = [
    `[${vscode.l10n.t('Show known kinds')}](command:kubeCrd.showKinds)`,
    `[${vscode.l10n.t('Show log')}](command:kubeCrd.showLog)`,
  ];
  return text.appendMarkdown(`\n\n${links.join(' · ')}`);
}
