import assert from 'node:assert/strict';
import { filesIn } from '../onDisk.mjs';

export const name = 'mistakes in a CRD and a custom resource are seen, explained and fixed';

export async function run(workbench, { workspace }) {
  const { onDisk, lineOf } = filesIn(workspace);

  // A CRD that the API server would refuse.
  const opened = Date.now();
  await workbench.open('caches.yaml');
  await workbench.squiggle();
  console.log(`  first squiggle ${Date.now() - opened} ms after the file was asked for`);
  const problems = await workbench.problems('must not be empty');
  assert.ok(
    problems.some((row) => row.includes('must not be empty for specified object fields')),
    problems.join('\n'),
  );
  await workbench.screenshot('1-problems');
  await workbench.open('caches.yaml');

  await workbench.goTo(lineOf('crds/caches.yaml', '- type: string # a policy'), 23);
  const fixes = await workbench.quickFixes();
  assert.ok(fixes.includes('Move type out of anyOf'), fixes.join('\n'));
  await workbench.screenshot('1-quick-fix');
  await workbench.chooseFix('Move type out of anyOf');
  await workbench.save();
  const fixed = onDisk('crds/caches.yaml');
  assert.match(fixed, /type: string\n +anyOf:\n/);
  assert.match(fixed, /# A type does not belong inside anyOf\./);

  // A custom resource with a misspelled field.
  await workbench.open('database-mistakes.yaml');
  await workbench.squiggle();
  await workbench.goTo(lineOf('database-mistakes.yaml', 'replica:'), 5);
  assert.ok((await workbench.quickFixes()).includes('Rename to `replicas`'));
  await workbench.chooseFix('Rename to `replicas`');
  await workbench.save();
  assert.match(onDisk('database-mistakes.yaml'), /^ {2}replicas: 2$/m);

  await workbench.goTo(lineOf('database-mistakes.yaml', 'replicas:'), 5);
  assert.match(await workbench.hoverAtCursor(), /How many copies of the database run/);
  await workbench.screenshot('1-hover');
  await workbench.page.keyboard.press('Escape');

  // Completion on a new line of the spec.
  await workbench.goTo(lineOf('database-mistakes.yaml', 'replicas:'), 14);
  await workbench.page.keyboard.press('Enter');
  const offered = await workbench.completions();
  assert.ok(
    offered.some((row) => row.startsWith('maxReplicas')),
    offered.join('\n'),
  );
  assert.ok(!offered.some((row) => row.startsWith('replicas')), offered.join('\n'));
  await workbench.screenshot('1-completion');
  await workbench.page.keyboard.press('Escape');
  await workbench.page.keyboard.press('Control+Z');
  await workbench.save();

  // A field added to the CRD is known to the other file at once.
  assert.ok((await workbench.problems('clas')).some((row) => row.includes('clas')));
  await workbench.open('databases.yaml');
  await workbench.goTo(lineOf('crds/databases.yaml', 'class:'), 21);
  await workbench.page.keyboard.press('End');
  await workbench.page.keyboard.press('Home');
  await workbench.page.keyboard.press('Shift+End');
  await workbench.page.keyboard.type('clas:');
  await workbench.page.waitForTimeout(500);
  await workbench.open('database-mistakes.yaml');
  await workbench.noSquiggle();
}
