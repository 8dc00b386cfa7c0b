import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const name = 'a new user begins with an empty file, finds what is misspelled, and sees the first steps';

/** Every file is checked, before any is open. */
export const settings = { 'kubeCrd.check': 'workspace' };

const version = (name) => `    - name: ${name}
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
`;

const twoStorageVersions = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: racks.example.org
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Rack, plural: racks}
  versions:
${version('v1')}${version('v2')}`;

const database = (kind, spec) => `apiVersion: storage.example.com/v1
kind: ${kind}
metadata:
  name: a
spec:
${spec}`;

export function prepare(workspace) {
  const put = (file, text) => writeFileSync(path.join(workspace, file), text);
  // The list of problems shows no more rows than fit.
  for (const file of ['crds/caches.yaml', 'database-mistakes.yaml']) rmSync(path.join(workspace, file));
  put('new.yaml', '');
  put('racks.yaml', twoStorageVersions);
  put('misspelled.yaml', database('Databse', '  engine: postgres\n'));
  put('error-rate.yaml', database('Database', '  enigne: postgres\n'));
}

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const type = async (text) => {
    await page.keyboard.type(text);
    await workbench.settle();
  };
  /** Enter ends the line: a list of suggestions would take it. */
  const enter = async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await workbench.settle();
  };

  // Nothing is open, and all is checked: also a file with an ordinary name that others use for expectations.
  const problems = await workbench.problems('enigne');
  const all = problems.join('\n');
  assert.ok(
    problems.some((row) => row.includes('enigne')),
    all,
  );
  assert.ok(
    problems.some((row) => row.includes('error-rate.yaml')),
    all,
  );
  await workbench.screenshot('10-problems');

  // A kind that only nearly exists is found, and has a fix.
  await workbench.open('misspelled.yaml');
  await workbench.squiggle('warning');
  await workbench.goTo(2, 8);
  const fixes = await workbench.quickFixes();
  const fix = fixes.find((title) => title.includes('`Database`')) ?? assert.fail(fixes.join('\n'));
  await workbench.chooseFix(fix);
  await workbench.save();
  assert.match(readFileSync(path.join(workspace, 'misspelled.yaml'), 'utf8'), /^kind: Database$/m);

  // What is wrong with two storage versions comes first, before all that the server prints.
  await workbench.open('racks.yaml');
  await workbench.squiggle();
  await workbench.goTo(9, 5);
  assert.match(await workbench.hoverAtCursor(), /^Must have exactly one version marked as storage version/m);
  await workbench.screenshot('10-storage');
  await page.keyboard.press('Escape');

  // An empty file: what it may begin with, then a kind of the group, and keys that stand where they belong.
  await workbench.open('new.yaml');
  const first = await workbench.completions();
  assert.ok(
    first.some((row) => row.startsWith('apiVersion')),
    first.join('\n'),
  );
  await workbench.screenshot('10-empty');
  await page.keyboard.press('Escape');
  await type('a');
  assert.match((await workbench.completions())[0], /^apiVersion/);
  await page.keyboard.press('Escape');
  await type('piVersion: storage.example.com/v1');
  await enter();
  await type('kin');
  const kinds = await workbench.completions();
  assert.match(kinds[0], /^kind/);
  await page.keyboard.press('Escape');
  await type('d: Database');
  await enter();
  await type('metadata:');
  await enter();
  await cursorAt(page, 'Ln 4, Col 3');
  await type('name: b');
  await enter();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await type('spec:');
  await enter();
  await type('en');
  assert.match((await workbench.completions())[0], /^engine/);
  await page.keyboard.press('Tab');
  await workbench.settle();
  await page.keyboard.press('Escape');
  await workbench.save();
  await workbench.screenshot('10-typed');
  const typed = readFileSync(path.join(workspace, 'new.yaml'), 'utf8');
  assert.match(typed, /^metadata:\n {2}name: b\nspec:\n {2}engine:/m, typed);

  // The first steps are shown with pictures, of which editors show none on the page of an extension.
  // Pictures need room: without the panel and the side bar there is enough.
  await page.keyboard.press('Control+J');
  await page.keyboard.press('Control+B');
  await page.keyboard.press('F1');
  await page.keyboard.type('Open Walkthrough');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Open Walkthrough' }).first().click();
  await page
    .locator('.quick-input-list .monaco-list-row', { hasText: 'Check CRDs and custom resources' })
    .first()
    .click();
  await page.getByText('What the API server would reject is underlined').first().waitFor();
  await workbench.screenshot('10-walkthrough');
}

/** Waits for the editor to have put the cursor where it belongs. */
async function cursorAt(page, where) {
  await page.locator('.part.statusbar', { hasText: where }).waitFor({ timeout: 15_000 });
}
