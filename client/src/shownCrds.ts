import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type Shown, shownRequest, shownScheme } from '../../server/src/lsp/protocol.ts';

/** CRDs out of archives and catalogues, as documents that can only be read. */
export function shownCrds(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(shownScheme, {
    async provideTextDocumentContent(uri) {
      await start();
      const asked: Shown = { uri: uri.toString() };
      const text = await client.sendRequest<string | null>(shownRequest, asked);
      return (
        text ??
        `# ${vscode.l10n.t('This CRD is not in use any more: the archive or catalogue that held it has changed or is gone.')}\n`
      );
    },
  });
}
