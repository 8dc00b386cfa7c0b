import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderedText } from '../workbench.mjs';

export const name = 'which version kubectl takes is told, and a resource is shown as another version with what is lost';

const version = (name, fields, more) =>
  `    - {name: ${name}, ${more}, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${fields}}}}}}}\n`;

export function prepare(workspace) {
  const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gears.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Gear, plural: gears}
  versions:
${version('v1beta1', 'teeth: {type: integer}', 'served: true, storage: false')}${version('v1', 'teeth: {type: integer}, oil: {type: string}', 'served: true, storage: true')}`;
  writeFileSync(path.join(workspace, 'crds/gears.yaml'), crd);
  const gear =
    'apiVersion: example.com/v1\nkind: Gear\nmetadata:\n  name: one\n  namespace: shop\nspec:\n  teeth: 7\n  oil: thin\n';
  writeFileSync(path.join(workspace, 'gear.yaml'), gear);
}

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
