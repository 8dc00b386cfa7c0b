import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

export const name =
  'the item in the status bar is reached and used by keyboard alone, and says in words how things stand';

export function prepare(workspace) {
  const template = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}\n';
  writeFileSync(path.join(workspace, 'template.yaml'), template);
  writeFileSync(path.join(workspace, 'notes.yaml'), 'list:\n  - milk\n');
}

export async function run(workbench) {
  const { page } = workbench;
  await workbench.open('database-mistakes.yaml');
  await workbench.squiggle();
  const item = page.locator('.statusbar-item[id*="kubeCrd.status"]');
  await item.waitFor();

  // What a screen reader reads is more than an icon and a number.
  const label = await item.locator('[role=button]').getAttribute('aria-label');
  assert.match(label ?? '', /^Kubernetes 1\.\d+, Kubernetes CRD & CEL, ready/);

  // What people do most has a button and a menu, in files of ours alone; below, keys.
  const button = page.locator('.editor-actions [aria-label*="Show what the API server stores"]');
  await button.waitFor();
  await workbench.goTo(3);
  await page.locator('.editor-instance .view-line', { hasText: 'Database' }).first().click({ button: 'right' });
  await page.locator('.monaco-menu .action-item', { hasText: 'Kubernetes CRD' }).first().waitFor();
  await workbench.screenshot('24-context-menu');
  await page.keyboard.press('Escape');

  // Keys alone lead there.
  await workbench.command('View: Focus Status Bar');
  for (let left = 20; left > 0 && !(await isFocused(item)); left--) await page.keyboard.press('ArrowRight');
  assert.ok(await isFocused(item), 'the item is among those that arrows reach');
  await page.keyboard.press('Enter');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: 'Known kinds' }).waitFor();
  const shown = await rows.allInnerTexts();
  for (const part of ['Kubernetes 1.', 'Known kinds', 'Check the whole workspace', 'First steps', 'Show log'])
    assert.ok(
      shown.some((row) => row.includes(part)),
      shown.join('\n'),
    );
  await workbench.settle();
  await workbench.screenshot('24-menu');

  // From the menu to the kinds, with where each is from.
  await page.keyboard.type('Known kinds');
  await page.keyboard.press('Enter');
  await rows.filter({ hasText: 'databases.yaml' }).waitFor();
  await workbench.settle();
  await workbench.screenshot('24-kinds');
  await page.keyboard.type('Database');
  await workbench.settle();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.tab.active[data-resource-name="databases.yaml"]');

  // And to the choice of the version, which is then in the status bar.
  await workbench.command('Kubernetes CRD: Show status');
  // Enter takes the row that has the focus, which the list gives after it is drawn.
  await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: 'Choose another one' }).waitFor();
  await workbench.settle();
  await page.keyboard.press('Enter');
  await rows.filter({ hasText: '1.34' }).first().waitFor();
  await page.keyboard.type('1.34');
  await page.keyboard.press('Enter');
  await item.filter({ hasText: 'Kubernetes 1.34' }).waitFor();

  // Without a verdict there is no version, and without objects nothing at all.
  await workbench.open('template.yaml');
  await item.locator('.codicon-circle-slash').waitFor();
  assert.equal((await item.innerText()).trim(), 'Kubernetes');
  await workbench.screenshot('24-template');
  await workbench.open('notes.yaml');
  await item.waitFor({ state: 'hidden' });
  await button.waitFor({ state: 'hidden' });

  await workbench.open('database.yaml');
  await button.waitFor();
  await page.keyboard.press('Control+Alt+K');
  await page.keyboard.press('d');
  await page.waitForSelector('.tab.active[data-resource-name^="Documentation of "]');

  // The log says what was read: an empty one would look like a server that never started.
  await workbench.command('Kubernetes CRD: Show Log');
  const read = page.locator('.view-line', { hasText: /kube-crd.0\.\d+\.\d+.has.read/ });
  await read.first().waitFor();
  await workbench.screenshot('24-log');
}

/** Whether the keyboard is at a part of the page, or at something inside. */
async function isFocused(part) {
  return await part.evaluate((element) => element.contains(document.activeElement));
}
