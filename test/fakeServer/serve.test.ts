import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { after, test } from 'node:test';
import { crdText } from '../support/crdTexts.ts';
import { startFakeServer } from '../support/fakeServer.ts';

// What `kube-crd serve` does beside CRDs, and what it makes of requests that mean nothing.

const server = await startFakeServer();
after(() => server.stop());
const parsed = (body: string) => JSON.parse(body);

test('built-in kinds are there, in namespaces that have to be there', async () => {
  const groups = parsed((await server.send('GET', '/apis')).body).groups.map(({ name }: { name: string }) => name);
  assert.ok(groups.includes('apps') && groups.includes('apiextensions.k8s.io') && !groups.includes(''));
  const core = parsed((await server.send('GET', '/api/v1')).body).resources;
  assert.ok(core.some(({ name }: { name: string }) => name === 'configmaps'));
  const map = (namespace: string, data: object) =>
    server.send(
      'POST',
      `/api/v1/namespaces/${namespace}/configmaps`,
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data }),
    );
  assert.equal((await map('default', { a: 'b' })).code, 201);
  assert.equal(parsed((await map('nowhere', { a: 'b' })).body).message, 'namespaces "nowhere" not found');
  assert.match(parsed((await map('default', { a: 1 })).body).message, /cannot be handled as a ConfigMap: json: cannot/);
});

test('generated names are others each time, also after a restart, and no longer than names may be', async () => {
  const base = 'a'.repeat(70);
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: base } });
  const make = async () => parsed((await server.send('POST', '/api/v1/namespaces/default/configmaps', body)).body);
  const names = [(await make()).metadata.name, (await make()).metadata.name];
  assert.notEqual(names[0], names[1]);
  for (const name of names) assert.match(name, /^a{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

test('a namespace goes with what is in it', async () => {
  const namespace = '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"}}';
  const made = parsed((await server.send('POST', '/api/v1/namespaces', namespace)).body);
  assert.deepEqual(made.metadata.labels, { 'kubernetes.io/metadata.name': 'shop' });
  const secret = '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"a":"b"}}';
  assert.equal((await server.send('POST', '/api/v1/namespaces/shop/secrets', secret)).code, 201);
  assert.equal((await server.send('DELETE', '/api/v1/namespaces/shop')).code, 200);
  assert.equal((await server.send('GET', '/api/v1/namespaces/shop/secrets/s')).code, 404);
});

test('who writes a built-in object leaves its status, and the other way round', async () => {
  const deployment = (replicas: number, status: object) =>
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', resourceVersion: version },
      spec: {
        replicas,
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
      status,
    });
  let version: string | undefined;
  const all = '/apis/apps/v1/namespaces/default/deployments';
  const put = async (at: string, body: string) => {
    const { code, body: text } = await server.send('PUT', at, body);
    assert.equal(code, 200, text);
    version = parsed(text).metadata.resourceVersion;
    return parsed(text);
  };
  const first = parsed((await server.send('POST', all, deployment(1, {}))).body);
  version = first.metadata.resourceVersion;
  const status = await put(`${all}/web/status`, deployment(9, { replicas: 4 }));
  assert.deepEqual([status.spec.replicas, status.status.replicas], [1, 4]);
  const spec = await put(`${all}/web`, deployment(2, { replicas: 7 }));
  assert.deepEqual([spec.spec.replicas, spec.status.replicas], [2, 4]);
});

test('a body that is too large or in another form, and a page in a browser, are refused', async () => {
  const large = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"l"},"data":{"a":"${'x'.repeat(3 * 1024 * 1024)}"}}`;
  const maps = '/api/v1/namespaces/default/configmaps';
  assert.deepEqual(parsed((await server.send('POST', maps, large)).body).reason, 'RequestEntityTooLarge');
  const proto = await server.send('POST', maps, 'k8s\0', 'application/vnd.kubernetes.protobuf');
  assert.equal(parsed(proto.body).reason, 'UnsupportedMediaType');
  const foreign = (headers: Record<string, string>) =>
    new Promise<number>((resolve) => {
      http.get(`${server.address}/api`, { headers }, (reply) => resolve(reply.resume().statusCode ?? 0));
    });
  assert.deepEqual(
    [await foreign({}), await foreign({ origin: 'http://evil.example' }), await foreign({ host: 'evil.example' })],
    [200, 403, 403],
  );
});

test('requests that mean nothing get an answer each, and the server goes on', async () => {
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const made = await server.send('POST', crds, crdText('Box', 'size: {type: integer}'), 'application/yaml');
  const { group, names, versions } = parsed(made.body).spec;
  const boxes = `/apis/${group}/${versions[0].name}/namespaces/default/${names.plural}`;
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const bodies = [
    '',
    '{',
    'null',
    '[]',
    '1',
    '"x"',
    '{"metadata":1}',
    '{"metadata":{"name":{}}}',
    deep,
    '\0',
    '{"a":1,"a":2}',
  ];
  const paths = [
    boxes,
    `${boxes}/a`,
    `${boxes}/a/status`,
    `${boxes}/%`,
    `${boxes}/%2e%2e/x`,
    crds,
    '/apis//v1',
    '/api/v1/namespaces//x',
    '/__proto__',
    `${boxes}?limit=x&continue=y&fieldSelector=%3D%3D%3D&labelSelector=((((`,
  ];
  const types = [
    'application/json',
    'application/merge-patch+json',
    'application/json-patch+json',
    'application/apply-patch+yaml',
    'application/strategic-merge-patch+json',
    'application/yaml',
  ];
  let asked = 0;
  for (const at of paths)
    for (const body of bodies)
      for (const [i, type] of types.entries()) {
        const method = ['POST', 'PATCH', 'PUT', 'DELETE'][(i + asked) % 4]!;
        const reply = await server.send(method, at, method === 'DELETE' ? undefined : body, type);
        assert.ok(reply.code >= 200 && reply.code < 600, `${method} ${at}`);
        asked++;
      }
  assert.equal((await server.send('GET', '/readyz')).body, 'ok');
  assert.ok(asked > 500);
});

function codeOf(url: string, options: https.RequestOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    https.get(url, options, (reply) => resolve(reply.resume().statusCode ?? 0)).on('error', reject);
  });
}

const program = 'dist/server/main.cjs';
const noProgram = existsSync(program) ? false : 'there is no built program';

test('the command prints where it is, and ends when its input does', { skip: noProgram }, async () => {
  const child = spawn(process.execPath, [program, 'serve', '--until-eof', '--crds', 'examples/crds/databases.yaml']);
  const [line] = await once(child.stdout, 'data');
  const { address, kubeconfig, kubernetes, token, certificateAuthority: ca } = JSON.parse(String(line));
  assert.equal(kubernetes, '1.37');
  const { clusters, users } = JSON.parse(readFileSync(kubeconfig, 'utf8'));
  assert.equal(clusters[0].cluster.server, address);
  assert.equal(Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString(), ca);
  assert.equal(users[0].user.token, token);
  assert.equal(statSync(kubeconfig).mode & 0o777, 0o600);
  const found = (headers: Record<string, string>) =>
    codeOf(`${address}/apis/storage.example.com/v1`, { ca, headers, agent: false });
  assert.deepEqual(
    [await found({ authorization: `Bearer ${token}` }), await found({ authorization: 'Bearer x' }), await found({})],
    [200, 401, 401],
  );
  child.stdin.end();
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
  assert.equal(existsSync(kubeconfig), false);
});

const noGo = spawnSync('go', ['version']).status === 0 ? noProgram : 'there is no Go';
if (noGo) console.error(`\nSKIPPED: ${noGo}: the helper for Go is not tried\n`);

test('the helper for Go starts it', { skip: noGo }, () => {
  const cwd = 'go/envtest-kube-crd';
  const env = { ...process.env, KUBE_CRD: `${process.execPath} ${path.resolve(program)}` };
  const { status, stdout, stderr } = spawnSync('go', ['test', '-count=1', './...'], { cwd, env, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});
