import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { kettle, kettleCrd } from '../kettle.mjs';
import { cluster } from '../outside.mjs';
import { renderedText } from '../workbench.mjs';

export const name = 'a changed CRD is compared with what a cluster stores, and files are judged as that cluster would';

let outside;

export async function prepare(workspace) {
  outside = await cluster();
  outside.apply(kettleCrd('litres: {type: integer}, colour: {type: string}'));
  await outside.served('kettles.kitchen.example.org');
  outside.apply(kettle('litres: 9, colour: red').replace('name: a', 'name: stored, namespace: default'));
  writeFileSync(path.join(workspace, 'kettle-crd.yaml'), kettleCrd('litres: {type: integer, maximum: 3}'));
  writeFileSync(path.join(workspace, 'kettle.yaml'), kettle('litres: 2, colour: red'));
  return () => outside.stop();
}

export async function run(workbench) {
  const { page } = workbench;
  const choose = (row) => workbench.choose(row, '35');

  // From the CRD to the page, with what is run said before.
  await workbench.open('kettle-crd.yaml');
  await workbench.command('Compare with a Cluster');
  await choose('Those of this file');
  await choose('--context=fixture; read-only');
  const said = await renderedText(page, 'What changes for cluster fixture');
  assert.match(said, /Kettle\s+1\s+0\s+1: default\/stored/);
  assert.match(said, /spec\.litres: must be at most 3\s+1\s+default\/stored/);
  assert.match(said, /spec\.colour/);
  assert.doesNotMatch(said, /\bred\b/);
  await workbench.settle(800);
  await workbench.screenshot('35-page');

  // The workspace's CRD has no colour; that of the cluster has.
  await workbench.command('View: Close All Editors in Group');
  await workbench.open('kettle.yaml');
  await workbench.squiggle();
  await workbench.command('Judge as a Cluster');
  await choose('--context=fixture; read-only');
  const item = page.locator('.statusbar-item[id*="kubeCrd.status"]');
  await item.filter({ hasText: 'as fixture' }).waitFor({ timeout: 30_000 });
  await workbench.noSquiggle();
  await page
    .locator('.notification-toast', { hasText: 'feature gates cannot be asked' })
    .first()
    .waitFor({ timeout: 15_000 });
  await workbench.screenshot('35-judged');

  // The way back is where the status is.
  await workbench.command('Kubernetes CRD: Show status');
  await choose('Stop judging as a cluster');
  await workbench.squiggle();
  await item.filter({ hasNotText: 'as fixture' }).waitFor({ timeout: 15_000 });
}
