import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  isPlayground,
  playgroundRequest,
  type ResourceOfKind,
  type Resources,
  type RuleRef,
  resourcesRequest,
  type Scratch,
  type ShowValues,
  scratchRequest,
  showValuesRequest,
  type Tried,
  type Try,
  tryHere,
  tryRequest,
} from '../../server/src/lsp/protocol.ts';
import { isMadeOfGo, writtenFile } from './goCrd.ts';
import { afterPause } from './pause.ts';
import { type RangeLike, showPlace, type Told, unlessGivenUp, viewOf } from './webview.ts';
import type { TryPage, TryWords } from './webviews/tryPage.ts';

/** How long typing must pause before the view is drawn again. */
const pauseMs = 300;

/** What the view is about: a place in a CRD or a playground, and the rule that was there last. */
interface About {
  readonly uri: vscode.Uri;
  readonly position: vscode.Position;
  readonly rule?: RuleRef;
}

/** The view that tries the rule or policy at the cursor, playgrounds, and the values of a resource inside rules. */
export function trying(
  context: vscode.ExtensionContext,
  client: BaseLanguageClient,
  start: () => Promise<void>,
): vscode.Disposable {
  let about: About | undefined;
  const draw = async () => {
    if (!about || !view.isVisible()) return;
    const { uri, position, rule } = about;
    const asked: Try = { uri: uri.toString(), position: plain(position), ...(rule && { rule }) };
    const tried = await unlessGivenUp(client.sendRequest<Tried | null>(tryRequest, asked));
    if (tried === undefined) return;
    if (tried?.rule && about.uri === uri) about = { ...about, rule: tried.rule };
    const page: TryPage = { tried, words: words() };
    view.draw(page);
  };
  const told = async ({ does, uri, range }: Told) => {
    if (does === 'scratch') await newScratch(client, about);
    if (does === 'open') await showPlace(String(uri), range as RangeLike);
    if (does === 'values' && about) {
      const { start: position } = range as RangeLike;
      await showValues(client, about.uri, { uri: String(uri), position });
    }
  };
  const title = vscode.l10n.t('Try this rule');
  const view = viewOf(context, {
    ...{ type: 'kubeCrd.try', title, script: 'tryPage.js', style },
    told: (one) => void told(one),
    shown: () => void draw(),
  });
  const drawLater = afterPause(pauseMs, draw);
  const later = () => {
    if (view.isVisible()) drawLater();
  };
  const tryAt = async (uri: vscode.Uri, position: vscode.Position) => {
    await start();
    about = { uri, position };
    view.show();
    await draw();
  };
  return vscode.Disposable.from(
    view,
    vscode.workspace.onDidChangeTextDocument(later),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor: { document, selection } }) => {
      const isShown = document.uri.toString() === about?.uri.toString();
      if (!isShown && !(about && isPlayground(document.uri.path))) return;
      about = { ...(isShown ? about : {}), uri: document.uri, position: selection.active };
      later();
    }),
    vscode.commands.registerCommand('kubeCrd.tryRule', async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor && !isMadeOfGo(editor)) await tryAt(editor.document.uri, editor.selection.active);
    }),
    vscode.commands.registerCommand(tryHere, (uri: string, { line, character }: Try['position']) =>
      tryAt(vscode.Uri.parse(uri, true), new vscode.Position(line, character)),
    ),
    vscode.commands.registerCommand('kubeCrd.openPlayground', async () => {
      await start();
      const editor = await openPlayground(client);
      await tryAt(editor.document.uri, editor.selection.active);
    }),
    vscode.commands.registerCommand('kubeCrd.showRuleValues', async () => {
      const uri = writtenFile(vscode.window.activeTextEditor?.document.uri);
      if (!uri) return;
      await start();
      await chooseValues(client, uri);
    }),
  );
}

function plain({ line, character }: vscode.Position): Try['position'] {
  return { line, character };
}

async function openPlayground(client: BaseLanguageClient): Promise<vscode.TextEditor> {
  const content = await client.sendRequest<string>(playgroundRequest);
  const taken = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  const named = (i: number) => vscode.Uri.from({ scheme: 'untitled', path: `playground-${i}.cel.yaml` });
  let nth = 1;
  while (taken.has(named(nth).toString())) nth++;
  const document = await vscode.workspace.openTextDocument(named(nth));
  const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), content));
  // Behind the expression.
  const line = content.split('\n').findIndex((row) => row.startsWith('self:')) - 1;
  const at = new vscode.Position(line, document.lineAt(line).text.length);
  editor.selection = new vscode.Selection(at, at);
  return editor;
}

/** A new object of the rule's kind, to be filled in: an open document like any other. */
async function newScratch(client: BaseLanguageClient, about: About | undefined): Promise<void> {
  if (!about?.rule) return;
  const asked: Scratch = { uri: about.uri.toString(), rule: about.rule };
  const snippet = await client.sendRequest<string | null>(scratchRequest, asked);
  if (snippet === null) return;
  const document = await vscode.workspace.openTextDocument({ language: 'yaml' });
  const beside = vscode.window.visibleTextEditors.find(({ document: one }) => one.uri.toString() === asked.uri);
  const editor = await vscode.window.showTextDocument(document, beside?.viewColumn ?? vscode.ViewColumn.One);
  await editor.insertSnippet(new vscode.SnippetString(snippet));
}

async function showValues(
  client: BaseLanguageClient,
  uri: vscode.Uri,
  resource: ShowValues['resource'] | undefined,
): Promise<void> {
  const asked: ShowValues = { uri: uri.toString(), ...(resource && { resource }) };
  await client.sendRequest(showValuesRequest, asked);
}

/** Which resource's values are shown in the rules of a CRD; none once that is chosen. */
async function chooseValues(client: BaseLanguageClient, uri: vscode.Uri): Promise<void> {
  const asked: Resources = { uri: uri.toString() };
  const resources = await client.sendRequest<ResourceOfKind[]>(resourcesRequest, asked);
  const rows = resources.map((one) => ({
    label: one.name,
    description: one.kind,
    detail: one.file,
    resource: { uri: one.uri, position: one.range.start },
  }));
  const none = { label: vscode.l10n.t('No values'), description: '', detail: '', resource: undefined };
  const placeHolder =
    rows.length === 0
      ? vscode.l10n.t('No resource of the kinds that this file defines was found')
      : vscode.l10n.t('Show in the rules what their parts come to in this resource');
  const chosen = await vscode.window.showQuickPick([...rows, none], { placeHolder, matchOnDetail: true });
  if (chosen) await showValues(client, uri, chosen.resource);
}

function words(): TryWords {
  return {
    nothing: vscode.l10n.t('Put the cursor into a rule of a CRD, or into a ValidatingAdmissionPolicy.'),
    noMatches: vscode.l10n.t('The workspace has no object that the policy is for.'),
    noObjects: vscode.l10n.t('No resource of this kind and version was found in the workspace.'),
    scratch: vscode.l10n.t('New object to try'),
    values: vscode.l10n.t('Show its values in the rule'),
    open: vscode.l10n.t('Open {0}', '{0}'),
    more: vscode.l10n.t('{0} more are not shown', '{0}'),
    whole: vscode.l10n.t('the whole value'),
    summary: vscode.l10n.t('{0}: {1}', '{0}', '{1}'),
    outcomes: {
      true: vscode.l10n.t('true'),
      false: vscode.l10n.t('false'),
      error: vscode.l10n.t('error'),
      none: vscode.l10n.t('not evaluated'),
      value: vscode.l10n.t('value'),
    },
    policyOutcomes: {
      true: vscode.l10n.t('let in'),
      false: vscode.l10n.t('denied'),
      error: vscode.l10n.t('error'),
      none: vscode.l10n.t('not known'),
      value: vscode.l10n.t('value'),
    },
  };
}

// The colors of outcomes are made for icons: as text they would be too pale in light themes.
const style = `
.expression { border-left: 3px solid var(--vscode-textBlockQuote-border); padding-left: 0.6em; }
.problem { color: color-mix(in srgb, var(--vscode-errorForeground) 40%, var(--vscode-foreground)); }
details { border: 1px solid var(--edge); margin: 4px 0; padding: 4px 8px; }
summary { cursor: pointer; }
summary span { margin-right: 0.6em; }
.outcome, .sign { font-weight: bold; }
.name { font-family: var(--vscode-editor-font-family); }
.false > summary .sign, .false > summary .outcome, .error > summary .sign, .error > summary .outcome { --sign: var(--vscode-errorForeground); }
.true > summary .sign, .true > summary .outcome { --sign: var(--vscode-testing-iconPassed, var(--vscode-foreground)); }
.sign, .outcome { color: color-mix(in srgb, var(--sign, var(--vscode-foreground)) 40%, var(--vscode-foreground)); }
`;
