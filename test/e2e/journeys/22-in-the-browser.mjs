import assert from 'node:assert/strict';
import { filesIn } from '../onDisk.mjs';

export const name =
  'in a browser without a machine, all that needs no git and no programs works, and the rest says why not';

export const inBrowser = true;

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const { lineOf } = filesIn(workspace);
  /** The editor's search of files knows nothing of this file system, so that files are chosen in the explorer. */
  const open = async (...names) => {
    for (const part of names) {
      const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: new RegExp(`^${part}`) }).first();
      const isOpenFolder = (await row.getAttribute('aria-expanded')) === 'true';
      if (!isOpenFolder) await row.click();
      await workbench.settle();
    }
    await page.waitForSelector(`.tab.active[data-resource-name="${names.at(-1)}"]`);
    await page.locator('.editor-instance .view-lines').first().click();
  };

  // The CRDs of the workspace are known, and a resource is judged by them.
  await open('database-mistakes.yaml');
  await workbench.squiggle();
  await workbench.command('Notifications: Clear All Notifications');
  await workbench.goTo(lineOf('database-mistakes.yaml', 'replica:'), 5);
  assert.ok((await workbench.quickFixes()).includes('Rename to `replicas`'));
  await workbench.chooseFix('Rename to `replicas`');
  await page.waitForSelector('.view-line:has-text("replicas: 2")');
  await workbench.goTo(lineOf('database-mistakes.yaml', 'replica:'), 5);
  assert.match(await workbench.hoverAtCursor(), /How many copies of the database run/);
  await page.keyboard.press('Escape');
  await workbench.screenshot('22-resource');

  // What is stored of it is shown beside it.
  await workbench.command('Show what the API server stores');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'as a new object' }).click({ timeout: 20_000 });
  await page.waitForSelector('.monaco-diff-editor .view-lines >> text=maxReplicas', { timeout: 20_000 });
  await workbench.screenshot('22-stored');
  await page.keyboard.press('Control+W');

  // A CRD is judged as well, with the cost of its rules and lines above them.
  await open('crds', 'caches.yaml');
  await workbench.squiggle();
  await open('databases.yaml');
  await page.waitForSelector('.codelens-decoration', { state: 'attached', timeout: 30_000 });
  // So are tests of CRDs, which run in the browser.
  await open('tests', 'database.crdtest.yaml');
  await page.waitForSelector('.codelens-decoration:visible:has-text("Run")', { timeout: 30_000 });
  await workbench.command('Test: Run All Tests');
  await page.waitForSelector('.testing-run-glyph.codicon-testing-passed-icon', { timeout: 30_000 });
  await workbench.screenshot('22-tests');

  // What takes programs or the network says so.
  await workbench.command('Fetch CRDs…');
  await page.waitForSelector('.notification-list-item >> text=/cannot be fetched here/', { timeout: 20_000 });
  await workbench.screenshot('22-fetch');
}
