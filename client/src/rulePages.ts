import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type RulePage, rulePageEnd, rulePageRequest, rulePageScheme } from '../../server/src/lsp/protocol.ts';

/** The pages that the codes of diagnostics link to; package.json has them shown rendered. */
export function rulePages(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(rulePageScheme, {
    async provideTextDocumentContent({ path }) {
      await start();
      const asked: RulePage = { code: path.slice(1, -rulePageEnd.length) };
      return await client.sendRequest<string | null>(rulePageRequest, asked);
    },
  });
}
