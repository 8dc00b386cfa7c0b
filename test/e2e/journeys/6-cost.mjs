import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commitAll } from '../git.mjs';

export const name = 'a rule that costs too much gets the limit that fits, and the scope is kept as it is committed';

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: boxes.storage.example.com
spec:
  group: storage.example.com
  scope: Namespaced
  names: {kind: Box, plural: boxes}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            labels:
              type: array
              items: {type: string}
              x-kubernetes-validations:
                - rule: >-
                    self.all(a,
                      self.exists_one(b, b == a))
                  message: labels must differ
`;

export function prepare(workspace) {
  writeFileSync(path.join(workspace, 'crds/boxes.yaml'), crd);
  commitAll(workspace, 'Examples');
}

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const onDisk = () => readFileSync(path.join(workspace, 'crds/boxes.yaml'), 'utf8');
  const lineOf = (text) => crd.split('\n').findIndex((line) => line.includes(text)) + 1;

  await workbench.open('boxes.yaml');
  await workbench.squiggle();
  const problems = await workbench.problems('exceeds budget');
  assert.ok(
    problems.some((row) => row.includes('estimated rule cost exceeds budget')),
    problems.join('\n'),
  );
  await workbench.open('boxes.yaml');
  await workbench.goTo(lineOf('- rule: >-'), 22);
  const fixes = await workbench.quickFixes();
  const limit = fixes.find((title) => /maxItems/.test(title));
  assert.ok(limit, fixes.join('\n'));
  await workbench.screenshot('6-cost');
  await workbench.chooseFix(limit);
  await workbench.noSquiggle();
  await workbench.save();
  assert.match(onDisk(), /maxItems: \d+/);

  // Once it is committed and could be stored, its scope cannot change any more.
  commitAll(workspace, 'A limit');
  const line =
    onDisk()
      .split('\n')
      .findIndex((row) => row.includes('scope:')) + 1;
  await workbench.goTo(line, 20);
  for (const _ of 'Namespaced') await page.keyboard.press('Backspace');
  await page.keyboard.type('Cluster');
  await page.keyboard.press('Escape');
  await workbench.squiggle();
  assert.ok(
    (await workbench.problems('immutable')).some((row) => row.includes('field is immutable (HEAD has "Namespaced")')),
  );
  await workbench.screenshot('6-immutable');
}
