// Answers of webhooks that mean nothing: broken, deep, odd, for other requests; and logs that are damaged anywhere. Each request
// gets an answer in time, nothing is kept under another name than its own, and a log is read as it was written or refused.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Log, LogRefused } from '../../../server/src/files/log.ts';
import { ApiServer } from '../../../server/src/serve/apiServer.ts';
import { CallFailed } from '../../../server/src/serve/calls.ts';
import { type JsonMap, listAt, mapAt, textAt } from '../../../server/src/serve/json.ts';
import { administrator } from '../../../server/src/serve/users.ts';
import { servingFor } from '../../support/fakeServer.ts';
import type { Random } from '../../support/random.ts';
import type { Attack } from './part.ts';

const deep = `${'['.repeat(3_000)}${']'.repeat(3_000)}`;
const odd: readonly unknown[] = [
  ...[null, true, -1, 0.5, 1e99, '', 'x', [], {}, [[]], [null], { a: [{}] }, 'ü'.repeat(2_000), '\u0000', '__proto__'],
  ...[
    { metadata: null },
    { metadata: [] },
    { metadata: { name: 1 } },
    { kind: 'Box' },
    JSON.parse('{"__proto__":{"a":1}}'),
  ],
];
const pointers = [
  '',
  '/',
  '/spec',
  '/spec/size',
  '/metadata',
  '/metadata/name',
  '/metadata/-',
  '/~2',
  '/spec/__proto__/a',
];
const operations = ['add', 'remove', 'replace', 'move', 'copy', 'test', 'none'];

/** What a webhook says of what it is asked. */
function answer(random: Random, asked: string): string {
  const some = (usual: unknown) => (random.chance(0.15) ? random.pick(odd) : usual);
  const review = JSON.parse(asked);
  const { uid, desiredAPIVersion, objects } = review.request;
  if (random.chance(0.05)) throw new CallFailed('no answer');
  if (random.chance(0.05)) return random.pick(['', '{', 'null', '[]', '"x"', deep, `{"response":${deep}}`, 'kind: A']);
  const patch = Array.from({ length: random.below(5) }, () => ({
    op: random.pick(operations),
    path: some(random.pick(pointers)),
    from: some(random.pick(pointers)),
    value: some(random.below(9)),
  }));
  const made = (objects ?? []).map((one: JsonMap) =>
    some({ ...one, apiVersion: some(desiredAPIVersion), spec: some({}) }),
  );
  const response = desiredAPIVersion
    ? { uid: some(uid), convertedObjects: some(made), result: some({ status: some('Success'), message: some('') }) }
    : {
        ...{
          uid: some(uid),
          allowed: some(random.chance(0.9)),
          status: some({ code: some(400), message: some('no') }),
        },
        ...{ warnings: some(['w']), auditAnnotations: some({ a: 'b' }) },
        ...(random.chance(0.7) && {
          patchType: some('JSONPatch'),
          patch: some(Buffer.from(random.chance(0.9) ? JSON.stringify(patch) : deep).toString('base64')),
        }),
      };
  const text = JSON.stringify({
    apiVersion: some(review.apiVersion),
    kind: some(review.kind),
    response: some(response),
  });
  return random.chance(0.05) ? text.slice(0, random.below(text.length)) : text;
}

const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  },
};
const clientConfig = { url: 'https://webhooks.example/x' };
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boxes.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Box', plural: 'boxes' },
    conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
    versions: ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema })),
  },
};
const hooks = (kind: string, failurePolicy: string) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${kind}WebhookConfiguration`,
  metadata: { name: 'all' },
  webhooks: [
    {
      ...{ name: 'all.example.com', clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'], failurePolicy },
      rules: [{ apiGroups: ['example.com'], apiVersions: ['*'], resources: ['*'], operations: ['*'] }],
      ...(kind === 'Mutating' && { reinvocationPolicy: 'IfNeeded' }),
    },
  ],
});

const boxes = (version: string) => `/apis/example.com/${version}/namespaces/default/boxes`;

export const attackServe: Attack = async ({ cases, random, failed }) => {
  let calls = 0;
  const api = new ApiServer({
    ...servingFor(),
    call: async ({ body }) => {
      calls++;
      return answer(random, body);
    },
  });
  const ask = async (method: string, at: string, body: unknown = undefined, type = 'application/json') => {
    const given = { method, query: new URLSearchParams(), accept: '', user: administrator, agent: 'attack', type };
    return await api.handle({ ...given, path: at, body: body === undefined ? '' : JSON.stringify(body) });
  };
  const counts = { requests: 0, taken: 0, refused: 0, calls: 0, logs: 0 };
  await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
  const group = '/apis/admissionregistration.k8s.io/v1';
  await ask('POST', `${group}/mutatingwebhookconfigurations`, hooks('Mutating', 'Ignore'));
  await ask('POST', `${group}/validatingwebhookconfigurations`, hooks('Validating', 'Fail'));
  for (let i = 0; i < cases; i++) {
    const version = random.pick(['v1', 'v2']);
    const name = `b${random.below(20)}`;
    const box = { apiVersion: `example.com/${version}`, kind: 'Box', metadata: { name }, spec: { size: 1 } };
    const merge = 'application/merge-patch+json';
    const [method, at, body, type] = random.pick([
      ['POST', boxes(version), box],
      ['PATCH', `${boxes(version)}/${name}`, { spec: { n: i } }, merge],
      ['GET', `${boxes(version)}/${name}`],
      ['GET', boxes(version)],
      ['DELETE', `${boxes(version)}/${name}`],
    ] as const) as readonly [string, string, unknown?, string?];
    const since = performance.now();
    try {
      const reply = await ask(method, at, body, type);
      const text = JSON.stringify(reply.body);
      counts[reply.code < 300 ? 'taken' : 'refused']++;
      if (reply.code < 200 || reply.code > 599) failed(`${method} ${at}: ${reply.code}`);
      if (text.length > 2_000_000) failed(`${method} ${at}: ${text.length} characters`);
      if (reply.code < 300) kept(reply.body as JsonMap, method, at, failed);
    } catch (error) {
      failed(`${method} ${at}: ${(error as Error).stack}`);
    }
    counts.requests++;
    if (performance.now() - since > 5_000) failed(`${method} ${at} took ${performance.now() - since} ms`);
  }
  counts.calls = calls;
  counts.logs = await attackLogs(Math.min(200, cases), random, failed);
  return counts;
};

/** What is read has the names that it is read under. */
function kept(body: JsonMap, method: string, at: string, failed: (what: string) => void): void {
  const items = listAt(body, 'items');
  const name = /boxes\/(.+)$/.exec(at)?.[1];
  const all = items.length > 0 ? items : name !== undefined && body.kind === 'Box' ? [body] : [];
  for (const one of all) {
    const { name: is, uid } = mapAt(one, 'metadata');
    const isSame = name === undefined ? typeof is === 'string' && is !== '' : is === name;
    if (!isSame || typeof uid !== 'string' || textAt(one, 'kind') !== 'Box') {
      failed(`${method} ${at} has ${JSON.stringify(one).slice(0, 300)}`);
    }
  }
}

/** A log with a part that is another one. */
async function attackLogs(cases: number, random: Random, failed: (what: string) => void): Promise<number> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-attack-'));
  const file = path.join(home, 'objects.log');
  try {
    const { log } = await Log.open(home);
    const wrote = Array.from({ length: 20 }, (_, i) =>
      JSON.stringify({ v: i, k: `a/b/${i}`, o: { x: 'ü'.repeat(i) } }),
    );
    for (const line of wrote) log.append(line);
    await log.close();
    const whole = readFileSync(file);
    for (let i = 0; i < cases; i++) {
      const bytes = Buffer.from(whole);
      const start = random.below(bytes.length);
      const end = start + 1 + random.below(random.pick([2, 40, 4_000]));
      bytes.fill(random.below(256), start, Math.min(end, bytes.length));
      writeFileSync(file, random.chance(0.5) ? bytes : bytes.subarray(0, random.below(bytes.length)));
      try {
        const opened = await Log.open(home);
        await opened.log.close();
        const isStart = opened.lines.every((line, nth) => line === wrote[nth]);
        if (!isStart) failed(`a log gives what was not written: ${opened.lines.join(' ').slice(0, 300)}`);
      } catch (error) {
        if (!(error instanceof LogRefused)) failed(`a damaged log: ${(error as Error).stack}`);
      }
    }
    return cases;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
