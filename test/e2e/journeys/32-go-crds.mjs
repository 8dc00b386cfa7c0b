import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/setup.mjs';
import { filesIn } from '../onDisk.mjs';
import { frameWith, renderedText } from '../workbench.mjs';

export const name =
  'a generated CRD behind its types is a problem with a way on, and the CRD that is shown of types has its commands';

const types = 'queue-operator/api/v1/queue_types.go';
const crd = 'queue-operator/config/crd/bases/messaging.example.com_queues.yaml';

/** Generated before the weight of a consumer had a greatest value, by an older release of the generator. */
export function prepare(workspace) {
  const cwd = path.join(workspace, 'queue-operator');
  const program = path.join(root, 'dist/server/main.cjs');
  execFileSync(process.execPath, [program, 'generate', '--output-folder', 'config/crd/bases', './api/v1'], { cwd });
  const file = path.join(workspace, crd);
  const text = readFileSync(file, 'utf8');
  const older = text.replace('maximum: 100', 'maximum: 50').replace('version: v0.23.0', 'version: v0.16.5');
  assert.equal(older.length, text.length - 1);
  writeFileSync(file, older);
  const queue = 'apiVersion: messaging.example.com/v1\nkind: Queue\nmetadata: {name: orders}\nstatus: {depth: 7}\n';
  writeFileSync(path.join(workspace, 'queue.yaml'), queue);
}

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const { onDisk: read, lineOf } = filesIn(workspace);
  const stale = (rows) => rows.find((row) => row.includes('go/stale'));

  // The types and the CRD both say it; what another release writes is to be written by that.
  await workbench.open(types);
  await workbench.problems('crd/rule-cost');
  await workbench.raisePanel(240);
  assert.match(
    stale(await workbench.problemsShown('go/stale')) ?? '',
    /spec\.consumers\[\]\.weight.*run your generator/,
  );
  await workbench.open(crd);
  const rows = await workbench.problems('controller-gen v0.16.5');
  assert.match(stale(rows) ?? '', /controller-gen v0\.16\.5 .* run your generator/);
  await workbench.screenshot('32-stale');

  // Of the same release, the fix writes it.
  await workbench.open(crd);
  await workbench.goTo(lineOf(crd, 'v0.16.5'), 1);
  await page.keyboard.press('End');
  for (let left = 'v0.16.5'.length; left > 0; left--) await page.keyboard.press('Backspace');
  await page.keyboard.type('v0.23.0');
  await page.keyboard.press('Escape');
  await workbench.save();
  await workbench.goTo(
    lineOf(crd, 'maximum: 50'),
    read(crd).split('\n')[lineOf(crd, 'maximum: 50') - 1].indexOf('50') + 1,
  );
  const fixes = await workbench.quickFixes();
  assert.ok(fixes.includes('Write the CRD as its Go types give it'), fixes.join('\n'));
  await workbench.chooseFix('Write the CRD as its Go types give it');
  await workbench.save();
  assert.match(read(crd), /maximum: 100/);

  // A finding in Go is ignored by a comment at its field.
  await workbench.open(types);
  const costly = (rows) => rows.filter((row) => row.includes('estimated rule cost exceeds budget'));
  const before = costly(await workbench.problems('estimated rule cost exceeds budget'));
  assert.ok(before.length > 0);
  const rule = lineOf(types, 'self.all(one');
  await workbench.open(types);
  await workbench.goTo(rule, read(types).split('\n')[rule - 1].indexOf('self.all') + 3);
  const ignore = (await workbench.quickFixes()).find((title) => /^Ignore `crd\/rule-cost.*` here$/.test(title));
  assert.ok(ignore);
  await workbench.chooseFix(ignore);
  await workbench.save();
  assert.match(read(types), /^\t\/\/ \+kube-crd:ignore=crd\/rule-cost/m);
  let after = before;
  for (let tries = 0; tries < 20 && after.length >= before.length; tries++) after = costly(await workbench.problems());
  assert.ok(after.length < before.length, after.join('\n'));
  await workbench.screenshot('32-ignored');

  // The CRD of the types, beside them, has the commands of one that is a file.
  await page.keyboard.press('Control+J');
  await workbench.open(types);
  await workbench.goTo(lineOf(types, 'type Queue struct'), 8);
  await workbench.command('Show the CRD of this type');
  const tab = page.locator('.tab', { hasText: 'queues.messaging.example.com.yaml' });
  await tab.waitFor({ timeout: 15_000 });
  for (const [command, says] of [
    ['Show documentation of this kind', 'Retention of messages that nobody reads'],
    ['Show what kubectl get prints', 'DEPTH'],
    ['Show versions and which one kubectl picks', 'asks for v1'],
  ]) {
    await tab.click();
    await workbench.command(command);
    assert.match(await renderedText(page, says), new RegExp(says), command);
  }
  await tab.click();
  await workbench.command('Show what the rules of this CRD cost');
  await frameWith(page, 'spec.retention');
  await workbench.screenshot('32-commands');

  // What needs a place in a rule says where it works.
  await tab.click();
  await workbench.command('Try this rule');
  await page.locator('.notification-list-item', { hasText: 'put the cursor into the marker in the Go file' }).waitFor();
}
