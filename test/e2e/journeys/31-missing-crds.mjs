import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chartRepository } from '../outside.mjs';

export const name =
  'a first look at somebody’s resources: one offer brings the CRDs that are missing, and is made once';

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: certificates.cert-manager.io}
spec:
  group: cert-manager.io
  scope: Namespaced
  names: {kind: Certificate, plural: certificates}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: {spec: {type: object, properties: {secretName: {type: string}}}}
`;
const release = (address) => `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: jetstack}
spec: {url: "${address}"}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cert-manager}
spec: {chart: {spec: {chart: cert-manager, version: v1.21.2, sourceRef: {kind: HelmRepository, name: jetstack}}}}
`;

export async function prepare(workspace) {
  const { address, stop } = await chartRepository('cert-manager', 'v1.21.2', crd);
  const certificate = 'apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: a}\nspec: {secretNme: a}\n';
  writeFileSync(path.join(workspace, 'certificate.yaml'), certificate);
  writeFileSync(
    path.join(workspace, 'sprocket.yaml'),
    'apiVersion: example.org/v1\nkind: Sprocket\nmetadata: {name: a}\n',
  );
  writeFileSync(path.join(workspace, 'release.yaml'), release(address));
  return stop;
}

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const toast = (text) => page.locator('.notification-list-item', { hasText: text });
  const rows = page.locator('.quick-input-list .monaco-list-row');

  // What is asked for is on the user's word alone: nothing was fetched before.
  await workbench.open('certificate.yaml');
  await toast('no known CRD').waitFor({ timeout: 60_000 });
  await workbench.screenshot('31-offer');
  await toast('no known CRD').locator('.monaco-button', { hasText: 'Fetch CRDs…' }).click();

  // All kinds of the workspace, those of files that are not open as well, and what each place would be told.
  await rows.filter({ hasText: 'is told the names' }).waitFor({ timeout: 30_000 });
  const title = await page.locator('.quick-input-title').innerText();
  for (const kind of ['Certificate', 'HelmRelease', 'HelmRepository', 'Sprocket'])
    assert.ok(title.includes(kind), title);
  const offered = (await rows.allInnerTexts()).join('\n');
  assert.match(offered, /The 1 chart that files here name[\s\S]*cert-manager v1\.21\.2/);
  assert.match(offered, /is told the names of the kinds/);
  await workbench.settle();
  await workbench.screenshot('31-places');
  await rows.filter({ hasText: 'The 1 chart that files here name' }).first().click();
  await rows.filter({ hasText: 'In this workspace too' }).click();

  // What came, and what is still without.
  await toast('1 CRD fetched. 3 kinds still without').waitFor({ timeout: 60_000 });
  await workbench.screenshot('31-fetched');
  assert.match(readFileSync(path.join(workspace, 'kube-crd.lock'), 'utf8'), /kind: "cert-manager\.io\/Certificate"/);
  const judged = await workbench.problems('unknown field "spec.secretNme"');
  assert.ok(
    judged.some((row) => row.includes('did you mean `secretName`')),
    judged.join('\n'),
  );

  // The command has what is left, and ends where nothing is chosen.
  await workbench.command('Clear All Notifications');
  await workbench.open('sprocket.yaml');
  await workbench.command('Fetch missing CRDs…');
  await rows.filter({ hasText: 'is told the names' }).waitFor({ timeout: 30_000 });
  assert.doesNotMatch(await page.locator('.quick-input-title').innerText(), /Certificate/);
  await page.keyboard.press('Escape');

  // It is offered once: whoever opens the workspace again is left in peace.
  await page.reload();
  await page.waitForSelector('.explorer-folders-view .monaco-list-row', { timeout: 60_000 });
  await workbench.open('sprocket.yaml');
  await workbench.problems('No CRD for Sprocket');
  await workbench.settle(1_500);
  assert.equal(await toast('no known CRD').count(), 0);
}
