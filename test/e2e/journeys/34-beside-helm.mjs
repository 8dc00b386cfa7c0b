import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesIn } from '../onDisk.mjs';

export const name =
  'beside other extensions for Helm nothing appears twice, in templates that are of the language helm';

export const extensions = ['kubernetes-stub', 'helm-intellisense-stub', 'helm-ls-stub', 'yaml-stub'].map((stub) =>
  fileURLToPath(new URL(`../${stub}`, import.meta.url)),
);

const template = 'chart/templates/database.yaml';

export function prepare(workspace) {
  appendFileSync(path.join(workspace, 'chart/templates/refused.yaml'), 'a: {{ fail "this is never rendered" }}\n');
}

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const { lineOf } = filesIn(workspace);

  // All of ours is there in this language too: what is found, fields, and what others do not know.
  await workbench.open(template);
  await page.waitForSelector('.statusbar-item >> text=helm-template', { timeout: 30_000 });
  await workbench.problems('unknown field "spec.replica"');
  const line = lineOf(template, 'engine:');

  // A value: the card of the one, not of the other; one place to go to.
  await workbench.goTo(line, '  engine: {{ .Values.en'.length);
  assert.equal(await workbench.hoverAtCursor(), 'helm-ls: engine of values.yaml');
  await page.keyboard.press('Escape');
  await page.keyboard.press('F12');
  await page.waitForSelector('.tab.active[data-resource-name="values.yaml"]', { timeout: 15_000 });
  assert.equal(await page.locator('.peekview-widget').count(), 0);
  await workbench.open(template);

  // A field of the object is ours alone.
  await workbench.goTo(line, 4);
  assert.match(await workbench.hoverAtCursor(), /The database program/);
  await page.keyboard.press('Escape');

  // Each name is in the list once: what only we know, and what others know as well.
  await workbench.goTo(line, '  engine: {{ .Values.'.length + 1);
  const values = await workbench.completions();
  assert.deepEqual(firstWords(values, ['engine', 'replicas', 'storage', 'reports']), [
    'engine',
    'replicas',
    'reports',
    'storage',
  ]);
  await page.keyboard.press('Escape');
  await workbench.goTo(line, '  engine: {{ '.length + 1);
  const functions = await workbench.completions();
  await workbench.screenshot('34-beside-helm');
  const names = functions.map((row) => row.split(' ')[0]);
  assert.deepEqual(
    names.filter((one, i) => names.indexOf(one) !== i),
    [],
    functions.join('\n'),
  );
  await page.keyboard.press('Escape');

  // What Helm says of a template is said by one.
  await workbench.open('chart/templates/refused.yaml');
  await workbench.settle(2_500);
  const rows = await workbench.problems('never rendered');
  assert.equal(rows.filter((row) => row.includes('never rendered')).length, 1, rows.join('\n'));
}

/** The names in a list that are among some, as often as they are there. */
function firstWords(rows, wanted) {
  return rows
    .map((row) => row.split(' ')[0])
    .filter((one) => wanted.includes(one))
    .sort();
}
