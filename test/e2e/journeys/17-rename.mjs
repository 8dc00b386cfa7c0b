import assert from 'node:assert/strict';
import { filesIn } from '../onDisk.mjs';

export const name = 'a property is renamed in its CRD, and in resources once the preview was confirmed';

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const { onDisk, lineOf } = filesIn(workspace);
  const crd = 'crds/databases.yaml';

  // F2 from a rule shows the property's name.
  const line = lineOf(crd, 'self.replicas <= self.maxReplicas');
  await workbench.open(crd);
  await workbench.goTo(line, onDisk(crd).split('\n')[line - 1].indexOf('replicas') + 3);
  // The server is up once its lines stand above the rules.
  await page.waitForSelector('.codelens-decoration', { state: 'attached', timeout: 30_000 });
  await page.keyboard.press('F2');
  const input = page.locator('.rename-box input');
  await input.waitFor({ timeout: 30_000 });
  assert.equal(await input.inputValue(), 'replicas');

  // A name that is taken is refused with the reason.
  await input.fill('storage');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=/already has a property/', { timeout: 30_000 });
  await workbench.screenshot('17-refused');
  await page.keyboard.press('Escape');

  // What is outside the CRD is shown first, by what it is.
  await page.keyboard.press('F2');
  await input.waitFor({ timeout: 30_000 });
  await input.fill('copies');
  await page.keyboard.press('Enter');
  const resource = page.locator('.monaco-list-row:has-text("database.yaml") .edit-checkbox');
  await resource.waitFor({ timeout: 30_000 });
  assert.equal(await resource.isChecked(), false);
  await workbench.screenshot('17-preview');
  await resource.click();
  await workbench.settle(500);
  await page.locator('.monaco-button:has-text("Apply")').first().click();
  await resource.waitFor({ state: 'detached', timeout: 30_000 });
  await workbench.command('File: Save All Files');
  await workbench.settle(2_000);
  assert.match(onDisk(crd), /specReplicasPath: \.spec\.copies\n/);
  assert.match(onDisk(crd), /rule: self\.copies <= self\.maxReplicas\n/);
  assert.match(onDisk('database.yaml'), /^ {2}copies: 2$/m);
  await workbench.screenshot('17-renamed');
}
