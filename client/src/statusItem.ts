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
  show(status: Status): void;
}

export function statusItem(): StatusItem {
  const item = vscode.window.createStatusBarItem('kubeCrd.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Kubernetes CRD & CEL';
  item.command = 'kubeCrd.selectVersion';
  let last: Status = { state: 'starting', kubernetes: '', byFile: {}, notes: [] };
  const draw = () => {
    const version = last.byFile[vscode.window.activeTextEditor?.document.uri.toString() ?? ''] ?? last.kubernetes;
    item.text = `${icons[last.state]} Kubernetes ${version}`.trimEnd();
    item.tooltip = tooltip(last);
    item.backgroundColor = last.state === 'failed' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
  };
  draw();
  item.show();
  const moved = vscode.window.onDidChangeActiveTextEditor(draw);
  return {
    show: (status) => {
      last = status;
      draw();
    },
    dispose: () => vscode.Disposable.from(item, moved).dispose(),
  };
}

function tooltip({ notes }: Status): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  text.isTrusted = { enabledCommands: ['kubeCrd.showLog'] };
  text.appendText(notes.join('\n\n') || 'CRDs and custom resources are checked as this version would check them.');
  return text.appendMarkdown('\n\n[Show log](command:kubeCrd.showLog)');
}
