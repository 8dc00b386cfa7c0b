import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type KindAt,
  type KindRef,
  type KnownKind,
  kindAtRequest,
  knownKindsRequest,
  type SchemaRow,
  type SchemaRows,
  schemaRequest,
} from '../../server/src/lsp/protocol.ts';
import { writtenFile } from './goCrd.ts';
import { afterPause } from './pause.ts';
import { showPlace } from './webview.ts';

/** How long typing must pause before the tree is asked for again. */
const pauseMs = 500;

/** The schema of one kind as a tree: each level is asked for once it is looked at. */
export function schemaView(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  let kind: KindRef | undefined;
  let filter = '';
  const changed = new vscode.EventEmitter<undefined>();
  const view = vscode.window.createTreeView<SchemaRow>('kubeCrd.schema', {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (row) => {
        if (!kind) return [];
        const asked: SchemaRows = { kind, names: row?.names ?? [], ...(filter !== '' && { filter }) };
        return await client.sendRequest<SchemaRow[]>(schemaRequest, asked);
      },
      getTreeItem: (row) => itemOf(row, filter),
    },
  });
  const draw = () => {
    view.description = kind ? `${kind.kind} ${kind.version}` : '';
    view.message = filter === '' ? '' : vscode.l10n.t('Fields and rules with "{0}"', filter);
    void vscode.commands.executeCommand('setContext', 'kubeCrd.schemaFiltered', filter !== '');
    changed.fire(undefined);
  };
  const later = afterPause(pauseMs, draw);
  const show = async (chosen: KindRef | undefined) => {
    if (!chosen) return;
    kind = chosen;
    filter = '';
    await vscode.commands.executeCommand('setContext', 'kubeCrd.schemaShown', true);
    draw();
    await vscode.commands.executeCommand('kubeCrd.schema.focus');
  };
  const command = (name: string, run: (row?: SchemaRow) => void | Promise<void>) =>
    vscode.commands.registerCommand(`kubeCrd.${name}`, run);
  return vscode.Disposable.from(
    view,
    changed,
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (view.visible && document.uri.toString() === kind?.uri) later();
    }),
    command('showSchema', async () => {
      await start();
      await show((await kindHere(client)) ?? (await chooseKind(client)));
    }),
    command('chooseSchema', async () => {
      await start();
      await show(await chooseKind(client));
    }),
    command('filterSchema', async () => {
      const prompt = vscode.l10n.t('Show only fields and rules with this text');
      const typed = await vscode.window.showInputBox({ prompt, value: filter });
      if (typed === undefined) return;
      filter = typed.trim();
      draw();
    }),
    command('clearSchemaFilter', () => {
      filter = '';
      draw();
    }),
    command('copySchemaPath', async (given) => {
      const row = given ?? view.selection[0];
      if (!row) return;
      await vscode.env.clipboard.writeText(row.path);
      vscode.window.setStatusBarMessage(vscode.l10n.t('Copied {0}', row.path), 5000);
    }),
    command('openSchemaRow', async (given) => {
      const { uri, range } = given ?? view.selection[0] ?? {};
      if (uri !== undefined && range) await showPlace(uri, range);
    }),
  );
}

function itemOf(row: SchemaRow, filter: string): vscode.TreeItem {
  const { what, name, detail, description, path, names, hasMore, uri } = row;
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  // What is looked for is seen at once.
  const item = new vscode.TreeItem(name, hasMore ? (filter === '' ? Collapsed : Expanded) : None);
  const isRule = what === 'rule';
  // Rows stay unfolded while the CRD is edited.
  item.id = [filter, what, ...names, ...(isRule ? [name] : [])].join('/');
  if (uri !== undefined)
    item.command = { command: 'kubeCrd.openSchemaRow', title: vscode.l10n.t('Go to definition'), arguments: [row] };
  item.description = detail;
  item.tooltip = [isRule ? name : path, detail, description].filter(Boolean).join('\n\n');
  item.iconPath = new vscode.ThemeIcon(isRule ? 'law' : 'symbol-field');
  item.contextValue = what;
  const spoken = [isRule ? vscode.l10n.t('rule') : vscode.l10n.t('field'), name, detail, description];
  item.accessibilityInformation = { label: spoken.filter(Boolean).join(', ') };
  return item;
}

async function kindHere(client: BaseLanguageClient): Promise<KindRef | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { uri } = editor.document;
  const { line, character } = editor.selection.active;
  const asked: KindAt = { uri: (writtenFile(uri) ?? uri).toString(), position: { line, character } };
  return (await client.sendRequest<KindRef | null>(kindAtRequest, asked)) ?? undefined;
}

async function chooseKind(client: BaseLanguageClient): Promise<KindRef | undefined> {
  const kinds = await client.sendRequest<KnownKind[]>(knownKindsRequest);
  const rows = kinds.flatMap(({ kind, group, versions, source, uri }) =>
    versions.map((version) => ({
      ...{ label: kind, description: `${group}/${version}`, detail: source },
      ref: { uri, group, kind, version },
    })),
  );
  const placeHolder = vscode.l10n.t('Whose schema is to be shown?');
  const chosen = await vscode.window.showQuickPick(rows, { placeHolder, matchOnDescription: true });
  return chosen?.ref;
}
