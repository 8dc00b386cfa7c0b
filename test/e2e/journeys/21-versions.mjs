import assert from 'node:assert/strict';
import { writeGears } from '../gears.mjs';
import { renderedText } from '../workbench.mjs';

export const name = 'which version kubectl takes is told, and a resource is shown as another version with what is lost';

export const prepare = writeGears;

export async function run(workbench) {
  const { page } = workbench;
  await workbench.open('gear.yaml');
  await workbench.command('Show versions and which one kubectl picks');
  const text = await renderedText(page, 'Versions of Gear');
  assert.match(text, /kubectl get gears\.example\.com asks for v1/);
  await workbench.screenshot('21-versions');

  await workbench.command('View: Close All Editors in Group');
  await workbench.open('gear.yaml');
  await workbench.command('Show this resource as another version');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'v1beta1' }).click({ timeout: 20_000 });
  await page.waitForSelector('.monaco-diff-editor .line-delete', { timeout: 30_000 });
  const said = await page.waitForFunction(() => {
    const rows = [...document.querySelectorAll('.monaco-diff-editor .modified .view-line')];
    const all = rows.map((row) => row.textContent.replace(/\s/g, ' ')).join('\n');
    return all.includes('since v1beta1 has no such fields') && all;
  });
  assert.match(await said.jsonValue(), /spec\.oil/);
  await workbench.screenshot('21-as-version');
}
