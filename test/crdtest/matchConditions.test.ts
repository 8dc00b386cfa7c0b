import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluator } from '../../server/src/kubernetes/policy/evaluate.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';

const map = (entries: Record<string, unknown>): ReadonlyMap<string, never> => new Map(Object.entries(entries)) as never;

// As kube-apiserver 1.36.3 answers: what its matcher of conditions evaluates is given no namespace.
for (const [expression, matches] of [
  ['namespaceObject == null', true],
  ["namespaceObject != null && namespaceObject.metadata.name == 'one'", false],
] as const) {
  test(`match conditions do not see the namespace: ${expression}`, () => {
    const spec = map({
      matchConditions: [map({ name: 'first', expression })],
      validations: [map({ expression: "namespaceObject.metadata.name != 'one'" })],
    });
    const policy = map({ kind: 'ValidatingAdmissionPolicy', metadata: map({ name: 'p' }), spec });
    const brought = new Map([['namespaceObject', map({ metadata: map({ name: 'one' }) })]]);
    const verdict = evaluator(policy, newestVersion)(brought as never);
    assert.equal(verdict.unmatched === undefined, matches);
  });
}
