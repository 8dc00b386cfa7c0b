import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runProgram } from '../support/program.ts';

// `kube-crd test` over one large CRD, as a process: what a user waits for. It takes the built program.

const words = 'What it is for, and what comes of it where nothing is said. '.repeat(4);

/** Some 300 KB of a CRD, as generators write them, with rules and bounds everywhere. */
function largeCrd(groups: number): string {
  const group = (n: number) => `              group${n}:
                type: object
                description: ${words}
                x-kubernetes-validations:
                - {rule: '!has(self.least) || !has(self.most) || self.least <= self.most', message: least is at most most}
                properties:
                  least: {type: integer, minimum: 0, maximum: 100, default: 1, description: "${words}"}
                  most: {type: integer, minimum: 0, maximum: 100, description: "${words}"}
                  name: {type: string, maxLength: 63, pattern: '^[a-z]+$', description: "${words}"}
                  kind: {type: string, enum: [small, large], description: "${words}"}
                  tags: {type: array, maxItems: 9, x-kubernetes-list-type: set, items: {type: string, maxLength: 9}}
`;
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Box, plural: boxes, singular: box, listKind: BoxList}
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
${Array.from({ length: groups }, (_, n) => group(n)).join('')}`;
}

/** Objects that are accepted and refused, updates, rows and rules alone. */
function suite(cases: number): string {
  const one = (i: number) => {
    const at = `group${i % 155}`;
    const given = `{with: {spec: {${at}: {least: ${i % 90}, most: ${(i % 90) + 1}, name: abc, tags: [a, b]}}}}`;
    if (i % 5 === 0) return `{create: ${given}, stored: {spec: {${at}: {least: ${i % 90}}}}}`;
    if (i % 5 === 1) return `{create: {with: {spec.${at}: {least: 200}}}, errors: [{code: cr/maximum}, and more]}`;
    if (i % 5 === 2) return `{create: {with: {spec.${at}: {least: 9, most: 8}}}, errors: [least is at most most]}`;
    if (i % 5 === 3) return `{update: {from: ${given}, to: {with: {spec.${at}.kind: large}}}}`;
    return `{rule: 'spec.${at}.x-kubernetes-validations[0]', self: {least: 2, most: 1}, expect: false}`;
  };
  const head =
    'crd: crd.yaml\nbases: {a: {apiVersion: example.com/v1, kind: Box, metadata: {name: a, namespace: b}}}\n';
  const named = Array.from({ length: cases }, (_, i) => `  - ${one(i).replace('{', `{name: case ${i}, `)}\n`);
  return `${head}cases:\n${named.join('')}`;
}

export function bench(): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-bench-'));
  const crd = largeCrd(155);
  writeFileSync(path.join(folder, 'crd.yaml'), crd);
  for (const count of [1, 1_000]) {
    writeFileSync(path.join(folder, 'a.crdtest.yaml'), suite(count));
    for (const more of [[], ['--coverage'], ['--kubernetes', '1.33..1.37']]) measure(folder, crd, count, more);
  }
  rmSync(folder, { recursive: true });
}

function measure(folder: string, crd: string, count: number, more: readonly string[]): void {
  const began = performance.now();
  const { status, stdout, stderr } = runProgram(folder, ['test', ...more]);
  const seconds = (performance.now() - began) / 1000;
  if (status !== 0 || !stdout.endsWith(`${count} passed, 0 failed, 0 skipped\n`)) throw new Error(stdout + stderr);
  const what = `${count} cases over a CRD of ${Math.round(crd.length / 1000)} KB ${more.join(' ')}`.trim();
  console.log(`  ${what}: ${seconds.toFixed(2)} s, ${Math.round(count / seconds)} cases/s`);
}
