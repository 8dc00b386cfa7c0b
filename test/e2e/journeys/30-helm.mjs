import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn } from '../onDisk.mjs';

export const name = 'a chart is judged as it is rendered: in templates, in values, and in a new template';

const template = 'chart/templates/database.yaml';
const made = 'chart/templates/archive.yaml';

export function prepare(workspace) {
  writeFileSync(path.join(workspace, made), '');
}

export async function run(workbench, { workspace }) {
  const { page, settle } = workbench;
  const { onDisk, lineOf } = filesIn(workspace);

  // A misspelled field stands in the template, and its fix is made there.
  await workbench.open(template);
  await workbench.problems('unknown field "spec.replica"');
  const line = lineOf(template, 'replica:');
  await workbench.goTo(line, 5);
  const fixes = await workbench.quickFixes();
  const fix = fixes.find((title) => title.includes('`replicas`')) ?? assert.fail(fixes.join('\n'));
  await workbench.screenshot('30-template');
  await workbench.chooseFix(fix);
  await workbench.save();
  assert.match(onDisk(template), /^ {2}replicas: \{\{ \.Values\.replicas \}\}$/m);

  // What it renders is beside it, as it is typed.
  await workbench.goTo(lineOf(template, 'replicas: {{'), 1);
  await workbench.command('Show what this template renders');
  const shown = page.locator('.tab', { hasText: 'database (rendered).yaml' });
  await shown.waitFor({ timeout: 15_000 });
  const rendered = page.locator('.editor-group-container').last().locator('.view-lines');
  await rendered.getByText(/^\s*replicas:\s2$/).waitFor({ timeout: 15_000 });
  await page.keyboard.press('End');
  await page.keyboard.type('0', { delay: 20 });
  await rendered.getByText(/^\s*replicas:\s20$/).waitFor({ timeout: 15_000 });
  await workbench.screenshot('30-rendered');
  await page.keyboard.press('Backspace');
  await shown.click();
  await workbench.command('View: Close Editor');
  await shown.waitFor({ state: 'detached' });

  // A wrong value stands in the file of values.
  await workbench.open('chart/values.yaml');
  await workbench.goTo(lineOf('chart/values.yaml', 'engine: postgres'), 17);
  for (let i = 0; i < 'postgres'.length; i++) await page.keyboard.press('Backspace');
  await page.keyboard.type('oracle', { delay: 20 });
  await page.keyboard.press('Escape');
  await workbench.save();
  const wrong = (await workbench.problems('Unsupported value: "oracle"')).join('\n');
  assert.match(wrong, /supported values/);
  await workbench.screenshot('30-values');

  // A new template from nothing: fields by the kind's schema, values by their paths.
  await workbench.open(made);
  await page.keyboard.type('apiVersion: storage.example.com/v1', { delay: 20 });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await page.keyboard.type('kind: Database', { delay: 20 });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await page.keyboard.type('metadata: {name: archive}', { delay: 20 });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await page.keyboard.type('spec:', { delay: 20 });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await settle(500);
  await page.keyboard.type('eng', { delay: 50 });
  const fields = await workbench.completions();
  assert.ok(fields[0]?.startsWith('engine'), fields.join('\n'));
  await page.keyboard.press('Escape');
  await page.keyboard.type('ine: {{ .Values.', { delay: 30 });
  const values = await workbench.completions();
  assert.ok(
    values.some((one) => one.startsWith('engine')),
    values.join('\n'),
  );
  await workbench.screenshot('30-completion');
}
