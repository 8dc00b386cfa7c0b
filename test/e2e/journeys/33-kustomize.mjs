import assert from 'node:assert/strict';
import { filesIn } from '../onDisk.mjs';

export const name = 'a kustomization is judged as it is built: in patches, in bases, and in what is shown beside';

const overlay = 'kustomize/overlays/production/kustomization.yaml';
const patch = 'kustomize/overlays/production/size.yaml';
const base = 'kustomize/base/database.yaml';

export async function run(workbench, { workspace }) {
  const { page, settle } = workbench;
  const { onDisk, lineOf } = filesIn(workspace);

  // A misspelled field of a patch that is written in the kustomization is reported there.
  await workbench.open(overlay);
  const misspelled = (await workbench.problems('unknown field "imutable"')).join('\n');
  assert.match(misspelled, /unknown field "imutable"/);
  await workbench.goTo(lineOf(overlay, 'imutable:'), 7);
  await workbench.screenshot('33-patch');

  // Its fix is made in the patch.
  const fixes = await workbench.quickFixes();
  const fix = fixes.find((title) => title.includes('`immutable`')) ?? assert.fail(fixes.join('\n'));
  await workbench.chooseFix(fix);
  await workbench.save();
  assert.match(onDisk(overlay), /^ {6}immutable: true$/m);
  await workbench.noSquiggle();

  // The patch is completed by the kind that it patches.
  await workbench.goTo(lineOf(overlay, 'kind: ConfigMap'), 1);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('bin', { delay: 50 });
  const fields = await workbench.completions();
  assert.ok(fields[0]?.startsWith('binaryData'), fields.join('\n'));
  await page.keyboard.press('Escape');
  await page.keyboard.type('aryData: {}', { delay: 20 });
  await page.keyboard.press('Escape');
  await workbench.save();
  await workbench.noSquiggle();

  // What it builds is beside it.
  await workbench.command('Show what this kustomization builds');
  const shown = page.locator('.tab', { hasText: 'kustomization (rendered).yaml' });
  await shown.waitFor({ timeout: 15_000 });
  const built = page.locator('.editor-group-container').last().locator('.view-lines');
  await built.getByText(/^\s*log:\swarn$/).waitFor({ timeout: 15_000 });
  await workbench.screenshot('33-built');
  await shown.click();
  await workbench.command('View: Close Editor');
  await shown.waitFor({ state: 'detached' });

  // A wrong value in a file with a patch.
  await workbench.open(patch);
  await workbench.goTo(lineOf(patch, 'size: 50'), 13);
  await page.keyboard.press('End');
  await page.keyboard.type('x', { delay: 20 });
  await page.keyboard.press('Escape');
  await workbench.save();
  const wrong = (await workbench.problems('spec.storage.size')).join('\n');
  assert.match(wrong, /spec\.storage\.size/);
  await workbench.screenshot('33-file');
  await page.keyboard.press('Backspace');
  await workbench.save();

  // What the base lacks is added by whoever builds on it.
  await workbench.open(base);
  await settle(1500);
  await workbench.noSquiggle();
}
