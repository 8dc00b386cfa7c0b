import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// Tests of policies that nobody has written: policies, bindings and requests put together from parts by a seed.

type Pick = <T>(list: readonly T[]) => T;

function picking(seed: number): Pick {
  let state = seed >>> 0;
  return (list) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return list[Math.floor((state / 2 ** 32) * list.length)]!;
  };
}

/** Expressions over an object of either kind, some of which fail. */
const conditions = [
  'object == null || size(object.metadata.name) < 8',
  "object != null && has(object.metadata.labels) && object.metadata.labels.exists(k, k.startsWith('a'))",
  "request.operation != 'UPDATE' || oldObject.metadata.name == object.metadata.name",
  "request.userInfo.username != 'mallory'",
  "'admins' in request.userInfo.groups || object == null || !has(object.metadata.annotations)",
  "namespaceObject == null || namespaceObject.metadata.labels[?'tier'].orValue('none') != 'closed'",
  'variables.number < 5',
  "variables.label == '' || variables.label.matches('^[a-m]')",
  "authorizer.group('').resource('secrets').namespace('one').check('peek').allowed()",
  "authorizer.serviceAccount('one', 'bot').group('').resource('secrets').check('peek').allowed() || variables.number > 1",
  "object.metadata.labels['must'] == 'be'",
  'object.metadata.annotations.size() > 0',
  'dyn(object).metadata.nothing == 1',
  "params == null || params.data.key != 'deny'",
  "has(request.options.fieldManager) || request.operation == 'DELETE' || true",
  'object == null || object.metadata.?generation.orValue(0) == 0',
  "object == null || isSemver(variables.label + '.0.0') || variables.label.size() < 3",
  "object == null || quantity('1Gi').isGreaterThan(quantity('500Mi'))",
  '1 / (variables.number - 3) != 7',
];

const messages = [
  undefined,
  "'name ' + (object == null ? oldObject.metadata.name : object.metadata.name)",
  "'number ' + string(variables.number)",
  "string(object.metadata.labels['none'])",
  "''",
  "'two\\nlines'",
  "'user ' + request.userInfo.username",
];

const annotations = [
  "request.operation + ' ' + request.name",
  'null',
  'string(variables.number)',
  "''",
  'string(object.metadata.labels.none)',
];

const configurations = [
  "Object{metadata: Object.metadata{labels: {'made': variables.label == '' ? 'plain' : variables.label}}}",
  "Object{metadata: Object.metadata{annotations: {'by': request.userInfo.username}}}",
  "Object{spec: Object.spec{parts: [Object.spec.parts{name: 'lid', weight: variables.number}]}}",
  "Object{spec: Object.spec{set: ['x', 'y']}}",
  "Object{spec: Object.spec{plain: ['a']}}",
  'Object{spec: Object.spec{unknown: 1}}',
  'Object{spec: Object.spec{size: variables.number + 1}}',
  'Object{spec: Object.status{size: 1}}',
  'Object{}',
  "Object{metadata: Object.metadata{finalizers: ['example.com/f']}}",
  "Object{spec: Object.spec{?color: variables.number > 2 ? optional.of('green') : optional.none()}}",
];

const patches = [
  "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}]",
  "has(object.metadata.labels) ? [JSONPatch{op: 'remove', path: '/metadata/labels'}] : []",
  "[JSONPatch{op: 'replace', path: '/spec/size', value: 7}]",
  "[JSONPatch{op: 'test', path: '/spec/size', value: 3}, JSONPatch{op: 'replace', path: '/spec/color', value: 'tested'}]",
  "[JSONPatch{op: 'remove', path: '/spec/none'}]",
  "[JSONPatch{op: 'copy', from: '/metadata/name', path: '/spec/color'}]",
  "[JSONPatch{op: 'add', path: '/spec/parts/-', value: Object.spec.parts{name: 'end'}}]",
  "[JSONPatch{op: 'move', from: '/spec/color', path: '/spec/plain/0'}]",
  'object.spec.set.map(one, JSONPatch{op: "add", path: "/metadata/annotations/" + jsonpatch.escapeKey(one), value: one})',
];

const selectors = [
  undefined,
  '{matchLabels: {free: "yes"}}',
  '{matchExpressions: [{key: free, operator: DoesNotExist}]}',
  '{matchExpressions: [{key: app, operator: In, values: [a, b]}]}',
  '{matchExpressions: [{key: app, operator: NotIn, values: [a]}]}',
];
const ofNamespaces = [
  undefined,
  '{matchLabels: {tier: closed}}',
  '{matchExpressions: [{key: tier, operator: Exists}]}',
  '{matchLabels: {kubernetes.io/metadata.name: one}}',
];
const operations = ['[CREATE, UPDATE]', '["*"]', '[CREATE]', '[DELETE, UPDATE]'];

/** Each file has a group of its own, so that its policies are about nothing else in a server. */
const groupOf = (i: number) => `made${i}.example.com`;

const crdText = (i: number) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.${groupOf(i)}}
spec:
  group: ${groupOf(i)}
  scope: Namespaced
  names: {plural: boxes, singular: box, kind: Box, listKind: BoxList}
  versions:
    - name: v1
      served: true
      storage: true
      schema: &schema
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: integer, maximum: 100}
                color: {type: string, default: blue}
                plain: {type: array, items: {type: string}}
                set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
                parts:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items: {type: object, required: [name], properties: {name: {type: string}, weight: {type: integer}}}
              x-kubernetes-validations:
                - {rule: "!has(self.size) || self.size != 13", message: not thirteen}
    - {name: v1alpha1, served: true, storage: false, schema: *schema}
`;

/** Writes so many files of tests, of ten cases each, and says where they are: each in a folder of its own. */
export function makePolicies(folder: string, count: number, seed: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const own = path.join(folder, String(i));
    mkdirSync(own, { recursive: true });
    const pick = picking(seed * 1000 + i);
    // The generator's first numbers are alike.
    for (let j = 0; j < 5; j++) pick([0]);
    writeFileSync(path.join(own, 'crd.yaml'), crdText(i));
    writeFileSync(path.join(own, 'made.yaml'), policiesText(pick, `made-${seed}-${i}`, i));
    const file = path.join(own, 'made.crdtest.yaml');
    writeFileSync(file, casesText(pick, i));
    return file;
  });
}

const quoted = (text: string) => JSON.stringify(text);

function policiesText(pick: Pick, name: string, i: number): string {
  const isMutating = pick([true, false]);
  const kind = isMutating ? 'MutatingAdmissionPolicy' : 'ValidatingAdmissionPolicy';
  const hasParams = pick([true, false, false]);
  const usable = conditions.filter((one) => hasParams || !one.includes('params'));
  const lines = [
    'apiVersion: admissionregistration.k8s.io/v1',
    `kind: ${kind}`,
    `metadata: {name: ${name}}`,
    'spec:',
    `  failurePolicy: ${pick(['Fail', 'Fail', 'Ignore'])}`,
    ...(hasParams ? ['  paramKind: {apiVersion: v1, kind: ConfigMap}'] : []),
    '  matchConstraints:',
    ...optional('    matchPolicy', pick([undefined, 'Exact', 'Equivalent'])),
    ...optional('    objectSelector', pick(selectors)),
    ...optional('    namespaceSelector', pick(ofNamespaces)),
    '    resourceRules:',
    `      - {apiGroups: [${groupOf(i)}], apiVersions: [${pick(['v1', 'v1alpha1', '"*"'])}], operations: ${isMutating ? '[CREATE, UPDATE]' : pick(operations)}, resources: [boxes]}`,
    ...(pick([true, false, false])
      ? [
          '    excludeResourceRules:',
          '      - {apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"], resourceNames: [excluded]}',
        ]
      : []),
    ...(pick([true, false])
      ? [
          '  matchConditions:',
          `    - {name: first, expression: ${quoted(pick(usable.filter((one) => !one.includes('variables'))))}}`,
        ]
      : []),
    '  variables:',
    `    - {name: number, expression: ${quoted(pick(['object == null ? 0 : object.spec.?size.orValue(2)', '3', 'object.spec.size', 'size(request.userInfo.groups)']))}}`,
    `    - {name: label, expression: ${quoted(pick(["object == null ? '' : object.metadata.?labels[?'app'].orValue('')", 'object.metadata.labels.app', "'fixed'"]))}}`,
    ...(isMutating ? mutationLines(pick) : validationLines(pick, usable)),
    '---',
    'apiVersion: admissionregistration.k8s.io/v1',
    `kind: ${kind}Binding`,
    `metadata: {name: ${name}}`,
    'spec:',
    `  policyName: ${name}`,
    ...(isMutating
      ? []
      : [`  validationActions: ${pick(['[Deny]', '[Deny]', '[Warn]', '[Deny, Audit]', '[Warn, Audit]'])}`]),
    ...(hasParams
      ? [
          `  paramRef: {${pick([`name: given-${i}`, 'name: missing', `selector: {matchLabels: {for: policies-${i}}}`])}, parameterNotFoundAction: ${pick(['Deny', 'Allow'])}${pick([', namespace: one', ''])}}`,
        ]
      : []),
    ...(pick([true, false, false])
      ? ['  matchResources:', ...optional('    namespaceSelector', pick(ofNamespaces.slice(1)))]
      : []),
    '---',
    'apiVersion: v1',
    'kind: ConfigMap',
    `metadata: {name: given-${i}, namespace: one, labels: {for: policies-${i}}}`,
    `data: {key: ${pick(['allow', 'deny'])}}`,
    '---',
    'apiVersion: v1',
    'kind: Namespace',
    'metadata: {name: one}',
    '---',
    'apiVersion: v1',
    'kind: Namespace',
    'metadata: {name: two, labels: {tier: closed}}',
  ];
  return `${lines.join('\n')}\n`;
}

function optional(key: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${key}: ${value}`];
}

function validationLines(pick: Pick, usable: readonly string[]): string[] {
  const validations = Array.from({ length: pick([1, 2, 3]) }, () => {
    const message = pick(messages);
    const parts = [
      `expression: ${quoted(pick(usable))}`,
      ...(message === undefined ? [] : [`messageExpression: ${quoted(message)}`]),
      ...(pick([true, false]) ? ['message: plain words'] : []),
      ...(pick([true, false, false]) ? [`reason: ${pick(['Forbidden', 'Invalid', 'RequestEntityTooLarge'])}`] : []),
    ];
    return `    - {${parts.join(', ')}}`;
  });
  const audit = pick([true, false])
    ? ['  auditAnnotations:', `    - {key: a, valueExpression: ${quoted(pick(annotations))}}`]
    : [];
  return ['  validations:', ...validations, ...audit];
}

function mutationLines(pick: Pick): string[] {
  const mutations = Array.from({ length: pick([1, 2, 3]) }, () =>
    pick([true, false])
      ? `    - {patchType: ApplyConfiguration, applyConfiguration: {expression: ${quoted(pick(configurations))}}}`
      : `    - {patchType: JSONPatch, jsonPatch: {expression: ${quoted(pick(patches))}}}`,
  );
  return [`  reinvocationPolicy: ${pick(['Never', 'IfNeeded'])}`, '  mutations:', ...mutations];
}

function casesText(pick: Pick, i: number): string {
  const cases = Array.from({ length: 10 }, (_, nth) => {
    const verb = pick(['create', 'create', 'create', 'update', 'delete']);
    const first = objectText(pick, i);
    const written =
      verb === 'update' ? `update: {from: ${first}, to: ${objectText(pick, i, first)}}` : `${verb}: ${first}`;
    const user = pick(['jane', 'mallory', '{name: ann, groups: [admins], uid: "9"}']);
    const manager = pick(['', '\n    options: {fieldManager: me}']);
    return `  - name: case ${nth}\n    user: ${user}${manager}\n    ${written}`;
  });
  return `policy: made.yaml
crd: crd.yaml
access:
  - {users: [jane], verbs: [peek], resources: [secrets], apiGroups: [""]}
  - {users: ["system:serviceaccount:one:bot"], verbs: [peek], resources: [secrets], apiGroups: [""]}
cases:
${cases.join('\n')}
`;
}

function objectText(pick: Pick, i: number, like = ''): string {
  const version = /version: (\w+)/.exec(like)?.[1] ?? pick(['v1', 'v1', 'v1alpha1']);
  const name = /name: ([\w-]+)/.exec(like)?.[1] ?? pick(['short', 'quite-long-name', 'excluded']);
  const namespace = /namespace: (\w+)/.exec(like)?.[1] ?? pick(['one', 'two']);
  const labels = pick([
    '',
    ', labels: {app: a}',
    ', labels: {app: "7", free: "yes"}',
    ', labels: {must: be, app: zeta}',
  ]);
  const marks = pick(['', '', ', annotations: {why: because}']);
  const spec = pick([
    '{size: 3}',
    '{size: 3, set: [b, x], parts: [{name: floor, weight: 2}, {name: lid}]}',
    '{size: 12, plain: [p, q]}',
    '{color: red}',
    '{size: 101}',
    '{size: 13, color: green}',
    '{size: 6, parts: [{name: lid, weight: 9}], plain: []}',
  ]);
  return `{apiVersion: ${groupOf(i)}/${version}, kind: Box, metadata: {name: ${name}, namespace: ${namespace}${labels}${marks}}, spec: ${spec}}`;
}
