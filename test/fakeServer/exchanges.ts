import type { ServerResponse } from 'node:http';
import { httpsServer } from '../support/httpsServer.ts';

// Requests for built-in kinds, admission and what else needs a whole API server, one after the other, and what is answered.

/** `at` is a path below the API that its short name stands for. */
export interface Step {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
}

export type Send = (step: Step) => Promise<{ code: number; body: string; warnings: readonly string[] }>;

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const boxes = '/apis/example.com/v1/namespaces/default/boxes';
const maps = '/api/v1/namespaces/default/configmaps';
const hosts = '/apis/admissionregistration.k8s.io/v1';
const patches = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

const text = (body: object | string) => (typeof body === 'string' ? body : JSON.stringify(body));
const get = (path: string): Step => ({ method: 'GET', path });
const post = (path: string, body: object | string): Step => ({ method: 'POST', path, body: text(body) });
const put = (path: string, body: object | string): Step => ({ method: 'PUT', path, body: text(body) });
const remove = (path: string, body: object = {}): Step => ({ method: 'DELETE', path, body: text(body) });
const patch = (type: keyof typeof patches, path: string, body: object | string): Step => ({
  method: 'PATCH',
  path,
  body: text(body),
  type: patches[type],
});

const boxSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', maximum: 9 },
        color: { type: 'string', default: 'red' },
        note: { type: 'string' },
        parts: { type: 'array', items: { type: 'string' } },
      },
    },
    status: { type: 'object', properties: { size: { type: 'integer' }, selector: { type: 'string' } } },
  },
};

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boxes.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Box', plural: 'boxes' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.size',
            statusReplicasPath: '.status.size',
            labelSelectorPath: '.status.selector',
          },
        },
        schema: { openAPIV3Schema: boxSchema },
      },
    ],
  },
};

const box = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Box',
  metadata: { name, ...metadata },
  spec,
});
const map = (name: string, data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
const scale = (name: string, replicas: number) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name, namespace: 'default' },
  spec: { replicas },
});

const ofBoxes = { apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['boxes'] };

const policy = (name: string, operations: readonly string[], spec: object) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: { matchConstraints: { resourceRules: [{ ...ofBoxes, operations }] }, ...spec },
});
const binding = (name: string, actions: readonly string[], spec: object = {}) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: name, validationActions: actions, ...spec },
});

/** The address of webhooks and who has signed their certificate, as requests have them. */
export const hook = { address: 'https://webhooks.example', authority: 'AUTHORITY' };

const webhooks = (kind: 'Mutating' | 'Validating', name: string, all: readonly (readonly [string, object])[]) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${kind}WebhookConfiguration`,
  metadata: { name },
  webhooks: all.map(([path, more]) => ({
    name: `${path}.example.com`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url: `${hook.address}/${path}`, caBundle: hook.authority },
    rules: [{ ...ofBoxes, operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['boxes', 'boxes/status'] }],
    timeoutSeconds: 1,
    ...more,
  })),
});

/** Managed fields that no server has written, and two that are not even fields. */
const fieldsOfNobody = [
  [{ manager: 'x', operation: 'Nope', apiVersion: 'q', fieldsType: 'X', fieldsV1: { 'f:a': {} } }],
  [{ operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: 5 }],
  [null],
  [5],
  [{ time: 'yesterday' }],
];
const owner = { apiVersion: 'v1', kind: 'A', name: 'n', uid: 'u' };
/** Metadata that says nothing. */
const empties = {
  ...{ labels: {}, annotations: {}, finalizers: [], ownerReferences: [], managedFields: [] },
  ...{ generateName: '', namespace: '', uid: '', resourceVersion: '', selfLink: '' },
  ...{ deletionTimestamp: null, creationTimestamp: null },
};
const equalOwners = [
  [
    { ...owner, controller: true },
    { ...owner, controller: true },
  ],
  [owner, { ...owner, blockOwnerDeletion: false }],
  [owner, owner, { ...owner, kind: 'B', uid: 'w' }, { ...owner, kind: 'B', uid: 'w' }, owner],
  [
    { apiVersion: 'v1', kind: 'A' },
    { apiVersion: 'v1', kind: 'A' },
  ],
];
const ofNothing = [
  'allow',
  {
    rules: [{ apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nothings'] }],
  },
] as const;
const always = { validations: [{ expression: 'true' }] };

const strict = '?fieldValidation=Strict&fieldManager=tests';

/** Each part is asked of a server on which the parts before it were. `ready` says until what it is asked again. */
const wholeParts: Readonly<Record<string, readonly Step[]>> = {
  'custom resources': [
    post(crds, crd),
    post(boxes, box('a', { size: 2 })),
    get(`${boxes}/a`),
    put(`${boxes}/a`, box('a', { size: 3 })),
    patch('merge', `${boxes}/a`, { spec: { size: 4 } }),
    patch('merge', `${boxes}/a?fieldManager=someone`, { spec: { note: 'n' }, metadata: { labels: { a: 'b' } } }),
    patch('json', `${boxes}/a`, [{ op: 'replace', path: '/spec/size', value: 5 }]),
    patch('strategic', `${boxes}/a`, { spec: { size: 4 } }),
    patch('merge', `${boxes}/a/status`, { status: { size: 5, selector: 'a=b' } }),
    get(`${boxes}/a/scale`),
    patch('merge', `${boxes}/a/scale`, { spec: { replicas: 6 } }),
    put(`${boxes}/a/scale`, scale('a', 7)),
    put(`${boxes}/a/scale`, scale('a', 20)),
    put(`${boxes}/a/scale`, scale('a', -1)),
    put(`${boxes}/a/scale`, { ...scale('a', 1), kind: 'Other' }),
    get(`${boxes}/nothing/scale`),
    get(`${boxes}/a`),
    remove(`${boxes}/a`),
  ],
  'managed fields': [
    post(`${boxes}?fieldManager=creator`, box('m', { size: 2, color: 'blue' })),
    patch('apply', `${boxes}/m?fieldManager=applier`, box('m', { size: 3 })),
    patch('apply', `${boxes}/m?fieldManager=applier&force=true`, box('m', { size: 3 })),
    patch('apply', `${boxes}/m?fieldManager=other`, box('m', { size: 4, color: 'green' })),
    patch('apply', `${boxes}/m?fieldManager=other`, box('m', { note: 'mine' })),
    patch('merge', `${boxes}/m?fieldManager=creator`, { spec: { note: 'stolen' } }),
    patch('apply', `${boxes}/m?fieldManager=other`, box('m', { note: 'mine' })),
    patch('apply', `${boxes}/m?fieldManager=applier`, box('m', {})),
    patch('apply', `${boxes}/n?fieldManager=applier`, box('n', { size: 1 })),
    get(`${boxes}/m`),
    remove(`${boxes}/m`),
    remove(`${boxes}/n`),
  ],
  'built-in objects': [
    post(`${maps}?fieldManager=creator`, map('a', { x: '1' })),
    post(maps, map('a', { x: '1' })),
    put(`${maps}/a?fieldManager=creator`, map('a', { x: '2', y: '3' })),
    patch('strategic', `${maps}/a?fieldManager=creator`, { data: { y: null }, metadata: { finalizers: ['x.y/z'] } }),
    patch('merge', `${maps}/a?fieldManager=creator`, { metadata: { finalizers: null } }),
    patch('json', `${maps}/a?fieldManager=creator`, [{ op: 'add', path: '/data/z', value: 'w' }]),
    patch('apply', `${maps}/b?fieldManager=one`, map('b', { x: '1' })),
    patch('apply', `${maps}/b?fieldManager=two`, map('b', { x: '2' })),
    patch('apply', `${maps}/b?fieldManager=two`, map('b', { y: '2' })),
    patch('apply', `${maps}/b?fieldManager=one`, map('b', {})),
    get(`${maps}/b`),
    get(`${maps}?labelSelector=a%3Db`),
    remove(`${maps}/a`, { propagationPolicy: 'Foreground' }),
    get(`${maps}/a`),
    remove(`${maps}/b`, { propagationPolicy: 'Orphan' }),
    get(`${maps}/b`),
  ],
  'what metadata says that is not kept': [
    ...fieldsOfNobody.map((managedFields, i) => post(maps, map(`kept-${i}`, { x: '1' }, { managedFields }))),
    ...fieldsOfNobody.map((managedFields, i) =>
      post(`${hosts}/validatingadmissionpolicies`, {
        ...policy(`kept-${i}`, ['CREATE'], always),
        metadata: { name: `kept-${i}`, managedFields },
      }),
    ),
    ...fieldsOfNobody.map((managedFields, i) =>
      post(`${hosts}/validatingwebhookconfigurations`, {
        ...webhooks('Validating', `kept-${i}`, [ofNothing]),
        metadata: { name: `kept-${i}`, managedFields },
      }),
    ),
    ...equalOwners.map((ownerReferences, i) => post(maps, map(`owned-${i}`, { x: '1' }, { ownerReferences }))),
    ...equalOwners
      .slice(0, 3)
      .map((ownerReferences) => put(`${maps}/owned-0`, map('owned-0', { x: '1' }, { ownerReferences }))),
    post(boxes, box('owned', { size: 1 }, { ownerReferences: equalOwners[0] })),
    put(`${boxes}/owned`, box('owned', { size: 2 }, { ownerReferences: equalOwners[1] })),
    patch('merge', `${boxes}/owned`, { metadata: { ownerReferences: equalOwners[0] } }),
    get(`${boxes}/owned`),
    post(`${hosts}/validatingadmissionpolicies`, {
      ...policy('owned', ['CREATE'], always),
      metadata: { name: 'owned', ownerReferences: equalOwners[0] },
    }),
    post(`${hosts}/validatingwebhookconfigurations`, {
      ...webhooks('Validating', 'owned', [ofNothing]),
      metadata: { name: 'owned', ownerReferences: equalOwners[2] },
    }),
    ...['validatingadmissionpolicies', 'validatingwebhookconfigurations'].flatMap((kind) =>
      ['kept-0', 'kept-1', 'kept-2', 'owned'].map((name) => remove(`${hosts}/${kind}/${name}`)),
    ),
  ],
  'what is empty or null': [
    post(maps, { ...map('e0', {}, empties), binaryData: {} }),
    post(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'e1' }, data: null, immutable: null }),
    post(maps, { ...map('e2', { a: '' }), immutable: false }),
    put(`${maps}/e2`, map('e2', {}, { labels: {}, annotations: {} })),
    patch('merge', `${maps}/e2`, { data: {}, metadata: { labels: {}, annotations: { a: null } } }),
    patch('apply', `${maps}/e3?fieldManager=m`, map('e3', {}, { labels: {} })),
    patch('apply', `${maps}/e3?fieldManager=n`, map('e3', { a: 'b' }, { labels: { a: '' }, annotations: {} })),
    patch('json', `${maps}/e2`, [{ op: 'add', path: '/metadata/labels', value: {} }]),
    patch('strategic', `${maps}/e2`, { metadata: { finalizers: [], labels: {} }, data: {} }),
    patch('json', `${maps}/e2`, [{ op: 'add', path: '/metadata/ownerReferences', value: [] }]),
    post(boxes, box('e0', {}, empties)),
    post(boxes, box('e1', { parts: [], note: '' }, { labels: {}, finalizers: [] })),
    post(boxes, { apiVersion: 'example.com/v1', kind: 'Box', metadata: { name: 'e2' }, status: {} }),
    post(boxes, box('e3', { parts: null })),
    put(`${boxes}/e1`, box('e1', { parts: [] }, { ownerReferences: [owner, owner] })),
    patch('merge', `${boxes}/e1`, { spec: { parts: [] }, metadata: { labels: {} } }),
    patch('json', `${boxes}/e1`, [{ op: 'replace', path: '/spec', value: {} }]),
    patch('apply', `${boxes}/e4?fieldManager=m`, box('e4', { parts: [] }, { labels: {}, finalizers: [] })),
    patch('apply', `${boxes}/e4?fieldManager=m`, box('e4', {})),
    ...[undefined, [], [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: [] }]].map((rules, i) =>
      post('/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', {
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: `e${i}` } },
        ...(rules && { rules }),
      }),
    ),
    post('/api/v1/namespaces/default/serviceaccounts', {
      ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'e0' } },
      ...{ secrets: [], imagePullSecrets: [] },
    }),
    post('/api/v1/namespaces/default/limitranges', {
      ...{ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'e0' }, spec: { limits: [] } },
    }),
    post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'e0', labels: {} }, spec: {} }),
  ],
  wrong: [
    post(boxes, '{'),
    post(boxes, '{"a"'),
    post(maps, '{'),
    post(maps, '[]'),
    post(maps, { kind: 'ConfigMap' }),
    post(maps, { ...map('c', {}), kind: 'Secret' }),
    post(`${maps}${strict}`, { ...map('c', {}), date: {} }),
    post(maps, map('C_', {})),
    post(maps, { ...map('c', {}), metadata: {} }),
    { ...post(maps, 'x'), type: 'text/plain' },
    { ...patch('merge', `${maps}/none`, {}), type: 'text/plain' },
    patch('merge', `${maps}/none`, {}),
    patch('json', `${boxes}/none`, []),
    get('/api/v1/nothing'),
    get('/apis/none.example.com/v1'),
    get('/apis/example.com/v9/boxes'),
    get(`${boxes}/none`),
    remove(`${maps}/none`),
    put(`${maps}/none`, map('none', {})),
    put(maps, map('none', {})),
  ],
  'bad input': [
    post(boxes, box('bad', { size: 1 })),
    post(maps, map('bad', { x: '1' })),
    ...[`${boxes}/bad`, `${maps}/bad`].flatMap((path) => [
      ...['[]', '"a"', 'null', '', '{"a"', '1'].map((body) => patch('merge', path, body)),
      ...['{}', 'null', '', '[1]', '[{', '"a"', '[]', '[{"op":"x","path":"/a"}]'].map((body) =>
        patch('json', path, body),
      ),
      patch('merge', `${path}?dryRun=x`, {}),
      patch('apply', `${path}?fieldManager=x`, 'a: [b\n'),
    ]),
    ...['[]', '"a"', '', '{'].map((body) => patch('strategic', `${maps}/bad`, body)),
    ...[`${boxes}/none`, `${maps}/none`].flatMap((path) => [
      ...['{', '[]', '{}', '{"kind":"X"}', '{"apiVersion":"v1","kind":"Y"}', '{"dryRun":["x"]}'].map(
        (body): Step => ({ method: 'DELETE', path, body }),
      ),
      { method: 'DELETE', path: `${path}?dryRun=x` } as const,
    ]),
    post(`${boxes}?dryRun=x`, box('bad', {})),
    post(`${boxes}?dryRun=All&dryRun=x`, box('bad', {})),
    post(`${boxes}?fieldValidation=x`, box('bad', {})),
    put(`${maps}/bad?dryRun=x&fieldValidation=y`, map('bad', {})),
    ...[boxes, maps, crds].flatMap((path) => [
      { ...post(path, 'a: [b\n'), type: 'application/yaml' },
      { ...post(path, 'a:\n\tb: c\n'), type: 'application/yaml' },
      { ...post(path, '{}'), type: 'application/xml' },
      { ...post(path, '{}'), type: 'foo' },
    ]),
    put(boxes, box('bad', {})),
    post(`${boxes}/bad`, box('bad', {})),
    post(`${boxes}/other`, box('made', { size: 1 })),
    post(`${maps}/bad`, map('bad', {})),
    get(`${boxes}/bad/nothing`),
    get(`${maps}/bad/nothing`),
    get(`${crds}/boxes.example.com/nothing`),
    get('/apis/none.example.com'),
    get('/none'),
    post('/apis/example.com/v1/namespaces/default/nothings', {}),
    remove(`${boxes}/bad`),
    remove(`${boxes}/made`),
    remove(`${maps}/bad`),
  ],
  access: ['subjectaccessreviews', 'selfsubjectaccessreviews'].map((resource) =>
    post(`/apis/authorization.k8s.io/v1/${resource}`, {
      apiVersion: 'authorization.k8s.io/v1',
      kind: resource === 'subjectaccessreviews' ? 'SubjectAccessReview' : 'SelfSubjectAccessReview',
      spec: {
        ...(resource === 'subjectaccessreviews' && { user: 'root', groups: ['system:masters'] }),
        resourceAttributes: { verb: 'get', resource: 'pods' },
      },
    }),
  ),
  policies: [
    post(
      `${hosts}/validatingadmissionpolicies`,
      policy('small', ['CREATE', 'UPDATE'], {
        validations: [
          { expression: 'object.spec.size < 5', message: 'too large', reason: 'Forbidden' },
          { expression: 'object.spec.color != "black"', messageExpression: '"not " + object.spec.color' },
        ],
      }),
    ),
    post(`${hosts}/validatingadmissionpolicybindings`, binding('small', ['Deny'])),
    post(
      `${hosts}/validatingadmissionpolicies`,
      policy('kept', ['DELETE'], { validations: [{ expression: 'oldObject.metadata.name != "kept"' }] }),
    ),
    post(`${hosts}/validatingadmissionpolicybindings`, binding('kept', ['Deny'])),
    post(
      `${hosts}/validatingadmissionpolicies`,
      policy('odd', ['*'], { validations: [{ expression: 'object == null || object.spec.size % 2 == 1' }] }),
    ),
    post(`${hosts}/validatingadmissionpolicybindings`, binding('odd', ['Warn'])),
    post(boxes, box('p', { size: 6 })),
    post(boxes, box('p', { size: 3, color: 'black' })),
    post(boxes, box('p', { size: 2 })),
    post(boxes, box('kept', { size: 1 })),
    patch('merge', `${boxes}/p`, { spec: { size: 7 } }),
    patch('apply', `${boxes}/p?fieldManager=x&force=true`, box('p', { size: 8 })),
    put(`${boxes}/p/scale`, scale('p', 6)),
    remove(`${boxes}/kept`),
    remove(`${boxes}/p`),
    ...['small', 'kept', 'odd'].flatMap((name) => [
      remove(`${hosts}/validatingadmissionpolicybindings/${name}`),
      remove(`${hosts}/validatingadmissionpolicies/${name}`),
    ]),
    remove(`${boxes}/kept`),
  ],
  webhooks: [
    post(`${hosts}/mutatingwebhookconfigurations`, webhooks('Mutating', 'm', [['paint', {}]])),
    post(
      `${hosts}/validatingwebhookconfigurations`,
      webhooks('Validating', 'v', [
        ['small', {}],
        ['quiet', { failurePolicy: 'Ignore' }],
      ]),
    ),
    post(boxes, box('w', { size: 1 })),
    post(boxes, box('x', { size: 8 })),
    patch('merge', `${boxes}/w`, { spec: { size: 9 } }),
    post(`${boxes}?dryRun=All`, box('y', { size: 1 })),
    remove(`${hosts}/validatingwebhookconfigurations/v`),
    ...['silent', 'wrong', 'other', 'broken', 'reasons', 'plain'].flatMap((path) => [
      post(`${hosts}/validatingwebhookconfigurations`, webhooks('Validating', path, [[path, {}]])),
      post(boxes, box(path, { size: 1 })),
      remove(`${hosts}/validatingwebhookconfigurations/${path}`),
    ]),
    post(
      `${hosts}/validatingwebhookconfigurations`,
      webhooks('Validating', 'e', [['effects', { sideEffects: 'NoneOnDryRun' }]]),
    ),
    post(`${boxes}?dryRun=All`, box('z', { size: 1 })),
    remove(`${hosts}/validatingwebhookconfigurations/e`),
    post(
      `${hosts}/validatingwebhookconfigurations`,
      webhooks('Validating', 's', [
        ['service', { clientConfig: { service: { name: 'hooks', namespace: 'default', path: '/x' } } }],
      ]),
    ),
    post(boxes, box('s', { size: 1 })),
    remove(`${hosts}/validatingwebhookconfigurations/s`),
    remove(`${hosts}/mutatingwebhookconfigurations/m`),
    remove(`${boxes}/w`),
  ],
  'webhook patches': [
    ...[
      ['missing', {}],
      ['missing', { failurePolicy: 'Ignore' }],
      ['tested', { failurePolicy: 'Ignore' }],
      ['undecodable', {}],
      ['undecodable', { failurePolicy: 'Ignore' }],
      ['foreign', {}],
      ['empty', {}],
      ['nameless', {}],
      ['scalar', {}],
      ['unknown', {}],
      ['invalid', {}],
    ].flatMap(([path, more], i) => [
      post(`${hosts}/mutatingwebhookconfigurations`, webhooks('Mutating', 'm', [[String(path), more as object]])),
      post(boxes, box(`patched${i}`, { size: 1 })),
      remove(`${hosts}/mutatingwebhookconfigurations/m`),
    ]),
    post(boxes, box('gone', { size: 1 })),
    post(`${hosts}/mutatingwebhookconfigurations`, webhooks('Mutating', 'm', [['always', {}]])),
    remove(`${boxes}/gone`),
    remove(`${hosts}/mutatingwebhookconfigurations/m`),
    remove(`${boxes}/gone`),
  ],
  'wrong hosts': [
    post(
      `${hosts}/validatingwebhookconfigurations`,
      webhooks('Validating', 'bad', [['x', { sideEffects: 'Some', timeoutSeconds: 60, failurePolicy: 'No' }]]),
    ),
    post(
      `${hosts}/mutatingwebhookconfigurations`,
      webhooks('Mutating', 'bad', [
        ['x', { reinvocationPolicy: 'Always', admissionReviewVersions: [] }],
        ['y', { matchConditions: [{ name: 'one', expression: 'object.' }] }],
      ]),
    ),
    post(`${hosts}/validatingwebhookconfigurations`, webhooks('Validating', 'good', [['x', {}]])),
    patch('merge', `${hosts}/validatingwebhookconfigurations/good`, { webhooks: [{ name: 'x' }] }),
    remove(`${hosts}/validatingwebhookconfigurations/good`),
    post(`${hosts}/validatingadmissionpolicies`, policy('bad', ['CREATE'], { validations: [{ expression: '1' }] })),
    post(`${hosts}/validatingadmissionpolicies`, policy('bad', [], { failurePolicy: 'Maybe' })),
    post(`${hosts}/validatingadmissionpolicies`, policy('bad', ['CREATE'], { validations: [{ expression: 'a.b' }] })),
    post(`${hosts}/validatingadmissionpolicybindings`, binding('bad', ['Deny', 'Warn'])),
    post(`${hosts}/validatingadmissionpolicybindings`, binding('bad', [])),
    post(`${hosts}/validatingadmissionpolicies`, policy('good', ['CREATE'], { validations: [{ expression: 'true' }] })),
    patch('merge', `${hosts}/validatingadmissionpolicies/good`, {
      spec: { validations: [{ expression: 'false ||' }] },
    }),
    patch('apply', `${hosts}/validatingadmissionpolicies/good?fieldManager=x&force=true`, {
      ...policy('good', ['CREATE'], { validations: [{ expression: '"a"' }] }),
    }),
    remove(`${hosts}/validatingadmissionpolicies/good`),
  ],
};

/** A CRD of two versions whose objects a webhook converts. */
const vessel = (path: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'vessels.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Vessel', plural: 'vessels' },
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { url: `${hook.address}/${path}`, caBundle: hook.authority },
      },
    },
    versions: [
      { name: 'v1', served: true, storage: true, ...vesselSchema({ size: { type: 'integer', default: 1 } }) },
      { name: 'v2', served: true, storage: false, ...vesselSchema({ length: { type: 'integer' } }) },
    ],
  },
});

function vesselSchema(properties: object) {
  const spec = { type: 'object', default: {}, properties: { ...properties, note: { type: 'string' } } };
  return { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } }, subresources: { status: {} } };
}

const vessels = (version: string) => `/apis/example.com/${version}/namespaces/default/vessels`;
const vesselIn = (version: string, name: string, spec: object, metadata: object = {}) => ({
  apiVersion: `example.com/${version}`,
  kind: 'Vessel',
  metadata: { name, ...metadata },
  spec,
});

/** Answers of webhooks that convert nothing rightly. */
const oddConversions: Readonly<Record<string, (objects: Json[], uid: string) => unknown>> = {
  failed: () => ({ result: { status: 'Failure', message: 'it cannot be converted' } }),
  silentfailure: () => ({ result: {} }),
  otheruid: (objects) => ({ uid: 'another', convertedObjects: objects, result: { status: 'Success' } }),
  none: () => ({ convertedObjects: [], result: { status: 'Success' } }),
  two: (objects) => ({ convertedObjects: [...objects, ...objects], result: { status: 'Success' } }),
  sameversion: (objects) => ({
    convertedObjects: objects.map((one) => ({ ...one, apiVersion: 'example.com/v1' })),
    result: { status: 'Success' },
  }),
  otherkind: (objects) => ({
    convertedObjects: objects.map((one) => ({ ...one, kind: 'Boat' })),
    result: { status: 'Success' },
  }),
  renamed: (objects) => ({
    convertedObjects: objects.map((one) => ({ ...one, metadata: { ...(one.metadata as Json), name: 'x' } })),
    result: { status: 'Success' },
  }),
  bare: (objects) => ({
    convertedObjects: objects.map(({ apiVersion, kind }) => ({ apiVersion, kind })),
    result: { status: 'Success' },
  }),
  labelled: (objects) => ({
    convertedObjects: objects.map((one) => ({
      ...one,
      metadata: { ...(one.metadata as Json), labels: { a: 'b' }, finalizers: ['x.example.com/y'], generation: 9 },
      other: 1,
    })),
    result: { status: 'Success' },
  }),
};

type Json = Record<string, unknown>;

const conversions: readonly Step[] = [
  post(crds, vessel('convert')),
  post(vessels('v1'), vesselIn('v1', 'a', { size: 2 })),
  post(vessels('v2'), vesselIn('v2', 'b', { length: 3, note: 'n' }, { labels: { c: 'd' } })),
  get(`${vessels('v2')}/a`),
  get(`${vessels('v1')}/b`),
  get(vessels('v2')),
  patch('merge', `${vessels('v2')}/a`, { spec: { length: 5 } }),
  get(`${vessels('v1')}/a`),
  put(`${vessels('v2')}/b`, vesselIn('v2', 'b', { length: 7 })),
  patch('json', `${vessels('v2')}/b`, [{ op: 'replace', path: '/spec/length', value: 8 }]),
  patch('merge', `${vessels('v2')}/a`, { metadata: { finalizers: ['example.com/wait'] } }),
  remove(`${vessels('v2')}/a`),
  patch('merge', `${vessels('v1')}/a`, { metadata: { finalizers: null } }),
  ...[...Object.keys(oddConversions), 'broken', 'nojson', 'nothing'].flatMap((path) => [
    patch('merge', `${crds}/vessels.example.com`, {
      spec: { conversion: { webhook: { clientConfig: { url: `${hook.address}/${path}` } } } },
    }),
    get(`${vessels('v2')}/b`),
    post(vessels('v2'), vesselIn('v2', `of-${path}`, { length: 3 })),
  ]),
  remove(`${crds}/vessels.example.com`),
];

/** A CRD that several apply, each what is theirs, and whose status is written. */
const jar = (spec: object, metadata: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'jars.example.com', ...metadata },
  spec,
});
const jarVersion = (properties: object = {}) => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
});
const jarNames = { kind: 'Jar', plural: 'jars' };
const wholeJar = { group: 'example.com', scope: 'Namespaced', names: jarNames, versions: [jarVersion()] };
const jarsPath = `${crds}/jars.example.com`;
const times = { lastTransitionTime: '2020-01-01T00:00:00Z' };

const definitions: readonly Step[] = [
  patch('apply', `${jarsPath}?fieldManager=one`, jar({ group: 'example.com', scope: 'Namespaced' })),
  patch('apply', `${jarsPath}?fieldManager=one`, jar(wholeJar)),
  patch('apply', `${jarsPath}?fieldManager=one`, jar(wholeJar)),
  patch('apply', `${jarsPath}?fieldManager=two`, jar({ names: { shortNames: ['j'] } })),
  patch('apply', `${jarsPath}?fieldManager=two`, jar({ names: { plural: 'jars', shortNames: ['j'] } })),
  patch(
    'apply',
    `${jarsPath}?fieldManager=two`,
    jar({ versions: [jarVersion({ size: { type: 'integer' } })], scope: 'Namespaced' }),
  ),
  patch(
    'apply',
    `${jarsPath}?fieldManager=two&force=true`,
    jar({ versions: [jarVersion({ size: { type: 'integer' } })], names: { shortNames: ['j', 'jr'] } }),
  ),
  patch('apply', `${jarsPath}?fieldManager=one`, jar(wholeJar)),
  patch('apply', `${jarsPath}?fieldManager=one`, jar({ ...wholeJar, versions: undefined }, { labels: { a: 'b' } })),
  patch('apply', `${jarsPath}?fieldManager=two`, jar({})),
  patch('apply', `${jarsPath}?fieldManager=one&dryRun=All`, jar({ ...wholeJar, unknown: 1 })),
  patch('apply', `${jarsPath}?fieldManager=one&fieldValidation=Strict`, jar({ ...wholeJar, unknown: 1 })),
  patch('apply', `${jarsPath}?fieldManager=one`, jar({ ...wholeJar, names: { ...jarNames, shortNames: 'j' } })),
  patch('apply', `${jarsPath}?fieldManager=one`, jar({ ...wholeJar, scope: 'Somewhere' })),
  patch('merge', `${jarsPath}?fieldManager=three`, { spec: { names: { categories: ['all'] } } }),
  patch('apply', `${jarsPath}?fieldManager=two&force=true`, jar({ names: { categories: ['all', 'some'] } })),
  get(jarsPath),
  post(`${boxes}?fieldManager=creator`, box('c', { size: 2 }, { labels: { a: 'b' } })),
  patch('apply', `${boxes}/c?fieldManager=other`, box('c', { size: 20 })),
  patch('apply', `${boxes}/c?fieldManager=other&force=true`, box('c', { size: 20 })),
  patch('apply', `${boxes}/c?fieldManager=other`, box('c', { note: 'n' }, { labels: { c: 'd' } })),
  patch('apply', `${boxes}/c?fieldManager=other`, box('c', {})),
  remove(`${boxes}/c`),
  post(`${maps}?fieldManager=creator`, map('c', { x: '1' })),
  patch('apply', `${maps}/c?fieldManager=other`, map('c', { x: '2', 'a b': 'c' })),
  patch('apply', `${maps}/c?fieldManager=other`, map('c', { y: '2' }, { labels: { c: 'd' } })),
  patch('apply', `${maps}/c?fieldManager=other`, map('c', {})),
  remove(`${maps}/c`),
  patch('merge', `${jarsPath}/status?fieldManager=three`, {
    status: { conditions: [{ type: 'Mine', status: 'True', reason: 'R', message: 'm', ...times }] },
  }),
  get(jarsPath),
  patch('apply', `${jarsPath}/status?fieldManager=four`, {
    ...jar({}),
    spec: undefined,
    status: { conditions: [{ type: 'Ours', status: 'False', reason: 'R', message: 'm', ...times }] },
  }),
  patch('merge', `${jarsPath}/status?fieldManager=three`, { status: { storedVersions: [] } }),
  patch('merge', `${jarsPath}/status?fieldManager=three`, { status: { storedVersions: ['v1', 'v0'] } }),
  patch('json', `${jarsPath}/status?fieldManager=three`, [{ op: 'add', path: '/metadata/labels/c', value: 'd' }]),
  patch('merge', `${jarsPath}/status?fieldManager=three`, { spec: { names: { shortNames: ['x'] } } }),
  get(`${jarsPath}/status`),
  remove(jarsPath),
];

/** Each part is asked of a server on which the parts before it were. */
export const parts: Readonly<Record<string, readonly Step[]>> = { ...wholeParts, conversions, definitions };

function converting(respond: (objects: Json[], uid: string) => unknown) {
  return async (request: AsyncIterable<Buffer>, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { request: asked } = JSON.parse(Buffer.concat(chunks).toString());
    const objects = asked.objects.map((one: Json) => inVesselVersion(one, asked.desiredAPIVersion));
    const said = { uid: asked.uid, ...(respond(objects, asked.uid) as Json) };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response: said }));
  };
}

/** `size` is `length` in the other version. */
function inVesselVersion(one: Json, apiVersion: string): Json {
  const { size, length, ...spec } = (one.spec ?? {}) as Json;
  const measure = size ?? length;
  const name = apiVersion.endsWith('v2') ? 'length' : 'size';
  return { ...one, apiVersion, spec: { ...spec, ...(measure !== undefined && { [name]: measure }) } };
}

/** What is known to be answered otherwise, and why: by the steps' numbers in their part. */
export const otherwise: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  'custom resources': {
    14: 'the words about a kind that is not Scale name a line of Go',
  },
  wrong: {
    3: 'the words about a list name a Go struct',
    5: 'the words about another kind name internal Go types',
  },
  conversions: {
    ...Object.fromEntries([6, 7, 10, 11, 12].map((step) => [step, 'managers of other versions keep what they had'])),
    47: 'what is not JSON is not read as YAML',
    48: 'what is not JSON is not read as YAML',
  },
  webhooks: { 14: 'the words about an answer of another kind name a line of Go' },
};

interface Review {
  readonly request: { uid: string; object?: { spec?: { size?: number } } };
}

/** Patches that do not do what a patch should. */
const oddPatches: Readonly<Record<string, unknown>> = {
  missing: [{ op: 'replace', path: '/spec/nothing', value: 1 }],
  tested: [{ op: 'test', path: '/spec/size', value: 7 }],
  undecodable: '{"op": 1}',
  foreign: [{ op: 'add', path: '/spec/color', value: 'blue' }],
  empty: [],
  nameless: [{ op: 'remove', path: '/metadata/name' }],
  scalar: [{ op: 'replace', path: '/spec', value: 'none' }],
  unknown: [{ op: 'add', path: '/spec/unknown', value: 1 }],
  invalid: [{ op: 'replace', path: '/spec/size', value: 100 }],
  always: [{ op: 'add', path: '/spec/color', value: 'blue' }],
};

/** What the webhooks of the steps say. */
export async function startWebhooks() {
  const reviewing = (respond: (review: Review) => object | string) => {
    return (request: AsyncIterable<Buffer>, response: ServerResponse) => void answer(request, response, respond);
  };
  const allow = { allowed: true };
  const patchText = JSON.stringify([{ op: 'add', path: '/spec/color', value: 'painted' }]);
  const patchReplies = Object.fromEntries(
    Object.entries(oddPatches).map(([name, patch]) => [
      name,
      reviewing(({ request }) => {
        const text = typeof patch === 'string' ? patch : JSON.stringify(patch);
        const patchType = name === 'foreign' ? 'MergePatch' : 'JSONPatch';
        const isAsked = name === 'always' || request.object?.spec !== undefined;
        return isAsked ? { ...allow, patchType, patch: Buffer.from(text).toString('base64') } : allow;
      }),
    ]),
  );
  const paint = { ...allow, patchType: 'JSONPatch', patch: Buffer.from(patchText).toString('base64') };
  const replies = {
    paint: reviewing(({ request }) => (request.object?.spec ? paint : allow)),
    small: reviewing(({ request }) => {
      const isLarge = (request.object?.spec?.size ?? 0) > 5;
      return { allowed: !isLarge, warnings: ['it was looked at'], status: { message: 'too large', code: 418 } };
    }),
    ...patchReplies,
    convert: converting((objects) => ({ convertedObjects: objects, result: { status: 'Success' } })),
    ...Object.fromEntries(Object.entries(oddConversions).map(([name, respond]) => [name, converting(respond)])),
    nojson: (_: unknown, response: ServerResponse) => void response.end('no JSON'),
    wrong: reviewing(() => ({ uid: 'another', allowed: true })),
    other: reviewing(() => '{"kind":"Other"}'),
    broken: (_: unknown, response: ServerResponse) => void response.writeHead(500).end('it broke'),
    reasons: reviewing(() => ({ allowed: false, status: { reason: 'Conflict' } })),
    plain: reviewing(() => ({ allowed: false })),
    effects: reviewing(() => allow),
    silent: () => {},
    quiet: () => {},
  };
  const paths = Object.entries(replies).flatMap(([name, reply]) =>
    ['1s', '30s'].map((timeout) => [`/${name}?timeout=${timeout}`, reply] as const),
  );
  return await httpsServer(Object.fromEntries(paths));
}

async function answer(
  request: AsyncIterable<Buffer>,
  response: ServerResponse,
  respond: (review: Review) => object | string,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const review: Review = JSON.parse(Buffer.concat(chunks).toString());
  const said = respond(review);
  const whole = (said: object) => ({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: review.request.uid, ...said },
  });
  response.setHeader('content-type', 'application/json');
  response.end(typeof said === 'string' ? said : JSON.stringify(whole(said)));
}

export interface Exchange {
  readonly asked: string;
  readonly code: number;
  readonly warnings: readonly string[];
  readonly body: unknown;
}

/** Plays a part, with the webhooks at an address. */
export async function played(
  steps: readonly Step[],
  send: Send,
  at: { address: string; authority: string },
): Promise<Exchange[]> {
  const found: Exchange[] = [];
  for (const step of steps) {
    const body = step.body?.replaceAll(hook.address, at.address).replaceAll(`"${hook.authority}"`, `"${at.authority}"`);
    const reply = await send({ ...step, ...(body !== undefined && { body }) });
    const said = reply.body.replaceAll(at.address, hook.address).replaceAll(at.authority, hook.authority);
    const asked = `${step.method} ${step.path} ${step.body ?? ''}`.trim();
    found.push({ asked, code: reply.code, warnings: reply.warnings, body: normal(said) });
  }
  return found;
}

const idOf = (manager: Readonly<Record<string, string>>) =>
  [manager.operation, manager.manager, manager.apiVersion, manager.subresource].join(' ');

/** Without what is another one each time. */
function normal(body: string): unknown {
  const names: Readonly<Record<string, string>> = { uid: 'UID', resourceVersion: 'VERSION' };
  const times = /(?:Timestamp|time|Time)$/;
  const own = (key: string, value: unknown) => {
    // Managers are in the order of their seconds, which are others each time.
    if (key === 'managedFields' && Array.isArray(value)) return value.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
    // Go walks through those who are in conflict in any order.
    if (key === 'causes' && Array.isArray(value)) return value.toSorted((a, b) => (a.field < b.field ? -1 : 1));
    if (typeof value !== 'string') return value;
    // The program that answers names itself so.
    if (key === 'manager' && value === 'apiserver') return 'kube-apiserver';
    return names[key] ?? (times.test(key) ? 'TIME' : value.replace(/uid="[^"]*"/g, 'uid="UID"'));
  };
  try {
    return JSON.parse(body, own);
  } catch (error) {
    if (error instanceof SyntaxError) return body.trim();
    throw error;
  }
}
