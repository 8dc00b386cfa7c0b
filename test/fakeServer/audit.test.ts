import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kubernetesVersion } from '../../server/src/kubernetes/releases/all.ts';
import { ApiServer } from '../../server/src/serve/apiServer.ts';
import { listen } from '../../server/src/serve/http.ts';
import type { JsonMap } from '../../server/src/serve/json.ts';
import { type ApiRequest, send } from '../support/apiServer.ts';
import { servingFor } from '../support/fakeServer.ts';

test('each request is an event, with who asked for what, and what was answered', async () => {
  const events: JsonMap[] = [];
  const api = new ApiServer(servingFor());
  const server = await listen(api, { port: 0, audit: (event) => events.push(event) }, (error) => {
    throw error;
  });
  const maps = '/api/v1/namespaces/default/configmaps';
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' } };
  const ask = async (method: string, path: string, body?: object, headers = {}) =>
    await send(server.address + path, {
      method,
      headers: { 'content-type': 'application/json', 'user-agent': 'tests/1.0', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  try {
    await ask('POST', maps, map);
    await ask('GET', `${maps}/none?pretty=true`, undefined, {
      'impersonate-user': 'jane',
      'impersonate-group': 'devs',
      'impersonate-extra-team': 'one',
    });
    await ask('GET', `${maps}?watch=true&resourceVersion=9&timeoutSeconds=1`);
    await ask('DELETE', maps);
    await ask('GET', '/version');
    const wanted = { resource: 'configmaps', namespace: 'default', apiVersion: 'v1' };
    assert.deepEqual(
      events.map(({ verb, objectRef, responseStatus }) => [verb, objectRef, (responseStatus as JsonMap).code]),
      [
        ['create', wanted, 201],
        ['get', { ...wanted, name: 'none' }, 404],
        ['watch', wanted, 200],
        ['watch', wanted, 200],
        ['deletecollection', wanted, 200],
        ['get', undefined, 200],
      ],
    );
    const { auditID, requestReceivedTimestamp, stageTimestamp, ...event } = events[1]!;
    assert.match(`${auditID} ${requestReceivedTimestamp} ${stageTimestamp}`, /^[-0-9a-f]{36} (\S+T\S+\.\d{6}Z ?){2}$/);
    assert.deepEqual(event, {
      ...{ kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'Metadata', stage: 'ResponseComplete', verb: 'get' },
      requestURI: `${maps}/none?pretty=true`,
      user: { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
      impersonatedUser: { username: 'jane', groups: ['devs', 'system:authenticated'], extra: { team: ['one'] } },
      sourceIPs: ['127.0.0.1'],
      userAgent: 'tests/1.0',
      objectRef: { ...wanted, name: 'none' },
      responseStatus: {
        ...{ metadata: {}, status: 'Failure', message: 'configmaps "none" not found', reason: 'NotFound', code: 404 },
        details: { name: 'none', kind: 'configmaps' },
      },
      annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
    });
  } finally {
    await server.stop();
  }
});

// What a whole kube-apiserver writes down, with a policy of one rule at level Metadata and without the stage RequestReceived.

interface Recorded {
  readonly request: ApiRequest;
  readonly events: readonly JsonMap[];
}

/** Without what is another one each time; who bears the token has another name here. */
function normal(event: JsonMap): string {
  const own = { user: 'USER', auditID: 'ID', requestReceivedTimestamp: 'TIME', stageTimestamp: 'TIME' };
  return JSON.stringify({ ...event, ...own }).replace(/"uid":"[^"]{36}"/, '"uid":"UID"');
}

test('events are those of a whole API server, with their fields in its order', async () => {
  const { requests }: { requests: readonly Recorded[] } = JSON.parse(
    readFileSync('test/fakeServer/audit.json', 'utf8'),
  );
  const events: JsonMap[] = [];
  const api = new ApiServer(servingFor(kubernetesVersion('1.36')));
  const server = await listen(api, { port: 0, audit: (event) => events.push(event) }, (error) => {
    throw error;
  });
  try {
    for (const { request, events: wanted } of requests) {
      const { path, type = 'application/json', headers, ...rest } = request;
      events.length = 0;
      await send(server.address + path, {
        ...rest,
        headers: { 'user-agent': 'tests/1.0', accept: 'application/json', 'content-type': type, ...headers },
      });
      assert.deepEqual(
        events.map(normal),
        wanted.map((one) => JSON.stringify(one)),
        path,
      );
    }
  } finally {
    await server.stop();
  }
});
