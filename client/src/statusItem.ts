import * as vscode from 'vscode';
import type { Status } from '../../server/src/lsp/protocol.ts';

const icons: Readonly<Record<Status['state'], string>> = {
  starting: '$(loading~spin)',
  ready: '$(check)',
  limited: '$(info)',
  failed: '$(error)',
};

/** The item in the status bar: how the server fares, and for which Kubernetes version the active file is judged. */
export interface StatusItem extends vscode.Disposable {
  /** The server is being started: until then nothing is shown. */
  begin(): void;
  show(status: Status): void;
  /** The server has ended and does not come back by itself. */
  ended(): void;
}

const nothing: Status = { state: 'starting', kubernetes: '', byFile: {}, notJudged: {}, notes: [] };

export function statusItem(): StatusItem {
  const item = vscode.window.createStatusBarItem('kubeCrd.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Kubernetes CRD & CEL';
  let last = nothing;
  const draw = () => {
    const uri = vscode.window.activeTextEditor?.document.uri.toString() ?? '';
    const version = last.byFile[uri] ?? last.kubernetes;
    const notJudged = last.notJudged[uri];
    const icon = last.state === 'ready' && notJudged !== undefined ? icons.limited : icons[last.state];
    item.text = `${icon} Kubernetes ${version}`.trimEnd();
    item.tooltip = tooltip(notJudged === undefined ? last.notes : [notJudged, ...last.notes]);
    item.command = last.state === 'failed' ? 'kubeCrd.restart' : 'kubeCrd.selectVersion';
    item.backgroundColor = last.state === 'failed' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
  };
  draw();
  const moved = vscode.window.onDidChangeActiveTextEditor(draw);
  return {
    begin: () => item.show(),
    ended: () => {
      last = { ...last, state: 'failed', notes: ['The language server has ended. Click to start it again.'] };
      draw();
    },
    show: (status) => {
      last = status;
      draw();
    },
    dispose: () => vscode.Disposable.from(item, moved).dispose(),
  };
}

function tooltip(notes: readonly string[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  text.isTrusted = { enabledCommands: ['kubeCrd.showKinds', 'kubeCrd.showLog'] };
  text.appendText(notes.join('\n\n') || 'CRDs and custom resources are checked as this version would check them.');
  return text.appendMarkdown('\n\n[Show known kinds](command:kubeCrd.showKinds) · [Show log](command:kubeCrd.showLog)');
}
