import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const name =
  'tests are run with coverage, the lines of the CRD are coloured, and what no case tries is said there';

const crd = 'crds/databases.yaml';

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const lines = readFileSync(path.join(workspace, crd), 'utf8').split('\n');
  const lineOf = (text) => lines.findIndex((line) => line.includes(text)) + 1;
  await workbench.open(crd);
  await workbench.command('Testing: Focus on Test Explorer View');
  await workbench.command('Test: Run All Tests with Coverage');
  await page.waitForSelector('.test-coverage-bars', { timeout: 60_000 });
  await workbench.open(crd);
  await workbench.goTo(lineOf('required: [size]'));
  await page.waitForSelector('.coverage-deco-gutter.coverage-deco-miss', { timeout: 30_000 });
  const tried = (line) =>
    page.evaluate((number) => {
      const found = [...document.querySelectorAll('.line-numbers')].find((one) => one.textContent === String(number));
      return ['hit', 'miss'].filter((way) => found.classList.contains(`coverage-deco-${way}`)).join();
    }, line);
  assert.equal(await tried(lineOf('size:')), 'hit');
  assert.equal(await tried(lineOf('maximum: 9')), 'hit,miss');
  assert.equal(await tried(lineOf('class:')), 'miss');
  assert.equal(await tried(lineOf('description: The disk')), '');
  await workbench.command('Test: Toggle Inline Coverage');
  const row = page.locator('.view-line', { hasText: 'maximum: 9' });
  const missing = row.locator('.coverage-deco-branch-miss-indicator');
  await missing.waitFor({ timeout: 30_000 });
  await workbench.settle(800);
  await workbench.screenshot('16-coverage');
  const card = page.locator('.monaco-hover:not(.hidden)', { hasText: 'crossed' }).first();
  // The card is gone again where lines come in above, and what is below the mouse is another line.
  for (let left = 20; left > 0 && !(await card.isVisible()); left--) {
    await row.hover();
    await missing.hover();
    await workbench.settle(1_500);
  }
  const said = await card.innerText();
  assert.match(said.replace(/\s+/g, ' '), /Branch crossed in maximum: 9 was not covered/);
  await workbench.screenshot('16-missing');
}
