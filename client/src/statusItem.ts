import * as vscode from 'vscode';
import type { Status } from '../../server/src/lsp/protocol.ts';

const icons: Readonly<Record<Status['state'], string>> = {
  starting: '$(loading~spin)',
  ready: '$(check)',
  limited: '$(info)',
  failed: '$(error)',
};

export function statusItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('kubeCrd.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Kubernetes CRD & CEL';
  item.command = 'kubeCrd.showLog';
  showStatus(item, { state: 'starting', kubernetes: '', notes: [] });
  item.show();
  return item;
}

export function showStatus(item: vscode.StatusBarItem, { state, kubernetes, notes }: Status): void {
  item.text = `${icons[state]} Kubernetes ${kubernetes}`.trimEnd();
  item.tooltip = notes.join('\n\n') || 'CRDs and custom resources are checked as this version would check them.';
  item.backgroundColor = state === 'failed' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
}
