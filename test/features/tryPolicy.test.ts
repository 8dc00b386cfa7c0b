import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '../../server/src/base/steps.ts';
import type { Tried } from '../../server/src/features/trying/tried.ts';
import { policyAtCursor, policyLenses, tryPolicy } from '../../server/src/features/trying/tryPolicy.ts';
import { objectKey } from '../../server/src/workspace/baseline/baseline.ts';
import { fileAt, withBaseline } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { sharedFile, snapshotOf } from '../support/workspace.ts';

const uri = 'file:///policy.yaml';

const policyOf = (spec: string, resource = 'deployments') => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas.example.com}
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [${resource}]}
${spec}`;

const binding = (spec: string, name = 'everywhere') => `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: replicas.example.com, ${spec}}
`;

const deployment = (name: string, spec: string, metadata = 'namespace: shop') => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, ${metadata}}
spec: ${spec}
`;

const committed = (text: string) => sourceFile('file:///objects.yaml', text).manifests[0]!;

function tried(policy: string, text: string, before?: string): Tried {
  const files = [
    { uri, text: policy },
    { uri: 'file:///objects.yaml', text },
    { uri: 'file:///crd.yaml', text: sharedFile('widgets') },
  ];
  let snapshot = snapshotOf(files);
  if (before !== undefined) {
    const manifest = committed(before);
    const object = { ref: 'HEAD', manifest, crd: undefined, storage: new Map() };
    const objects = new Map([[objectKey(manifest)!, object]]);
    snapshot = withBaseline(snapshot, files[1]!.uri, { ref: 'HEAD', commit: 'a', unknownRef: false, objects });
  }
  const found = policyAtCursor(snapshot, uri, policy.indexOf('spec:') + 1);
  assert.ok(found, 'no policy at the cursor');
  return atOnce(
    tryPolicy(
      snapshot,
      uri,
      found,
      files.map((file) => fileAt(snapshot, file.uri)!),
    ),
  );
}

/** What a policy cost is compared with real Kubernetes elsewhere. */
const rows = ({ objects }: Tried) =>
  objects.map(({ name, outcome, said }) => `${name}: ${outcome} ${said.replace(/^cost \d+ of/, 'cost … of')}`.trim());

const few =
  '  validations:\n    - expression: object.spec.replicas <= 5\n      messageExpression: "\'at most 5, not \' + string(object.spec.replicas)"\n';

test('a policy says of each object whether it is let in, in the words of the API server', () => {
  const found = tried(
    policyOf(few) + binding('validationActions: [Deny]'),
    deployment('few', '{replicas: 3}') + deployment('many', '{replicas: 30}') + deployment('open', '{}'),
  );
  assert.equal(found.title, 'ValidatingAdmissionPolicy replicas.example.com');
  assert.deepEqual(rows(found), [
    'Deployment shop/few: true cost … of 10,000,000',
    "Deployment shop/many: false ValidatingAdmissionPolicy 'replicas.example.com' with binding 'everywhere' denied request: at most 5, not 30",
    'Deployment shop/open: none It depends on what is not known here: `replicas` is not written, and the API server may fill in a default',
  ]);
  assert.deepEqual(found.objects[1]!.values[0]!.lines, [
    'object.spec.replicas <= 5: false',
    '  object.spec.replicas: 30',
  ]);
});

test('without a binding it is shown as if one denied', () => {
  const found = tried(policyOf(few), deployment('many', '{replicas: 30}'));
  assert.match(found.facts[0]!, /no binding in the workspace/);
  assert.deepEqual(rows(found), [
    "Deployment shop/many: false ValidatingAdmissionPolicy 'replicas.example.com' denied request: at most 5, not 30",
  ]);
});

test('variables are shown with their values, and a binding that only warns lets objects in', () => {
  const spec = `  variables:
    - {name: replicas, expression: object.spec.replicas}
    - {name: unused, expression: object.spec.nowhere}
  auditAnnotations:
    - {key: count, valueExpression: "'has ' + string(variables.replicas)"}
  validations:
    - {expression: variables.replicas <= 5, message: ' too many '}
`;
  const found = tried(
    policyOf(spec) + binding('validationActions: [Warn, Audit]'),
    deployment('many', '{replicas: 30}'),
  );
  assert.deepEqual(rows(found), [
    "Deployment shop/many: true with a warning: Validation failed for ValidatingAdmissionPolicy 'replicas.example.com' with binding 'everywhere': too many",
  ]);
  assert.deepEqual(
    found.objects[0]!.values.map(({ at, outcome, said }) => [at, outcome, said]),
    [
      ['validations[0]', 'false', 'too many'],
      ['variables.replicas', 'value', '30'],
      ['auditAnnotations count', 'value', 'has 30'],
    ],
  );
});

test('what only a cluster knows is not guessed', () => {
  const spec = (expression: string) => `  validations:\n    - expression: ${expression}\n`;
  const of = (expression: string) => rows(tried(policyOf(spec(expression)), deployment('a', '{replicas: 1}')))[0]!;
  assert.match(
    of("authorizer.group('apps').resource('deployments').check('delete').allowed()"),
    /none .*the authorizer/,
  );
  assert.match(of("request.userInfo.username == 'x'"), /none .*who makes the request/);
  assert.match(
    of("namespaceObject.metadata.labels.team == 'x'"),
    /none .*the namespace shop, which is not in the workspace/,
  );
  // Where it does not matter, it is not asked for.
  assert.match(of("object.spec.replicas == 1 || request.userInfo.username == 'x'"), /true/);
  assert.match(of("request.operation == 'CREATE' && request.kind.kind == 'Deployment' && oldObject == null"), /true/);
});

test('namespaces of the workspace are known, to selectors too', () => {
  const namespace = '---\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: x}}\n';
  const spec = "  validations:\n    - expression: namespaceObject.metadata.labels.team == 'x'\n";
  const objects = namespace + deployment('a', '{}') + deployment('b', '{}', 'namespace: other');
  const bound = binding('validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {team: x}}}');
  assert.deepEqual(rows(tried(policyOf(spec) + bound, objects)), [
    'Deployment shop/a: true cost … of 10,000,000',
    'Deployment other/b: none the namespaceSelector asks for labels of the namespace other, which is not in the workspace',
  ]);
  const named = binding(
    'validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}}',
  );
  assert.deepEqual(rows(tried(policyOf(spec) + named, objects)), [
    'Deployment shop/a: true cost … of 10,000,000',
    'Deployment other/b: none No binding of the workspace is for it',
  ]);
});

test('parameters are those that the binding names', () => {
  const config = (name: string, max: number) =>
    `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: shop}\ndata: {max: "${max}"}\n`;
  const spec =
    '  paramKind: {apiVersion: v1, kind: ConfigMap}\n  validations:\n    - expression: object.spec.replicas <= int(params.data.max)\n';
  const objects = config('low', 2) + config('high', 9) + deployment('a', '{replicas: 5}');
  const ref = (name: string, action = 'Allow') =>
    binding(`validationActions: [Deny], paramRef: {name: ${name}, parameterNotFoundAction: ${action}}`);
  assert.match(rows(tried(policyOf(spec) + ref('high'), objects))[0]!, /a: true/);
  assert.match(
    rows(tried(policyOf(spec) + ref('low'), objects))[0]!,
    /a: false .*failed expression: object.spec.replicas <= int/,
  );
  assert.match(
    rows(tried(policyOf(spec) + ref('none', 'Deny'), objects))[0]!,
    /a: none No ConfigMap .* denies the request/,
  );
  const all = binding('validationActions: [Deny], paramRef: {selector: {}, parameterNotFoundAction: Deny}');
  assert.match(rows(tried(policyOf(spec) + all, objects))[0]!, /a: false/);
});

test('an error decides as failurePolicy says, and match conditions come first', () => {
  const spec = (rest: string) => `${rest}  validations:\n    - expression: object.metadata.labels.team == 'x'\n`;
  const objects = deployment('a', '{}', 'namespace: shop, labels: {app: a}');
  const said = (rest: string) => rows(tried(policyOf(spec(rest)), objects))[0]!;
  assert.match(
    said(''),
    /a: error .*denied request: expression 'object.metadata.labels.team == 'x'' resulted in error: no such key: team/,
  );
  assert.match(said('  failurePolicy: Ignore\n'), /a: true/);
  assert.match(
    said('  matchConditions: [{name: app, expression: "object.metadata.labels.app == \'b\'"}]\n'),
    /a: none The match condition app is false/,
  );
});

test('a committed object is updated, and custom resources have their defaults', () => {
  const widget = (size: number) =>
    `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: shop}\nspec: {size: ${size}}\n`;
  const spec =
    "  validations:\n    - expression: object.spec.size >= oldObject.spec.size && object.spec.color == 'red'\n";
  assert.match(rows(tried(policyOf(spec, 'widgets'), widget(2), widget(1)))[0]!, /w: true/);
  assert.match(rows(tried(policyOf(spec, 'widgets'), widget(1), widget(2)))[0]!, /w: false/);
});

test('what the policy is not for is not shown, and a policy that does not compile says why', () => {
  const found = tried(policyOf(few, 'statefulsets'), deployment('a', '{}'));
  assert.deepEqual(found.objects, []);
  const wrong = tried(policyOf('  validations:\n    - expression: nothing == 1\n'), deployment('a', '{}'));
  assert.match(wrong.problem!, /^spec\.validations\[0\]\.expression: .*undeclared reference to 'nothing'/);
});

test('over a policy stands the way to the view, unless the setting says no', () => {
  const snapshot = snapshotOf([
    { uri, text: deployment('a', '{}') + binding('validationActions: [Deny]') + policyOf(few).replace(/^/, '---\n') },
  ]);
  const [lens, ...more] = policyLenses(snapshot, uri);
  assert.deepEqual([lens?.title, more.length], ['Try this policy', 0]);
  assert.equal(fileAt(snapshot, uri)!.text.slice(lens!.range.start, lens!.range.end), 'kind');
  const off = {
    ...snapshot,
    settings: { ...snapshot.settings, all: { ...snapshot.settings.all, codeLens: new Set(['policies' as const]) } },
  };
  assert.deepEqual(policyLenses(off, uri), []);
});
