import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMap, type Value, valueAt } from '../../server/src/base/value.ts';
import { type BuiltinKinds, builtinKindsOf } from '../../server/src/kubernetes/builtin/kinds.ts';
import { builtinSchema } from '../../server/src/kubernetes/builtin/schema.ts';
import { kubernetesVersion, kubernetesVersions } from '../../server/src/kubernetes/releases/all.ts';
import { builtinFile } from '../support/workspace.ts';

const kindsIn = (release: string): BuiltinKinds => builtinKindsOf(builtinFile(), kubernetesVersion(release)!);
const deployment = { group: 'apps', version: 'v1', kind: 'Deployment' };

test('every kind that a release serves has a schema without holes', () => {
  for (const { name } of kubernetesVersions) {
    const kinds = kindsIn(name);
    const served = [...kinds.kinds.values()].filter(({ isGone }) => !isGone);
    assert.ok(served.length > 80, `${name} has ${served.length}`);
    const seen = new Set<Value>();
    for (const kind of served) assertWhole(builtinSchema(kinds, kind), `${name} ${kind.apiVersion}/${kind.kind}`, seen);
  }
});

/** Every node says of what type it is, and parts of the same Go type are the same object. */
function assertWhole(schema: Value | undefined, at: string, seen: Set<Value>): void {
  assert.ok(isMap(schema), at);
  if (seen.has(schema)) return;
  seen.add(schema);
  const isTyped = schema.has('type') || schema.get('x-kubernetes-int-or-string') === true;
  assert.ok(isTyped, at);
  if (schema.get('type') === 'array') assertWhole(schema.get('items'), `${at}[]`, seen);
  if (schema.has('additionalProperties')) assertWhole(schema.get('additionalProperties'), `${at}{}`, seen);
  const properties = schema.get('properties');
  if (isMap(properties)) for (const [name, one] of properties) assertWhole(one, `${at}.${name}`, seen);
}

test('a schema has what the sources say of a field', () => {
  const schema = builtinSchema(kindsIn('1.37'), deployment)!;
  const at = (...path: string[]) =>
    valueAt(
      schema,
      path.flatMap((step) => ['properties', step]),
    );
  assert.deepEqual(valueAt(at('spec', 'replicas'), ['type']), 'integer');
  assert.deepEqual(valueAt(at('spec', 'replicas'), ['format']), 'int32');
  assert.deepEqual(valueAt(at('spec'), ['required']), ['selector', 'template']);
  assert.deepEqual(valueAt(at('spec', 'strategy', 'type'), ['enum']), ['Recreate', 'RollingUpdate']);
  const ports = valueAt(at('spec', 'template', 'spec', 'containers'), ['items', 'properties', 'ports']);
  assert.deepEqual(valueAt(ports, ['x-kubernetes-list-map-keys']), ['containerPort', 'protocol']);
  const max = at('spec', 'strategy', 'rollingUpdate', 'maxSurge');
  assert.equal(valueAt(max, ['x-kubernetes-int-or-string']), true);
});

test('releases differ in their kinds and fields', () => {
  const [first, last] = [kindsIn('1.31'), kindsIn('1.37')];
  assert.equal(builtinSchema(first, { group: 'resource.k8s.io', version: 'v1', kind: 'ResourceClaim' }), undefined);
  assert.ok(builtinSchema(last, { group: 'resource.k8s.io', version: 'v1', kind: 'ResourceClaim' }));
  const podSpec = 'k8s.io/api/core/v1.PodSpec';
  assert.equal(last.fieldSince(podSpec, 'hostnameOverride'), '1.34');
  assert.equal(last.fieldSince(podSpec, 'containers'), undefined);
  assert.equal(last.kindSince('resource.k8s.io/v1/ResourceClaim'), '1.34');
  assert.equal(last.kinds.get('extensions/v1beta1/Ingress')?.isGone, true);
  assert.equal(builtinSchema(last, { group: 'extensions', version: 'v1beta1', kind: 'Ingress' }), undefined);
  assert.equal(last.kinds.get('apps/v1/Deployment')?.namespaced, true);
  assert.equal(last.kinds.get('v1/Node')?.namespaced, undefined);
});

test('a release that the file does not know has the kinds of the newest', () => {
  const next = { ...kubernetesVersions[0], name: '1.99' };
  assert.equal(builtinKindsOf(builtinFile(), next).kinds.size, kindsIn(kubernetesVersions[0].name).kinds.size);
});
