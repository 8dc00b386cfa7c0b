import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';

export const name = 'beside a YAML extension, files of ours get an empty schema from it';

export const extensions = [fileURLToPath(new URL('../yaml-stub', import.meta.url))];

export async function run(workbench) {
  await workbench.open('database.yaml');
  await workbench.goTo(8, 4);
  await workbench.page.waitForTimeout(1500);
  const card = await workbench.hoverAtCursor();
  assert.match(card, /How many copies of the database run/);
  assert.match(card, /yaml extension: schema kubecrd:\/\/schema\/served/);
}
