import { readFileSync } from 'node:fs';
import path from 'node:path';

export const name = 'the schema of a kind is looked through as a tree, filtered, and leads to the CRD';

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const row = (text) =>
    page.locator('.pane-body .monaco-list-row[aria-label*="field"], .pane-body .monaco-list-row[aria-label*="rule"]', {
      hasText: text,
    });
  await workbench.open('database.yaml');
  await workbench.goTo(3, 1);
  await workbench.command('Show the schema of a kind as a tree');
  await row('spec').first().waitFor({ timeout: 30_000 });
  await workbench.settle();
  // By the keyboard alone: down to the first row, which is unfolded.
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await row('self.replicas <= self.maxReplicas').waitFor({ timeout: 30_000 });
  await page.waitForSelector('.monaco-list-row[aria-label^="field, storage, object · required"]');
  await workbench.screenshot('20-tree');

  await workbench.command('Filter fields and rules');
  await page.waitForSelector('.quick-input-widget >> text=/Show only fields/', { state: 'visible' });
  await page.keyboard.type('schedule');
  await page.keyboard.press('Enter');
  await row('schedule').waitFor({ timeout: 30_000 });
  await row('self.replicas').waitFor({ state: 'detached', timeout: 30_000 });
  await workbench.screenshot('20-filtered');

  // Enter goes to where the CRD declares the field.
  await row('schedule').click();
  await page.waitForSelector('.tab.active[data-resource-name="databases.yaml"]', { timeout: 30_000 });
  const lines = readFileSync(path.join(workspace, 'crds/databases.yaml'), 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes('schedule:')) + 1;
  await workbench.cursorOn(line);
}
