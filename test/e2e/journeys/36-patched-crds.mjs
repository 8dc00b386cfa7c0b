import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn } from '../onDisk.mjs';

export const name = 'what kustomizations make of CRDs and charts: a wrong value is found where it is typed';

const files = {
  'patched/crd/lamps.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.patched.example.com}
spec:
  group: patched.example.com
  scope: Namespaced
  names: {plural: lamps, singular: lamp, kind: Lamp, listKind: LampList}
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
              properties:
                watts: {type: integer}
`,
  'patched/crd/kustomization.yaml': `resources: [lamps.yaml]
patches:
  - target: {kind: CustomResourceDefinition}
    patch: |-
      - op: add
        path: /spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/watts/maximum
        value: 60
`,
  'patched/lamp.yaml': `apiVersion: patched.example.com/v1
kind: Lamp
metadata:
  name: desk
spec:
  watts: 40
`,
  'patched/shop/kustomization.yaml': `helmCharts:
  - name: web
    releaseName: shop
    valuesInline:
      watts: 30
`,
  'patched/shop/charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'patched/shop/charts/web/values.yaml': 'watts: 10\n',
  'patched/shop/charts/web/templates/lamp.yaml': `apiVersion: patched.example.com/v1
kind: Lamp
metadata: {name: {{ .Release.Name }}}
spec:
  watts: {{ .Values.watts }}
`,
};

export function prepare(workspace) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(workspace, file)), { recursive: true });
    writeFileSync(path.join(workspace, file), text);
  }
}

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const { lineOf } = filesIn(workspace);
  const type = async (text) => {
    await page.keyboard.press('End');
    await page.keyboard.type(text, { delay: 20 });
    await page.keyboard.press('Escape');
  };

  // A resource that no kustomization names meets the limit that a patch gives its CRD.
  await workbench.open('patched/lamp.yaml');
  await workbench.noSquiggle();
  await workbench.goTo(lineOf('patched/lamp.yaml', 'watts: 40'), 13);
  await type('0');
  const limit = (await workbench.problems('should be less than or equal to 60')).join('\n');
  assert.match(limit, /should be less than or equal to 60/);
  await workbench.screenshot('36-patched-crd');

  // Another limit in the patch, and the value is right.
  await workbench.open('patched/crd/kustomization.yaml');
  await workbench.goTo(lineOf('patched/crd/kustomization.yaml', 'value: 60'), 18);
  await type('0');
  await workbench.save();
  await workbench.open('patched/lamp.yaml');
  await workbench.noSquiggle();
  await workbench.save();

  // A value of a chart is judged by it as well, where it is written in the kustomization.
  await workbench.open('patched/shop/kustomization.yaml');
  await workbench.noSquiggle();
  await workbench.goTo(lineOf('patched/shop/kustomization.yaml', 'watts: 30'), 16);
  await type('00');
  const value = (await workbench.problems('should be less than or equal to 600')).join('\n');
  assert.match(value, /should be less than or equal to 600/);
  await workbench.screenshot('36-chart-value');
}
