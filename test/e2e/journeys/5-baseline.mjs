import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { commitAll } from '../git.mjs';
import { filesIn } from '../onDisk.mjs';
import { renderedHeading } from '../workbench.mjs';

export const name = 'changes are judged against what git has: refused, forgiven, and taken in with a commit';

/** Before the editor starts: the examples are committed. */
export function prepare(workspace) {
  commitAll(workspace, 'Examples');
}

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const { lineOf } = filesIn(workspace);
  const retype = async (file, line, from, to) => {
    const text = readFileSync(path.join(workspace, file), 'utf8').split('\n')[line - 1];
    await workbench.goTo(line, text.indexOf(from) + from.length + 1);
    for (const _ of from) await page.keyboard.press('Backspace');
    await page.keyboard.type(to);
    await page.keyboard.press('Escape');
  };

  // A value that cannot change: the rule sees what is committed.
  await workbench.open('database.yaml');
  await retype('database.yaml', lineOf('database.yaml', 'engine:'), 'postgres', 'mysql');
  await workbench.squiggle();
  const refused = await workbench.problems('cannot be changed');
  assert.ok(
    refused.some((row) => row.includes('the engine cannot be changed (HEAD has "postgres")')),
    refused.join('\n'),
  );
  await workbench.screenshot('5-refused');
  await workbench.open('database.yaml');
  await workbench.goTo(lineOf('database.yaml', 'engine:'), 12);
  const fixes = await workbench.quickFixes();
  assert.ok(fixes.includes('Restore `"postgres"`, as in HEAD'), fixes.join('\n'));
  await page.keyboard.press('Escape');

  // Once it is committed, it is what is stored.
  await workbench.save();
  commitAll(workspace, 'Another engine');
  await workbench.noSquiggle();

  // A new limit forgives what is stored already.
  await workbench.open('databases.yaml');
  await retype('crds/databases.yaml', lineOf('crds/databases.yaml', 'enum: [postgres'), 'mysql, ', '');
  await workbench.save();
  await workbench.open('database.yaml');
  await workbench.squiggle('warning');
  const forgiven = await workbench.problems('unchanged since HEAD');
  assert.ok(
    forgiven.some((row) => row.includes('unchanged since HEAD: the API server would let this update pass')),
    forgiven.join('\n'),
  );
  await workbench.screenshot('5-forgiven');

  // What the change of the CRD does to its users, as a page.
  await workbench.open('databases.yaml');
  await workbench.command('Show changes against the baseline');
  await page.waitForSelector('.tab.active[data-resource-name^="Changes in "]');
  assert.equal(await renderedHeading(page), 'Changes against HEAD');
  await workbench.screenshot('5-changes');

  // The same for people who look up a kind, and for those who want to see what its columns show.
  await page.click('.tab[data-resource-name="databases.yaml"]');
  await workbench.command('Show what kubectl get prints');
  await page.waitForSelector('.tab.active[data-resource-name^="kubectl get of "]');
  assert.equal(await renderedHeading(page), 'kubectl get database');
  await workbench.screenshot('5-table');
  await page.click('.tab[data-resource-name="databases.yaml"]');
  await workbench.command('Show documentation of this kind');
  await page.waitForSelector('.tab.active[data-resource-name^="Documentation of "]');
  assert.equal(await renderedHeading(page), 'Database');
}
