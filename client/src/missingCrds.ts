import * as vscode from 'vscode';
import type { Status } from '../../server/src/lsp/protocol.ts';

const offered = 'offeredMissingCrds';

/** Offers, once in a workspace, to bring the CRDs of the kinds that have none: a note at each says the same of one. */
export function missingCrds({ workspaceState }: vscode.ExtensionContext): (status: Status) => void {
  return ({ missing }) => {
    if (missing === 0 || workspaceState.get(offered)) return;
    void workspaceState.update(offered, true);
    void offer(missing);
  };
}

async function offer(missing: number): Promise<void> {
  const fetch = vscode.l10n.t('Fetch CRDs…');
  const question =
    missing === 1
      ? vscode.l10n.t('A kind here has no known CRD, so its objects are not checked. CRDs can be fetched.')
      : vscode.l10n.t(
          '{0} kinds here have no known CRD, so their objects are not checked. CRDs can be fetched.',
          missing,
        );
  const answer = await vscode.window.showInformationMessage(question, fetch, vscode.l10n.t('Not in this workspace'));
  if (answer === fetch) await vscode.commands.executeCommand('kubeCrd.fetchMissing');
}
