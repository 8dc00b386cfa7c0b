import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { frameWith, renderedText } from '../workbench.mjs';

export const name =
  'a rule is tried while it is typed, also on a new object, and an expression in a playground; a file goes to the one in a browser';

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const crd = 'crds/databases.yaml';
  const lines = readFileSync(path.join(workspace, crd), 'utf8').split('\n');
  const line = lines.findIndex((row) => row.includes('self.replicas <= self.maxReplicas')) + 1;

  // The rule at the cursor over the workspace's resources.
  await workbench.open(crd);
  await workbench.goTo(line, lines[line - 1].indexOf('<=') + 3);
  await workbench.command('Try this rule');
  const first = await renderedText(page, 'shop/orders');
  assert.match(first, /Database v1, spec[\s\S]*✓\s*true\s*shop\/orders/);
  await workbench.screenshot('18-true');

  // What is typed is tried.
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('>');
  await frameWith(page, 'false');
  const frame = await frameWith(page, 'self.replicas > self.maxReplicas');
  await frame.locator('details.false summary', { hasText: 'shop/orders' }).click();
  assert.match(await renderedText(page, 'self.maxReplicas: 3'), /self\.replicas: 2/);
  await workbench.screenshot('18-false');

  // The same values, inside the rule.
  await frame.locator('details[open] button', { hasText: 'Show its values in the rule' }).click();
  const isThere = (text) =>
    [...document.querySelectorAll('.view-line')].some((row) => row.textContent.replace(/\s/g, ' ').includes(text));
  await page.waitForFunction(isThere, '= 3 → false', { timeout: 30_000 });
  await workbench.screenshot('18-values');

  // An object that is only there to be tried.
  await frame.locator('button', { hasText: 'New object to try' }).click();
  await page.waitForSelector('.tab.active[aria-label*="Untitled"]', { timeout: 30_000 });
  await page.waitForFunction(isThere, 'kind: Database', { timeout: 30_000 });
  await workbench.settle();
  await page.keyboard.type('scratch');
  const tried = await frameWith(page, 'scratch');
  await tried.locator('summary', { hasText: 'scratch' }).waitFor({ timeout: 30_000 });
  await workbench.screenshot('18-scratch');

  // What a link to the playground in a browser would hold is said before anything leaves the editor.
  await workbench.open('database.yaml');
  await workbench.command('Open this file in the playground');
  await page.waitForSelector('.monaco-dialog-box >> text=database.yaml, crds/databases.storage.example.com.yaml', {
    timeout: 30_000,
  });
  await workbench.screenshot('18-link');
  await page.keyboard.press('Escape');

  await workbench.command('Open a CEL playground');
  assert.match(await renderedText(page, 'CEL playground'), /✓\s*true\s*self/);
  await page.keyboard.type(' && false');
  await frameWith(page, '✗');
  await workbench.screenshot('18-playground');
  await page.keyboard.type(' && self.');
  const offered = await workbench.completions();
  assert.ok(
    offered.some((row) => row.startsWith('maxReplicas')),
    offered.join('\n'),
  );
}
