import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { kettle, kettleCrd } from '../kettle.mjs';
import { cluster } from '../outside.mjs';

export const name = "a cluster's CRD is brought in through kubectl, and updated later";

const crd = (field) => kettleCrd(`${field}: {type: integer}`);

let outside;

export async function prepare(workspace) {
  outside = await cluster();
  outside.apply(crd('litres'));
  writeFileSync(path.join(workspace, 'kettle.yaml'), kettle('pints: 1'));
  return () => outside.stop();
}

export async function run(workbench) {
  const { page } = workbench;
  const choose = (row) => workbench.choose(row, '13');
  await workbench.open('kettle.yaml');
  await workbench.squiggle('info');

  // From the source to the context, with what will run, to where it is kept.
  await workbench.command('Fetch CRDs');
  await choose('A cluster');
  await choose('kubectl get crd -o json --context=fixture');
  await choose('On this machine');
  const judged = await workbench.problems('unknown field "spec.pints"');
  assert.ok(
    judged.some((row) => row.includes('unknown field "spec.pints"')),
    judged.join('\n'),
  );
  await workbench.open('kettle.yaml');
  await workbench.goTo(2, 8);
  assert.match(await workbench.hoverAtCursor(), /CRD: cluster fixture, fetched before/);
  await page.keyboard.press('Escape');

  // The cluster gets another CRD; the user sees what is different and takes it in.
  outside.apply(crd('pints'));
  await workbench.command('Update fetched CRDs');
  const message = page.locator('.notification-toast', { hasText: 'A CRD has changed: Kettle.' });
  await message.waitFor({ timeout: 30_000 });
  await message.getByText('Show changes').click();
  await page.waitForSelector('.tab.active[data-resource-name="changes-of-crds.diff"]', { timeout: 15_000 });
  await page.waitForSelector('.view-line >> text=+ v1 spec.pints');
  await workbench.screenshot('13-changes');
  await message.getByText('Update', { exact: true }).click();
  await workbench.open('kettle.yaml');
  await workbench.noSquiggle('error');
}
