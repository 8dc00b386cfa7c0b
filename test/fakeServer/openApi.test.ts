import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { type ApiRequest, startServer } from '../support/apiServer.ts';
import { startFakeServer } from '../support/fakeServer.ts';

// What an API server publishes of a CRD is recorded with `RECORD_FROM` set to its program; ours has to publish the same.
// `npm run compare:openapi` asks both of many more.

const file = 'test/fakeServer/openApi.json';

const schema = {
  type: 'object',
  description: 'An apple.',
  properties: {
    spec: {
      type: 'object',
      required: ['rows', 'nothing'],
      properties: {
        anything: { 'x-kubernetes-int-or-string': true },
        chosen: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], maximum: 9 },
        percent: { 'x-kubernetes-int-or-string': true, anyOf: [{ maximum: 3 }, { pattern: '^a' }] },
        nothing: { type: 'string', nullable: true, default: '' },
        default: { type: 'string', default: 'red', enum: ['red', ''] },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
        inner: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        closed: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          required: ['kind'],
          properties: { spec: { type: 'object' } },
        },
        one: { type: 'string', oneOf: [{ pattern: 'a' }, { not: { maxLength: 2 } }], uniqueItems: false },
        rows: {
          type: 'array',
          default: [],
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 0 } } },
        },
        labels: { type: 'object', additionalProperties: { type: 'string', nullable: true }, required: ['a'] },
        open: { type: 'object', additionalProperties: true, 'x-kubernetes-map-type': 'atomic' },
      },
      'x-kubernetes-validations': [{ rule: 'true', message: 'no', reason: 'FieldValueForbidden' }],
    },
    status: { type: 'object', properties: { n: { type: 'integer', exclusiveMinimum: true, minimum: 0 } } },
  },
};

const crd = (scope: string, kind: string, plural: string, version: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.recorded.example.com` },
  spec: {
    group: 'recorded.example.com',
    scope,
    names: { kind, plural, shortNames: [plural[0]], categories: ['all'] },
    versions: [{ name: 'v1', served: true, storage: true, ...version }],
  },
});

const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };
const made = [
  crd('Namespaced', 'Apple', 'apples', {
    schema: { openAPIV3Schema: schema },
    subresources: { status: {}, scale },
    selectableFields: [{ jsonPath: '.spec.default' }],
  }),
  crd('Cluster', 'Glasses', 'glasses', {
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  }),
];

type Send = (request: ApiRequest) => Promise<{ code: number; body: string }>;
type Json = Record<string, Record<string, unknown>>;

const own = (map: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(map).filter(([name]) => name.includes('recorded')));

/** What is published of both, once the last one is. */
async function published(send: Send): Promise<unknown> {
  for (const body of made) {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const reply = await send({ method: 'POST', path, body: JSON.stringify(body) });
    assert.equal(reply.code, 201, reply.body);
  }
  const get = async (path: string, headers = {}): Promise<Json> => {
    const { body } = await send({ method: 'GET', path, headers });
    return JSON.parse(body);
  };
  for (let tries = 0; tries < 100; tries++) {
    const { body } = await send({ method: 'GET', path: '/openapi/v2' });
    if (body.includes('GlassesList') && body.includes('AppleList')) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const old = await get('/openapi/v2');
  const accept = 'application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList';
  const groups = (await get('/apis', { accept })) as unknown as { items: { metadata: { name: string } }[] };
  const refused = await send({ method: 'GET', path: '/openapi/v2', headers: { accept: 'text/html' } });
  return {
    v3: await get('/openapi/v3/apis/recorded.example.com/v1'),
    v2: { paths: own(old.paths!), definitions: own(old.definitions!) },
    discovery: groups.items.find(({ metadata }) => metadata.name === 'recorded.example.com'),
    resources: withoutHashes(await get('/apis/recorded.example.com/v1')),
    refused: refused.code,
  };
}

/** Nobody reads how its version is stored. */
function withoutHashes(list: Json): unknown {
  return JSON.parse(JSON.stringify(list, (name, value) => (name === 'storageVersionHash' ? undefined : value)));
}

if (process.env.RECORD_FROM) {
  const server = await startServer(process.env.RECORD_FROM);
  const text = JSON.stringify({ version: server.version, published: await published(server.send) });
  writeFileSync(file, `${text}\n`);
  await server.stop();
}

test('an API server publishes the same of a CRD', async () => {
  const server = await startFakeServer(newestVersion);
  after(() => server.stop());
  const recorded = JSON.parse(readFileSync(file, 'utf8'));
  const ours = await published(server.exchange);
  for (const [name, wanted] of Object.entries(recorded.published))
    assert.deepEqual((ours as Record<string, unknown>)[name], wanted, name);
});
