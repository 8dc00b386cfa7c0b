// The editors of the journeys. Those that need no other extensions and no environment of their own have one editor and one
// browser between them, one after the other: to start both takes longer than many a journey. Each finds the editor as it was
// at first. A fifth of the processor's time of a window was for what no journey looks at: the editor's text packed and
// unpacked on its way within one machine, and extensions for other languages. The suite has an editor with all of them.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installedExtension, startCodeServer, vscode } from '../../scripts/editor.mjs';
import { openBrowser } from './browser.mjs';
import { startWeb } from './web.mjs';

/** What the journeys of this process share, once one of them has needed it. */
let shared;

/** Built-in extensions that have nothing to say of YAML, Go, charts and pages, but are read and started with each window. */
const withoutUse = [
  'configuration-editing',
  'copilot',
  'css-language-features',
  'debug-auto-launch',
  'emmet',
  'extension-editing',
  'git',
  'git-base',
  'github',
  'github-authentication',
  'grunt',
  'gulp',
  'html-language-features',
  'ipynb',
  'jake',
  'json-language-features',
  'merge-conflict',
  'microsoft-authentication',
  'ms-vscode.js-debug',
  'ms-vscode.js-debug-companion',
  'ms-vscode.vscode-js-profile-table',
  'notebook-renderers',
  'npm',
  'php-language-features',
  'tunnel-forwarding',
  'typescript-language-features',
];

/** What a journey sets in the environment reaches only an editor that starts after it. */
const environment = JSON.stringify(process.env);

/** An editor with a page in a browser; `close` is told whether all went well. */
export async function openEditor({ settings, extensions = [], inBrowser = false }, workspace) {
  const isUsual = extensions.length === 0 && !inBrowser && JSON.stringify(process.env) === environment;
  if (isUsual) return await sharedEditor(settings);
  const browser = await openBrowser();
  const editor = inBrowser
    ? await startWeb({ folder: workspace, settings })
    : await startInstalled(settings, extensions);
  const close = async () => {
    await browser.close();
    await editor.stop();
  };
  return { address: editor.address, page: await (inBrowser ? browser.newPage() : unpackedPage(browser)), close };
}

async function sharedEditor(settings) {
  shared ??= { editor: await startInstalled(), browser: await openBrowser() };
  const { editor, browser } = shared;
  editor.renew(settings);
  const page = await unpackedPage(browser);
  const close = async (isGood) => {
    if (!isGood) return await endShared();
    // A window that is left ends what runs for it.
    await page.goto('about:blank');
    await page.context().close();
  };
  return { address: editor.address, page, close };
}

/** Ends what is shared; the next journey begins anew. */
export async function endShared() {
  const ended = shared;
  shared = undefined;
  await ended?.browser.close();
  await ended?.editor.stop();
}

/** An editor with our extension as an installed one. */
async function startInstalled(settings, extensions) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-installed-'));
  const editor = await startCodeServer({
    extensions: installedExtension(path.join(home, 'extensions'), extensions),
    settings,
    log: path.join(home, 'log'),
    args: [
      ...['--vscode-option', `builtin-extensions-dir=${builtinExtensions(path.join(home, 'built-in'))}`],
      ...['--vscode-option', 'disable-websocket-compression'],
    ],
  });
  const stop = async () => {
    await editor.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  return { ...editor, stop };
}

/** A folder of the built-in extensions that a journey may meet. */
function builtinExtensions(folder) {
  mkdirSync(folder);
  const from = path.join(vscode, 'extensions');
  const names = readdirSync(from);
  const unknown = withoutUse.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`the editor has no built-in extension ${unknown.join(', ')}`);
  for (const name of names) if (!withoutUse.includes(name)) symlinkSync(path.join(from, name), path.join(folder, name));
  return folder;
}

/** A page that gets the workbench's 19 MB as they are, not packed anew for each window. */
async function unpackedPage(browser) {
  const page = await browser.newPage();
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'identity' });
  return page;
}
