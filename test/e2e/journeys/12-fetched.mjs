import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chartRepository } from '../outside.mjs';

export const name = 'nothing but a HelmRelease, a Certificate and a go.mod: the chart is fetched by a fix, and judges';

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
          properties:
            spec:
              type: object
              required: [secretName]
              properties: {secretName: {type: string, description: Where the certificate goes.}}
`;
const certificate = 'apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: a}\nspec: {secretNme: a}\n';
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
  writeFileSync(path.join(workspace, 'certificate.yaml'), certificate);
  writeFileSync(path.join(workspace, 'release.yaml'), release(address));
  writeFileSync(path.join(workspace, 'go.mod'), 'module example.com/a\n\ngo 1.22\n');
  return stop;
}

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  await workbench.open('certificate.yaml');
  const unknown = await workbench.problems('No CRD for Certificate');
  assert.ok(
    unknown.some((row) => row.includes("release.yaml names cert-manager v1.21.2, which is not in Helm's cache.")),
    unknown.join('\n'),
  );

  // The fix says what it fetches from where, and asks where to keep it.
  await workbench.open('certificate.yaml');
  await workbench.goTo(2, 8);
  const fixes = await workbench.quickFixes();
  assert.match(fixes[1], /^Fetch cert-manager v1\.21\.2 of https:\/\/localhost:\d+$/);
  await workbench.screenshot('12-fix');
  await workbench.chooseFix('Fetch cert-manager v1.21.2');
  await page.waitForSelector('.quick-input-list .monaco-list-row >> text=In this workspace too', { timeout: 15_000 });
  await workbench.screenshot('12-keep');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'In this workspace too' }).click();

  // It judges, and hover says where it comes from.
  const judged = await workbench.problems('unknown field "spec.secretNme"');
  assert.ok(
    judged.some((row) => row.includes('did you mean `secretName`')),
    judged.join('\n'),
  );
  await workbench.open('certificate.yaml');
  await workbench.goTo(2, 8);
  assert.match(
    await workbench.hoverAtCursor(),
    /CRD: cert-manager v1\.21\.2 of https:\/\/localhost:\d+, in kube-crd\.lock/,
  );
  await workbench.screenshot('12-hover');
  const lock = readFileSync(path.join(workspace, 'kube-crd.lock'), 'utf8');
  assert.match(lock, /kind: "cert-manager\.io\/Certificate", from: "chart", chart: "cert-manager"/);
  readFileSync(path.join(workspace, '.kube-crd/cert-manager.io/certificate.yaml'));
}
