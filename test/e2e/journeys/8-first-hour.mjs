import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderedHeading } from '../workbench.mjs';

export const name = 'a new user checks a workspace without opening a file, and reads what a code means';

const kind = (i) => `Thing${i}`;

/** Enough CRDs that reading them takes longer than it takes to run a command. */
export function prepare(workspace) {
  mkdirSync(path.join(workspace, 'many'));
  for (let i = 0; i < 300; i++) {
    const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things${i}.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: ${kind(i)}, plural: things${i}}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
`;
    const thing = `apiVersion: example.org/v1\nkind: ${kind(i)}\nmetadata: {name: a}\nspec: {sise: 1}\n`;
    writeFileSync(path.join(workspace, `many/crd-${i}.yaml`), crd);
    writeFileSync(path.join(workspace, `many/a-thing-${i}.yaml`), thing);
  }
}

export async function run(workbench) {
  const { page } = workbench;
  // No YAML file is open: the command itself starts the server, and waits for the CRDs.
  await workbench.command('Check the whole workspace');
  const toast = page.locator('.notification-list-item-message', { hasText: 'checked' });
  await toast.waitFor({ timeout: 60_000 });
  const said = await toast.innerText();
  await workbench.screenshot('8-checked');
  const [, errors] = /(\d+) errors?\b/.exec(said) ?? assert.fail(said);
  assert.ok(Number(errors) >= 300, said);
  const shown = await page.locator('.part.statusbar [id="status.problems"]').innerText();
  assert.equal(shown.trim().split(/\s+/)[0], errors, `${said}, but the status bar shows ${shown}`);

  // The link of a code leads to the rule's page, rendered.
  await workbench.command('Clear All Notifications');
  await workbench.open('database-mistakes.yaml');
  await workbench.squiggle();
  await workbench.goTo(9, 5);
  await workbench.hoverAtCursor();
  await page.locator('.monaco-hover:not(.hidden) a', { hasText: 'cr/unknown-field' }).first().click();
  await page.waitForSelector('.tab.active[data-resource-name*="unknown-field"]');
  const heading = await renderedHeading(page);
  await workbench.screenshot('8-rule');
  assert.match(heading, /field/i);
}
