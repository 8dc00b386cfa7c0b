import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ApiServer } from '../../server/src/serve/apiServer.ts';
import { administrator } from '../../server/src/serve/users.ts';
import { servingFor, startFakeServer } from '../support/fakeServer.ts';
import { parts } from './exchanges.ts';

const server = await startFakeServer();
after(() => server.stop());
const boxes = '/apis/example.com/v1/namespaces/default/boxes';
await server.exchange(parts['custom resources']![0]!);

const message =
  'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';
const metadata = 'as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

// As a kube-apiserver 1.36.3 answers.
for (const [accept, code] of [
  ['application/vnd.kubernetes.protobuf', 406],
  ['application/vnd.kubernetes.protobuf,application/json', 200],
  [`application/vnd.kubernetes.protobuf;${metadata}`, 200],
  ['application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io', 406],
  ['application/json;as=Other;v=v1;g=meta.k8s.io', 406],
  ['application/json;as=Table;v=v1;g=meta.k8s.io', 200],
  ['application/xml', 406],
  ['*/*', 200],
] as const) {
  test(`custom resources for who accepts ${accept}: ${code}`, async () => {
    const reply = await server.exchange({ method: 'GET', path: boxes, headers: { accept } });
    assert.equal(reply.code, code);
    if (code === 406) assert.equal(JSON.parse(reply.body).message, message);
  });
}

test('who cannot be answered writes nothing', async () => {
  const body = JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Box', metadata: { name: 'a' } });
  const accept = 'application/vnd.kubernetes.protobuf';
  assert.equal((await server.exchange({ method: 'POST', path: boxes, body, headers: { accept } })).code, 406);
  assert.equal((await server.exchange({ method: 'GET', path: `${boxes}/a` })).code, 404);
});

test('a bookmark says how far things are, where it is asked for', () => {
  const api = new ApiServer(servingFor());
  const watch = (query: string) =>
    api.watch({
      ...{ method: 'GET', path: '/api/v1/configmaps', query: new URLSearchParams(query), body: '', type: '' },
      ...{ accept: '', user: administrator, agent: 'tests' },
    });
  const asking = watch('watch=true&allowWatchBookmarks=true');
  assert.ok(asking && 'listen' in asking && asking.bookmark);
  // Four namespaces are there from the start.
  assert.deepEqual(asking.bookmark(), {
    type: 'BOOKMARK',
    object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '5' } },
  });
  const other = watch('watch=true');
  assert.ok(other && 'listen' in other && other.bookmark === undefined);
});
