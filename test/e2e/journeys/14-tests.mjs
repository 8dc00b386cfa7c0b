import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const name =
  'a test of a CRD fails while it is typed, is run in the view of tests, and goes green once it is mended';

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const file = 'tests/database.crdtest.yaml';
  const text = readFileSync(path.join(workspace, file), 'utf8');
  const line = text.split('\n').findIndex((row) => row.includes('- {spec.replicas: 3}')) + 1;
  await workbench.open(file);
  await workbench.goTo(line, text.split('\n')[line - 1].indexOf('3}') + 1);
  await page.keyboard.press('Delete');
  await page.keyboard.type('7');
  await workbench.squiggle('warning');
  const problems = await workbench.problems('there cannot be more replicas');
  assert.ok(
    problems.some((row) => row.includes('Unexpected error: spec: Invalid value: there cannot be more replicas')),
    problems.join('\n'),
  );
  await workbench.open(file);
  await workbench.command('Test: Run All Tests');
  await workbench.command('Testing: Focus on Test Explorer View');
  await page.waitForSelector('.test-explorer .monaco-list-row .codicon-testing-failed-icon', { timeout: 30_000 });
  await workbench.screenshot('14-failed');
  await workbench.open(file);
  await workbench.goTo(line, text.split('\n')[line - 1].indexOf('3}') + 1);
  await page.keyboard.press('Delete');
  await page.keyboard.type('3');
  await workbench.noSquiggle('warning');
  await workbench.command('Test: Run All Tests');
  await page.waitForSelector('.test-explorer .monaco-list-row .codicon-testing-passed-icon', { timeout: 30_000 });
  await page.waitForFunction(() => !document.querySelector('.test-explorer .codicon-testing-failed-icon'));
  await workbench.settle(800);
  await workbench.screenshot('14-passed');
}
