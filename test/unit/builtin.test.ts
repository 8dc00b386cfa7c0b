import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMap, type Value, valueAt } from '../../server/src/base/value.ts';
import { judgeBuiltin } from '../../server/src/kubernetes/builtin/judge.ts';
import { type BuiltinKinds, builtinKindsOf } from '../../server/src/kubernetes/builtin/kinds.ts';
import { builtinSchema } from '../../server/src/kubernetes/builtin/schema.ts';
import { validateBuiltinUpdate } from '../../server/src/kubernetes/builtin/validation/update.ts';
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

// What 1.37 says of these updates, and so do the others that are known: the code is the same.
test('a schedule with a zone may stay, but not beside a zone of its own', () => {
  const message = (schedule: string, old: string, timeZone?: string) => {
    const spec = (text: string) =>
      new Map<string, Value>([
        ['schedule', text],
        ['jobTemplate', jobTemplate],
      ]);
    const object = (of: Map<string, Value>) =>
      new Map<string, Value>([
        ['metadata', new Map([['name', 'a']])],
        ['spec', of],
      ]);
    const now = spec(schedule);
    if (timeZone !== undefined) now.set('timeZone', timeZone);
    const kind = { apiVersion: 'batch/v1', kind: 'CronJob' };
    const found = validateBuiltinUpdate(object(now), object(spec(old)), kind, kubernetesVersion('1.37')!);
    return found.map((one) => one.message);
  };
  const zoned = 'TZ=UTC 0 0 * * *';
  assert.deepEqual(message(zoned, zoned), []);
  assert.deepEqual(message(zoned, '0 0 * * *'), [
    `Invalid value: "${zoned}": cannot use TZ or CRON_TZ in schedule, use timeZone field instead`,
  ]);
  assert.deepEqual(message(zoned, zoned, 'Etc/UTC'), [
    `Invalid value: "${zoned}": cannot use both timeZone field and TZ or CRON_TZ in schedule`,
  ]);
});

// The words of 1.31.
test('before 1.33 an IPv4 address that is mapped to IPv6 is written with its dots', () => {
  const kinds = kindsIn('1.31');
  const kind = kinds.kinds.get('v1/Service')!;
  const warned = (clusterIP: string) => {
    const port = new Map<string, Value>([['port', 80n]]);
    const spec = new Map<string, Value>([
      ['clusterIP', clusterIP],
      ['ports', [port]],
    ]);
    const meta = new Map([
      ['name', 'a'],
      ['namespace', 'b'],
    ]);
    const service = new Map<string, Value>([
      ['apiVersion', 'v1'],
      ['kind', 'Service'],
      ['metadata', meta],
      ['spec', spec],
    ]);
    return judgeBuiltin(service, kind, kinds, kubernetesVersion('1.31')!).warnings.map(({ message }) => message);
  };
  const written = (text: string) =>
    `spec.clusterIPs[0]: IPv6 address "${text}" is not in RFC 5952 canonical format ("::ffff:10.0.0.1"), which may cause controller apply-loops`;
  assert.deepEqual(warned('::ffff:10.0.0.1'), []);
  assert.deepEqual(warned('::ffff:0a00:1'), [written('::ffff:0a00:1')]);
});

const container = new Map([
  ['name', 'a'],
  ['image', 'b'],
]);
const pod = new Map<string, Value>([
  ['restartPolicy', 'Never'],
  ['containers', [container]],
]);
const jobTemplate = new Map([['spec', new Map([['template', new Map([['spec', pod]])]])]]);
