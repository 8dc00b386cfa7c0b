import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { frameWith, renderedText } from '../workbench.mjs';

export const name = 'what rules cost is seen as a picture and as a table, and both lead to the rule by the keyboard';

const crd = 'crds/databases.yaml';
const dear = `                users:
                  x-kubernetes-validations:
                    - rule: self.all(u, self.exists_one(v, v.name == u.name))
                      message: names must differ
`;

export function prepare(workspace) {
  const file = path.join(workspace, crd);
  writeFileSync(file, readFileSync(file, 'utf8').replace('                users:\n', dear));
}

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const lines = readFileSync(path.join(workspace, crd), 'utf8').split('\n');
  await workbench.open(crd);
  await workbench.command('Show what the rules of this CRD cost');
  const text = await renderedText(page, 'The same as a table');
  assert.match(text, /Database v1[\s\S]*of what the API server allows/);
  assert.match(text, /spec\.users\s+self\.all\(u, self\.exists_one/);
  const frame = await frameWith(page, 'The same as a table');

  // One stop of the tab key is in the picture; arrows go from rule to rule.
  const boxes = frame.locator('.map button');
  assert.equal(await frame.locator('.map button[tabindex="0"]').count(), 1);
  await boxes.first().focus();
  assert.match(await frame.locator('.explained').innerText(), /exists_one[\s\S]*One evaluation costs at most/);
  await page.keyboard.press('ArrowRight');
  const isFocused = (nth) => document.querySelectorAll('.map button')[nth] === document.activeElement;
  await frame.waitForFunction(isFocused, 1, { timeout: 10_000 });
  await page.keyboard.press('Home');
  await frame.waitForFunction(isFocused, 0, { timeout: 10_000 });
  await workbench.screenshot('19-map');

  // Enter leads to the rule.
  await page.keyboard.press('Enter');
  const line = lines.findIndex((row) => row.includes('exists_one')) + 1;
  await workbench.cursorOn(line);

  // Nothing but its own script may run in the page, and nothing may be loaded.
  const policy = await frame.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  assert.match(policy, /^default-src 'none'; script-src 'nonce-[\w-]+'; style-src 'nonce-[\w-]+'$/);

  // It has the colours of the editor's theme.
  const kind = () => frame.locator('body').getAttribute('data-vscode-theme-kind');
  const before = await kind();
  await workbench.command('Preferences: Toggle between Light/Dark Themes');
  await frame.waitForFunction((one) => document.body.dataset.vscodeThemeKind !== one, before, { timeout: 15_000 });
  await workbench.settle(800);
  await workbench.screenshot('19-other-theme');
}
