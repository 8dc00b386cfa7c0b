import * as vscode from 'vscode';
import { LSPErrorCodes, ResponseError } from 'vscode-languageclient';

/** What a page in a webview tells, beside `ready`, which says that it can be drawn. */
export interface Told {
  readonly does: string;
  readonly [what: string]: unknown;
}

export interface View {
  /** Whether there is anybody to see it. */
  isVisible(): boolean;
  /** Opens it beside the editor, or brings it to the front; the editor keeps the focus. */
  show(): void;
  draw(data: unknown): void;
}

/** A page of ours: its script, its style, and what becomes of what it tells. */
export interface Page {
  readonly type: string;
  readonly title: string;
  /** A script of `dist/client`. */
  readonly script: string;
  readonly style: string;
  told(told: Told): void;
  /** It can be seen, maybe again, and wants to be drawn. */
  shown(): void;
}

/** One panel at most for each page. It may load nothing but its own script, and nothing from elsewhere. */
export function viewOf({ extensionUri }: vscode.ExtensionContext, page: Page): View & vscode.Disposable {
  let panel: vscode.WebviewPanel | undefined;
  const folder = vscode.Uri.joinPath(extensionUri, 'dist/client');
  const open = () => {
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const options = { enableScripts: true, localResourceRoots: [folder], enableFindWidget: true };
    const made = vscode.window.createWebviewPanel(page.type, page.title, column, options);
    panel = made;
    made.onDidDispose(() => {
      panel = undefined;
    });
    made.onDidChangeViewState(() => (made.visible ? page.shown() : undefined));
    made.webview.onDidReceiveMessage((told: Told) => (told.does === 'ready' ? page.shown() : page.told(told)));
    made.webview.html = htmlOf(page, made.webview.asWebviewUri(vscode.Uri.joinPath(folder, page.script)));
  };
  return {
    isVisible: () => panel?.visible ?? false,
    show: () => (panel ? panel.reveal(undefined, true) : open()),
    draw: (data) => void panel?.webview.postMessage(data),
    dispose: () => panel?.dispose(),
  };
}

function htmlOf({ title, style }: Page, script: vscode.Uri): string {
  const nonce = crypto.randomUUID();
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>
<style nonce="${nonce}">${commonStyle}${style}</style>
</head>
<body><script nonce="${nonce}" src="${script}"></script></body>
</html>`;
}

/**
 * The editor's own colours, also those of its high-contrast themes. Themes give buttons and boxes the colour of what is behind
 * them, or nearly: an edge that can be seen gives them a shape.
 */
const commonStyle = `
:root { --edge: var(--vscode-contrastBorder, color-mix(in srgb, var(--vscode-foreground) 60%, var(--vscode-editor-background))); }
body { color: var(--vscode-foreground); font: var(--vscode-font-size) var(--vscode-font-family); padding: 0 1em 1em; }
h1 { font-size: 1.3em; }
h2 { font-size: 1em; margin: 0.6em 0 0.2em; }
pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); margin: 0.3em 0;
  white-space: pre-wrap; overflow-wrap: anywhere; }
button { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground);
  border: 1px solid var(--edge); padding: 3px 8px; margin: 2px 6px 2px 0; font: inherit; cursor: pointer; }
button:hover { background: var(--vscode-button-secondaryHoverBackground); }
:focus-visible { outline: 2px solid var(--vscode-focusBorder); outline-offset: 1px; }
`;

/** An answer; undefined where the server gave up, since something was typed meanwhile that is asked about next. */
export async function unlessGivenUp<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled) return undefined;
    throw error;
  }
}

/** Shows a place of a file in an editor. */
export async function showPlace(uri: string, { start, end }: RangeLike): Promise<void> {
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  const target = vscode.Uri.parse(uri, true);
  // Where it is shown already, it is shown there.
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === target.toString());
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
  await vscode.window.showTextDocument(target, { selection, viewColumn });
}

export interface RangeLike {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}
