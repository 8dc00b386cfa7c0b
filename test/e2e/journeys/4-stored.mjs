import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const name = 'a broken rule is seen in a custom resource, and what is stored is shown beside it';

export async function run(workbench, { workspace }) {
  const text = readFileSync(path.join(workspace, 'database.yaml'), 'utf8');
  const line = text.split('\n').findIndex((row) => row.includes('replicas: 2')) + 1;
  await workbench.open('database.yaml');
  await workbench.goTo(line, 1);
  await workbench.page.keyboard.press('End');
  await workbench.page.keyboard.press('Backspace');
  await workbench.page.keyboard.type('5');
  await workbench.squiggle();
  const problems = await workbench.problems('maxReplicas');
  assert.ok(
    problems.some((row) => row.includes('there cannot be more replicas than maxReplicas')),
    problems.join('\n'),
  );
  await workbench.screenshot('4-rule');
  await workbench.open('database.yaml');
  await showStored(workbench, 'as a new object', 'maxReplicas');
  await workbench.screenshot('4-stored');
  // From there the other ways are asked of the same document.
  await showStored(workbench, 'kubectl apply --server-side', 'fieldsV1');
  await workbench.screenshot('4-applied');
}

async function showStored({ command, page, settle }, way, shown) {
  await command('Show what the API server stores');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: way }).click({ timeout: 20_000 });
  await page.waitForSelector(`.monaco-diff-editor .view-lines >> text=${shown}`, { timeout: 20_000 });
  await settle(800);
}
