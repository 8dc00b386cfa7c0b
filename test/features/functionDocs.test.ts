import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile } from '../../server/src/cel/compile.ts';
import { estimateCost } from '../../server/src/cel/cost.ts';
import { overloadsText } from '../../server/src/features/words/functionDocs.ts';
import { schemaEnvironment } from '../../server/src/kubernetes/cel/environment.ts';
import { kubernetesVersions } from '../../server/src/kubernetes/releases/all.ts';
import { type RulePlace, rulePlace } from '../../server/src/workspace/rulePlace.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';

const rulePath = 'spec.versions.0.schema.openAPIV3Schema.properties.spec.x-kubernetes-validations.0.rule';

/** A place in a rule over a value of some schema. */
function placeOver(schema: string, version: (typeof kubernetesVersions)[number]): RulePlace {
  const text = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gizmos.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: gizmos, kind: Gizmo}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: ${schema}}}}
`;
  const [manifest] = sourceFile('file:///crd.yaml', text).manifests;
  const path = rulePath.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const place = rulePlace(manifest!, path as Parameters<typeof rulePlace>[1], version);
  assert.ok(place);
  return place;
}

const rules = 'x-kubernetes-validations: [{rule: "true"}]';
const schemas = [
  `{type: array, items: {type: string}, ${rules}}`,
  `{type: string, maxLength: 5, ${rules}}`,
  `{type: object, properties: {type: {type: string}}, ${rules}}`,
];

for (const version of kubernetesVersions) {
  test(`what a function's example costs on ${version.name} does not depend on the rule that it is asked for in`, () => {
    const { env, model } = schemaEnvironment(version, version.compatibility, undefined);
    const overloads = [...env.functions.values()].flatMap((fn) => fn.overloads).filter(({ example }) => example);
    assert.ok(overloads.length > 50);
    const places = schemas.map((schema) => placeOver(schema, version));
    // Each is asked for first over another schema: what is kept of that is what the next one sees.
    for (const [i, overload] of overloads.entries()) {
      const { expr, problems, unparsed } = compile(overload.example, env);
      const isKnown = !unparsed && problems.length === 0;
      const cost = isKnown ? ` costs ${estimateCost(expr, model).total.max.toLocaleString('en-US')}` : '';
      for (let next = 0; next < places.length; next++) {
        const lines = overloadsText([overload], places[(i + next) % places.length]!).source.split('\n');
        assert.ok(lines.includes(`\`${overload.example}\`${cost}`), lines.join('\n'));
      }
    }
  });
}
