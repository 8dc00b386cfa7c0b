import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type Costs, costsRequest, type VersionCost } from '../../server/src/lsp/protocol.ts';
import { writtenFile } from './goCrd.ts';
import { afterPause } from './pause.ts';
import { type RangeLike, showPlace, unlessGivenUp, viewOf } from './webview.ts';
import type { CostPage, CostWords } from './webviews/costPage.ts';

/** How long typing must pause before the picture is drawn again. */
const pauseMs = 500;

/** The picture of what the rules of a CRD may cost, with the same as a table. */
export function costs(
  context: vscode.ExtensionContext,
  client: BaseLanguageClient,
  start: () => Promise<void>,
): vscode.Disposable {
  let uri: vscode.Uri | undefined;
  const draw = async () => {
    if (!uri || !view.isVisible()) return;
    const asked: Costs = { uri: uri.toString() };
    const versions = await unlessGivenUp(client.sendRequest<VersionCost[]>(costsRequest, asked));
    if (!versions) return;
    const page: CostPage = { versions, words: words() };
    view.draw(page);
  };
  const view = viewOf(context, {
    ...{ type: 'kubeCrd.costs', title: vscode.l10n.t('Cost of rules'), script: 'costPage.js', style },
    told: ({ does, range }) =>
      does === 'open' && uri ? void showPlace(uri.toString(), range as RangeLike) : undefined,
    shown: () => void draw(),
  });
  const later = afterPause(pauseMs, draw);
  return vscode.Disposable.from(
    view,
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.toString() === uri?.toString() && view.isVisible()) later();
    }),
    vscode.commands.registerCommand('kubeCrd.showCosts', async () => {
      const active = writtenFile(vscode.window.activeTextEditor?.document.uri);
      if (!active) return;
      await start();
      uri = active;
      view.show();
      await draw();
    }),
  );
}

function words(): CostWords {
  return {
    nothing: vscode.l10n.t('There is no CRD in this file.'),
    noRules: vscode.l10n.t('This version has no rules.'),
    summary: vscode.l10n.t('Its rules may cost {0}: {1} of what the API server allows for one version.', '{0}', '{1}'),
    unknown: vscode.l10n.t('Rules and messages that do not compile, whose cost is not known: {0}', '{0}'),
    map: vscode.l10n.t('Shares of the cost by field and rule. Arrow keys go from rule to rule, Enter opens one.'),
    hint: vscode.l10n.t('Choose a rule with the arrow keys or the mouse to see what makes it expensive.'),
    table: vscode.l10n.t('The same as a table'),
    whole: vscode.l10n.t('the object'),
    field: vscode.l10n.t('Field'),
    expression: vscode.l10n.t('Rule'),
    cost: vscode.l10n.t('Cost'),
    share: vscode.l10n.t('Of the limit for all'),
    ofOne: vscode.l10n.t('Of the limit for one'),
    labels: vscode.l10n.t(
      '{0}: {1}: {2} of the limit for all, cost {3}, {4} of the limit for one',
      '{0}',
      '{1}',
      '{2}',
      '{3}',
      '{4}',
    ),
    more: vscode.l10n.t('{0} more fields are in the table only.', '{0}'),
  };
}

const style = `
.bar { border: 1px solid var(--edge); box-sizing: border-box; height: 1.2em; width: 100%; }
.bar div { background: var(--vscode-charts-blue, var(--vscode-foreground)); height: 100%; max-width: 100%; }
.bar.spent div { background: var(--vscode-errorForeground); }
.map { position: relative; width: 100%; aspect-ratio: 5 / 3; max-height: 70vh; border: 1px solid var(--edge); }
.field { position: absolute; box-sizing: border-box; overflow: hidden; border: 1px solid var(--edge);
  background: var(--vscode-editorWidget-background); }
.field-name { font-weight: bold; height: 1.4em; overflow: hidden; padding: 0 4px; text-overflow: ellipsis; white-space: nowrap; }
.box { position: absolute; box-sizing: border-box; margin: 0; overflow: hidden; padding: 2px 4px; text-align: left; vertical-align: top;
  border: 1px solid var(--edge); display: flex; flex-direction: column; justify-content: flex-start; }
.box:focus-visible { outline-offset: -3px; outline-width: 3px; }
.box code { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 100%; }
.over { border: 3px double var(--vscode-errorForeground); }
.explained { min-height: 5em; }
table { border-collapse: collapse; margin-top: 1em; }
caption { font-weight: bold; padding: 4px 0; text-align: left; }
th, td { border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, currentColor)); padding: 2px 8px; text-align: left; vertical-align: top; }
td button { background: none; border: none; color: var(--vscode-textLink-foreground); margin: 0; padding: 0; text-align: left; }
td button:hover { background: none; text-decoration: underline; }
.number { text-align: right; white-space: nowrap; }
`;
