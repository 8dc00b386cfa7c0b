import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';

export const name = 'beside the Kubernetes extension the user is told once how to have nothing twice';

export const extensions = [fileURLToPath(new URL('../kubernetes-stub', import.meta.url))];

export async function run(workbench) {
  const { page } = workbench;
  const toast = page.locator('.notification-toast', { hasText: 'Kubernetes extension also completes' });
  await workbench.open('database.yaml');
  await toast.waitFor({ timeout: 30_000 });
  await workbench.screenshot('9-kubernetes-extension');
  await toast.getByText('Turn it off there').click();
  await workbench.settle(1_000);
  await workbench.command('Preferences: Open User Settings (JSON)');
  await page.waitForSelector('.view-line >> text=/crd-code-completion/');
  const lines = await page.locator('.view-line', { hasText: 'crd-code-completion' }).allInnerTexts();
  assert.ok(
    lines.some((line) => line.includes('disabled')),
    lines.join('\n'),
  );

  // Told is told: a new window says nothing.
  await page.keyboard.press('Escape');
  await page.reload();
  await page.waitForSelector('.explorer-folders-view .monaco-list-row', { timeout: 60_000 });
  // Whether the tabs come back with the window is up to the editor, and without a file there is nothing to tell.
  await workbench.open('database.yaml');
  await page.waitForSelector('.statusbar-item >> text=/Kubernetes 1/', { timeout: 60_000 });
  await workbench.settle(3_000);
  assert.equal(await toast.count(), 0);
}
