import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { startFakeServer } from '../support/fakeServer.ts';
import { caFile, httpsServer } from '../support/httpsServer.ts';

// Webhooks that do not behave, and what comes between a request and its object.

const server = await startFakeServer();
after(() => server.stop());
const maps = '/api/v1/namespaces/default/configmaps';
const hosts = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

let release: (() => void) | undefined;
const reviews: { request: { userInfo: object; object: { data: object } } }[] = [];

async function allowed(request: AsyncIterable<Buffer>, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const review = JSON.parse(Buffer.concat(chunks).toString());
  reviews.push(review);
  if (review.request.object.data?.waits) await new Promise<void>((resolve) => (release = resolve));
  const { uid } = review.request;
  response.end(
    JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: true } }),
  );
}

/** Answers with a text, made of what a webhook has to repeat. */
function answers(made: (uid: string) => string) {
  return async (request: AsyncIterable<Buffer>, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end(made(JSON.parse(Buffer.concat(chunks).toString()).request.uid));
  };
}

const review = (response: object) =>
  JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
const patching = (patch: string) =>
  answers((uid) =>
    review({ uid, allowed: true, patchType: 'JSONPatch', patch: Buffer.from(patch).toString('base64') }),
  );
const deep = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;

const hooks = await httpsServer({
  '/deep?timeout=5s': answers(() => `{"response":{"x":${deep}}}`),
  '/deep-patch?timeout=5s': patching(`[{"op":"add","path":"/data","value":${deep}}]`),
  '/bomb?timeout=5s': patching(
    JSON.stringify(Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '/data', path: `/data/k${i}` }))),
  ),
  '/code?timeout=5s': answers((uid) => review({ uid, allowed: false, status: { code: 'abc' } })),
  '/controls?timeout=5s': answers((uid) => review({ uid, allowed: true, warnings: ['a\u007fb', 'c\nd', 'plain'] })),
  '/endless?timeout=5s': (_, response) => {
    const more = () => {
      while (response.write('x'.repeat(100_000)));
    };
    response.on('drain', more);
    more();
  },
  '/elsewhere?timeout=5s': (_, response) => void response.writeHead(302, { location: 'https://example.com' }).end(),
  '/allows?timeout=5s': (request, response) => void allowed(request, response),
});
after(() => hooks.close());

interface Other {
  readonly authority?: Buffer;
  readonly url?: string;
  readonly failurePolicy?: string;
  readonly kind?: string;
}

async function withWebhook(path: string, work: () => Promise<void>, other: Other = {}): Promise<void> {
  const { authority = readFileSync(caFile), url, failurePolicy = 'Fail', kind = 'Validating' } = other;
  const at = kind === 'Mutating' ? hosts.replace('validating', 'mutating') : hosts;
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: 'hooks' },
    webhooks: [
      {
        name: `${path}.example.com`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        timeoutSeconds: 5,
        failurePolicy,
        clientConfig: { url: url ?? `${hooks.address}/${path}`, caBundle: authority.toString('base64') },
        rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      },
    ],
  };
  const made = await server.send('POST', at, JSON.stringify(configuration));
  assert.equal(made.code, 201, made.body);
  try {
    await work();
  } finally {
    await server.send('DELETE', `${at}/hooks`);
  }
}

const map = (name: string, data: object, version?: string) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, resourceVersion: version }, data });

async function refusal(body: string): Promise<string> {
  const reply = await server.send('POST', maps, body);
  assert.equal(reply.code, 500);
  return JSON.parse(reply.body).message;
}

test('an answer without end is read up to a bound, and one that sends elsewhere is not followed', async () => {
  const since = Date.now();
  await withWebhook('endless', async () => assert.match(await refusal(map('a', {})), /longer than 3145728 bytes/));
  assert.ok(Date.now() - since < 4_000);
  await withWebhook('elsewhere', async () => assert.match(await refusal(map('a', {})), /has prevented the request/));
});

test('a webhook whose certificate nobody vouches for is not believed', async () => {
  const other = readFileSync('test/fetch/certificates/ca.pem', 'utf8').slice(0, 60);
  await withWebhook('allows', async () => assert.match(await refusal(map('a', {})), /failed calling webhook/), {
    authority: Buffer.from(other),
  });
  assert.equal(reviews.length, 0);
});

test('a webhook is told who asks', async () => {
  await withWebhook('allows', async () => {
    await server.send('POST', maps, map('told', {}));
    const headers = { 'impersonate-user': 'jane', 'impersonate-group': ['a', 'b'], 'impersonate-extra-x%2fy': 'z' };
    await server.exchange({ method: 'PUT', path: `${maps}/told`, body: map('told', { x: 'y' }), headers });
  });
  const users = reviews.map(({ request }) => request.userInfo);
  const admin = { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
  const jane = { username: 'jane', groups: ['a', 'b', 'system:authenticated'], extra: { 'x/y': ['z'] } };
  assert.deepEqual(users, [admin, jane]);
});

test('what was written while a webhook was asked is not lost', async () => {
  await server.send('POST', maps, map('raced', {}));
  await withWebhook('allows', async () => {
    const slow = server.send('PATCH', `${maps}/raced`, '{"data":{"waits":"1"}}', 'application/merge-patch+json');
    while (!release) await new Promise((resolve) => setTimeout(resolve, 5));
    const first = release;
    release = undefined;
    await server.send('PATCH', `${maps}/raced`, '{"data":{"quick":"2"}}', 'application/merge-patch+json');
    first();
    while (!release) await new Promise((resolve) => setTimeout(resolve, 5));
    (release as () => void)();
    assert.deepEqual(JSON.parse((await slow).body).data, { waits: '1', quick: '2' });
  });
});

async function isMade(name: string): Promise<void> {
  const { code, body } = await server.send('POST', maps, map(name, { a: 'b' }));
  assert.equal(code, 201, body);
}

test('a URL that nothing can be sent to is a failed call, and the server goes on', async () => {
  const url = 'https://localhost:99999';
  const failed = async () => assert.match(await refusal(map('u', {})), /failed to call webhook/);
  await withWebhook('nowhere', failed, { url });
  await withWebhook('nowhere', () => isMade('url'), { url, failurePolicy: 'Ignore' });
});

test('answers that are too deep or of another type are failed calls', async () => {
  for (const path of ['deep', 'deep-patch', 'code']) {
    const kind = 'Mutating';
    const since = Date.now();
    const failed = async () => assert.match(await refusal(map('d', { a: 'b' })), /failed calling webhook/);
    await withWebhook(path, failed, { kind });
    await withWebhook(path, () => isMade(`ignored-${path}`), { kind, failurePolicy: 'Ignore' });
    assert.ok(Date.now() - since < 4_000, path);
  }
});

test('a patch that comes to too much fails the request, whatever is to become of failures', async () => {
  const failed = async () => assert.match(await refusal(map('d', { a: 'b' })), /^Internal error occurred: .*cop/);
  await withWebhook('bomb', failed, { kind: 'Mutating', failurePolicy: 'Ignore' });
});

test('a warning that no header can hold is left out', async () => {
  await withWebhook('controls', async () => {
    const { headers, status } = await fetch(server.address + maps, {
      method: 'POST',
      body: map('warned', {}),
      headers: { 'content-type': 'application/json' },
    });
    assert.deepEqual([status, headers.get('warning')], [201, '299 - "plain"']);
  });
});
