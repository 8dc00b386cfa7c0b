import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderedByClick, renderedText } from '../workbench.mjs';

export const name =
  'a failing case is seen, what its rule comes to is looked at, the rule is mended, and the test goes green by itself';

const crd = 'crds/databases.yaml';
const broken = 'self.replicas < self.maxReplicas';

/** The rule refuses as many replicas as there may be. */
export function prepare(workspace) {
  const file = path.join(workspace, crd);
  writeFileSync(file, readFileSync(file, 'utf8').replace('self.replicas <= self.maxReplicas', broken));
}

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const lens = (text) => page.locator('.codelens-decoration a, .codelens-decoration span', { hasText: text });
  await workbench.open('tests/database.crdtest.yaml');
  await workbench.squiggle('warning');
  await lens('1 of 4 failed').first().waitFor({ timeout: 30_000 });
  await workbench.settle(800);
  await workbench.screenshot('15-lenses');
  const pageText = await renderedByClick(page, lens('Debug').nth(2), 'Rules');
  assert.match(pageText, /self\.replicas < self\.maxReplicas: false\s+self\.replicas: 3\s+self\.maxReplicas: 3/);
  await workbench.settle(800);
  await workbench.screenshot('15-debug');
  await workbench.command('View: Close All Editors in Group');
  await workbench.command('Test: Debug All Tests');
  assert.match(await renderedText(page, 'Rules'), /self\.replicas: 3/);
  await workbench.command('Testing: Focus on Test Explorer View');
  await page.waitForSelector('.test-explorer .monaco-list-row .codicon-testing-failed-icon', { timeout: 30_000 });
  await page.locator('.action-label[aria-label*="Continuous Run"]').first().click();
  await workbench.settle(800);
  await workbench.screenshot('15-continuous');
  await workbench.open(crd);
  const lines = readFileSync(path.join(workspace, crd), 'utf8').split('\n');
  const at = lines.findIndex((row) => row.includes(broken));
  await workbench.goTo(at + 1, lines[at].indexOf('<') + 2);
  await lens('1 fails').first().waitFor({ timeout: 30_000 });
  await workbench.settle(500);
  await workbench.screenshot('15-rule');
  await page.keyboard.type('=');
  await page.waitForFunction(() => !document.querySelector('.test-explorer .codicon-testing-failed-icon'), null, {
    timeout: 30_000,
  });
  await page.waitForSelector('.test-explorer .monaco-list-row .codicon-testing-passed-icon', { timeout: 30_000 });
  await lens('1 fails').first().waitFor({ state: 'detached', timeout: 30_000 });
  await workbench.screenshot('15-mended');
}
