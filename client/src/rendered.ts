import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type RenderedAsked,
  type RenderedShown,
  renderedRequest,
  renderedScheme,
} from '../../server/src/lsp/protocol.ts';
import { afterPause } from './pause.ts';

const pauseMs = 150;

/** The commands that show what a template renders, or a kustomization builds, beside it, as it is while files are changed. */
export function rendered(client: BaseLanguageClient, start: () => Promise<void>): vscode.Disposable {
  const views = new Views(client);
  return vscode.Disposable.from(
    views,
    vscode.workspace.registerTextDocumentContentProvider(renderedScheme, views),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme !== renderedScheme) views.refresh();
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => views.forget(uri)),
    vscode.window.onDidChangeTextEditorSelection((change) => views.follow(change)),
    ...['kubeCrd.showRendered', 'kubeCrd.showBuilt'].map((command) =>
      vscode.commands.registerCommand(command, async () => {
        await start();
        await views.show();
      }),
    ),
    vscode.commands.registerCommand('kubeCrd.chooseRendered', async () => {
      await start();
      await views.choose();
    }),
  );
}

/** A template that is shown, by the address of the document that shows it. */
interface View {
  readonly template: vscode.Uri;
  asked: RenderedAsked;
  shown: RenderedShown | undefined;
}

class Views implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly client: BaseLanguageClient;
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly byUri = new Map<string, View>();
  readonly onDidChange = this.changed.event;
  readonly refresh: () => void;

  constructor(client: BaseLanguageClient) {
    this.client = client;
    this.refresh = afterPause(pauseMs, () => {
      for (const uri of this.byUri.keys()) this.changed.fire(vscode.Uri.parse(uri));
    });
  }

  dispose(): void {
    this.changed.dispose();
  }

  forget(uri: vscode.Uri): void {
    this.byUri.delete(uri.toString());
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const view = this.viewOf(uri);
    const shown = await this.ask(view.asked);
    view.shown = shown;
    return shown?.text ?? `# ${vscode.l10n.t('Nothing comes of this file.')}\n`;
  }

  async show(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || editor.document.uri.scheme === renderedScheme) return;
    const { document, selection } = editor;
    const found = await this.ask({ uri: document.uri.toString(), position: selection.active });
    if (!found) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Nothing is rendered or built of this file.'));
      return;
    }
    const uri = addressOf(document.uri);
    const view = this.viewOf(uri);
    view.asked = { uri: document.uri.toString(), values: found.values };
    view.shown = found;
    this.changed.fire(uri);
    const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false };
    const shown = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), beside);
    reveal(shown, lineMade(found, selection.active.line));
  }

  /** Values to render with, for the document that shows a template, or for the template. */
  async choose(): Promise<void> {
    const active = vscode.window.activeTextEditor?.document.uri;
    if (!active) return;
    if (active.scheme !== renderedScheme) await this.show();
    const uri = active.scheme === renderedScheme ? active : addressOf(active);
    const view = this.byUri.get(uri.toString());
    const choices = view?.shown?.choices ?? [];
    const placeHolder = vscode.l10n.t('Values, or the kustomization, of what is shown');
    const values = await vscode.window.showQuickPick([...choices], { placeHolder });
    if (!view || values === undefined) return;
    view.asked = { ...view.asked, values };
    this.changed.fire(uri);
  }

  /** Where the cursor is, there and here. */
  follow({ textEditor, kind }: vscode.TextEditorSelectionChangeEvent): void {
    if (kind === undefined || kind === vscode.TextEditorSelectionChangeKind.Command) return;
    const { document, selection } = textEditor;
    const { line } = selection.active;
    const own = this.byUri.get(document.uri.toString());
    for (const other of vscode.window.visibleTextEditors) {
      const shows = this.byUri.get(other.document.uri.toString());
      if (shows?.shown && shows.template.toString() === document.uri.toString())
        reveal(other, lineMade(shows.shown, line));
      if (own?.shown && own.template.toString() === other.document.uri.toString())
        reveal(other, own.shown.lines[line] ?? -1);
    }
  }

  private viewOf(uri: vscode.Uri): View {
    const key = uri.toString();
    const known = this.byUri.get(key);
    if (known) return known;
    const template = vscode.Uri.parse(uri.query);
    const view = { template, asked: { uri: uri.query }, shown: undefined };
    this.byUri.set(key, view);
    return view;
  }

  private async ask(asked: RenderedAsked): Promise<RenderedShown | undefined> {
    return (await this.client.sendRequest<RenderedShown | null>(renderedRequest, asked)) ?? undefined;
  }
}

function addressOf(template: vscode.Uri): vscode.Uri {
  const name = template.path.slice(template.path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return vscode.Uri.from({ scheme: renderedScheme, path: `/${name} (rendered).yaml`, query: template.toString() });
}

/** The first line that comes from a line of the template, or from the nearest above it. */
function lineMade({ lines }: RenderedShown, line: number): number {
  let best = -1;
  lines.forEach((from, at) => {
    if (from !== -1 && from <= line && (best === -1 || from > lines[best]!)) best = at;
  });
  return best;
}

function reveal(editor: vscode.TextEditor, line: number): void {
  if (line < 0) return;
  const place = new vscode.Position(line, 0);
  editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
