import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const name = 'a new user types into empty files, with the settings as they come';

const files = ['new.yaml', 'pod.yaml', 'new.crdtest.yaml', '.kube-crd.yaml'];

export function prepare(workspace) {
  for (const file of files) writeFileSync(path.join(workspace, file), '');
}

export async function run(workbench, { workspace }) {
  const { page, settle } = workbench;
  const list = page.locator('.suggest-widget.visible .monaco-list-row');
  const rows = async () => (await list.allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim());
  /** From a line of the file on. They are typed without their blanks, which have to come with Enter before all else. */
  const type = async (first, ...lines) => {
    for (const [i, line] of lines.entries()) {
      const text = line.trimStart();
      if (i > 0) {
        await page.keyboard.press('Escape');
        await page.keyboard.press('Enter');
        const there = new RegExp(`Ln ${first + i}, Col ${line.length - text.length + 1}(?!\\d)`);
        await page.locator('.statusbar-item', { hasText: there }).first().waitFor({ timeout: 30_000 });
      }
      await page.keyboard.type(text, { delay: 20 });
    }
    await page.keyboard.press('Escape');
  };
  /** The editor saves by itself as well, in the midst of a word if it has to. */
  const isSaved = async (file, text) => {
    await workbench.save();
    const now = () => readFileSync(path.join(workspace, file), 'utf8');
    for (let left = 30; left > 0 && now() !== text; left--) await settle();
    assert.equal(now(), text);
  };

  // The first letters of what a CRD is called by everybody offer one.
  // An empty file has no objects, so the status says nothing of it: another one tells that the server is there.
  await workbench.open('database.yaml');
  await page.locator('.statusbar-item[id*="kubeCrd.status"] .codicon-check').waitFor({ timeout: 60_000 });
  await workbench.open('new.yaml');
  await page.keyboard.press('Control+Space');
  await list.filter({ hasText: 'apiVersion' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type('crd', { delay: 50 });
  await list.first().waitFor();
  await settle(1_000);
  assert.match((await rows())[0], /^CustomResourceDefinition/);

  // A key that is taken opens the list of its values.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('apiV', { delay: 50 });
  await list.filter({ hasText: 'apiVersion' }).first().waitFor();
  await settle(500);
  await page.keyboard.press('Enter');
  await list.filter({ hasText: 'example.com/' }).first().waitFor({ timeout: 10_000 });
  await workbench.screenshot('29-values');
  await page.keyboard.press('Escape');

  await workbench.open('pod.yaml');
  await type(1, 'apiVersion: v1', 'kind: Pod', 'metadata:', '  name: web');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Tab');
  await type(5, 'spec:', '  containers:', '    - name: x', '      image: y');
  await isSaved(
    'pod.yaml',
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n    - name: x\n      image: y',
  );

  await workbench.open('new.crdtest.yaml');
  await page.keyboard.press('Control+Space');
  await list.filter({ hasText: 'cases' }).first().waitFor();
  const offered = await rows();
  assert.ok(!offered.some((row) => row.includes('Deployment')), offered.join('\n'));
  await page.keyboard.press('Escape');
  await type(1, 'crd: crds/databases.yaml', 'bases:', '  a:', '    metadata:', '      name: a');
  await isSaved('new.crdtest.yaml', 'crd: crds/databases.yaml\nbases:\n  a:\n    metadata:\n      name: a');

  await workbench.open('.kube-crd.yaml');
  await page.keyboard.press('Control+Space');
  await list.filter({ hasText: 'kubernetesVersion' }).first().waitFor();
  await page.keyboard.press('Escape');
}
