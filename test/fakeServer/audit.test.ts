import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiServer } from '../../server/src/serve/apiServer.ts';
import { listen } from '../../server/src/serve/http.ts';
import type { JsonMap } from '../../server/src/serve/json.ts';
import { send } from '../support/apiServer.ts';
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
    const made = JSON.parse((await ask('POST', maps, map)).body).metadata.name;
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
        ['create', { ...wanted, name: made }, 201],
        ['get', { ...wanted, name: 'none' }, 404],
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
      user: { username: 'jane', groups: ['devs', 'system:authenticated'], extra: { team: ['one'] } },
      sourceIPs: ['127.0.0.1'],
      userAgent: 'tests/1.0',
      objectRef: { ...wanted, name: 'none' },
      responseStatus: {
        ...{ metadata: {}, status: 'Failure', message: 'configmaps "none" not found', reason: 'NotFound', code: 404 },
      },
    });
  } finally {
    await server.stop();
  }
});
