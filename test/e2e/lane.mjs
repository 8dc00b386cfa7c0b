// The editors of the journeys. Those that need no other extensions and no environment of their own have one editor and one
// browser between them, one after the other: to start both takes longer than many a journey. Each finds the editor as it was
// at first.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installedExtension, startCodeServer } from '../../scripts/editor.mjs';
import { openBrowser } from './browser.mjs';
import { startWeb } from './web.mjs';

/** What the journeys of this process share, once one of them has needed it. */
let shared;

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
  return { address: editor.address, page: await browser.newPage(), close };
}

async function sharedEditor(settings) {
  shared ??= { editor: await startInstalled(), browser: await openBrowser() };
  const { editor, browser } = shared;
  editor.renew(settings);
  const page = await browser.newPage();
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
  });
  const stop = async () => {
    await editor.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  return { ...editor, stop };
}
