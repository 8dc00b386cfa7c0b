import type { ApiAnswer, ApiRequest } from '../support/apiServer.ts';

// The forms that clients may want answers in: tables, and metadata alone. What is asked so, and what is answered.

type Json = Record<string, unknown>;
export type Send = (request: ApiRequest) => Promise<Pick<ApiAnswer, 'code' | 'body'>>;

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'crates.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Crate', plural: 'crates' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
          },
        },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
      },
    ],
  },
};

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const one = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const list = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const accepts: Readonly<Record<string, string>> = {
  table,
  one,
  list,
  'table or JSON': `${table},application/json`,
  'one or JSON': `${one},application/json`,
  'another version': 'application/json;as=Table;v=v9;g=meta.k8s.io,application/json',
  'another group': 'application/json;as=Table;v=v1;g=example.com',
  'another form': 'application/json;as=Else;v=v1;g=meta.k8s.io',
  'no version': 'application/json;as=Table',
};

const kinds = [
  {
    at: '/api/v1/namespaces/default/configmaps',
    head: { apiVersion: 'v1', kind: 'ConfigMap' },
    first: { data: { a: 'b' } },
    change: { data: { c: 'd' } },
  },
  {
    at: '/apis/example.com/v1/namespaces/default/crates',
    head: { apiVersion: 'example.com/v1', kind: 'Crate' },
    first: { spec: { size: 1 } },
    change: { spec: { size: 2 } },
  },
];

/** What is answered, by what was asked. A real server needs some time to serve a CRD. */
export async function shapes(send: Send, settled: () => Promise<void>): Promise<Record<string, unknown>> {
  await send({ method: 'POST', path: crds, body: JSON.stringify(crd) });
  await settled();
  const all: Record<string, unknown> = {};
  for (const { at, head, first, change } of kinds) {
    for (const [name, accept] of Object.entries(accepts)) {
      const headers = { accept };
      const ask = async (what: string, request: ApiRequest) => {
        all[`${head.kind}: ${name}: ${what}`] = said(await send({ ...request, headers }));
      };
      const patch = { method: 'PATCH', type: 'application/merge-patch+json', body: JSON.stringify(change) } as const;
      await ask('create', {
        method: 'POST',
        path: at,
        body: JSON.stringify({ ...head, metadata: { name: 'a' }, ...first }),
      });
      await ask('get', { method: 'GET', path: `${at}/a` });
      await ask('patch', { ...patch, path: `${at}/a` });
      await ask('wrong', { method: 'GET', path: `${at}/none` });
      for (const query of ['', '?includeObject=None', '?includeObject=Object', '?includeObject=Else'])
        await ask(`list ${query}`, { method: 'GET', path: `${at}${query}` });
      await ask('delete', { method: 'DELETE', path: `${at}/a` });
    }
    Object.assign(all, await watched(send, at, head, { first, change }));
  }
  return all;
}

const initial = '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

/** All watches at once: each ends a second later. */
async function watched(
  send: Send,
  at: string,
  head: { kind: string },
  { first, change }: { first: object; change: object },
) {
  await send({ method: 'POST', path: at, body: JSON.stringify({ ...head, metadata: { name: 'b' }, ...first }) });
  const asked = Object.entries(accepts).flatMap(([name, accept]) =>
    ['', '&includeObject=Object', '&includeObject=None', initial].map((query) => ({ name, accept, query })),
  );
  const chosen = 'watch=1&timeoutSeconds=2&fieldSelector=metadata.name%3Db&resourceVersion=0';
  const answers = asked.map(({ accept, query }) =>
    send({ method: 'GET', path: `${at}?${chosen}${query}`, headers: { accept } }),
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  await send({
    method: 'PATCH',
    type: 'application/merge-patch+json',
    path: `${at}/b`,
    body: JSON.stringify(change),
  });
  await send({ method: 'DELETE', path: `${at}/b` });
  const came = await Promise.all(answers);
  return Object.fromEntries(
    asked.map(({ name, query }, i) => [`${head.kind}: ${name}: watch ${query}`, said(came[i]!)]),
  );
}

/** Columns are described by Kubernetes alone. */
const perRun = new Set(['description', 'uid', 'resourceVersion', 'creationTimestamp', 'time', 'managedFields']);

function said({ code, body }: Pick<ApiAnswer, 'code' | 'body'>): unknown {
  // An event is a line; other answers may be printed on several.
  const events = body.startsWith('{"type"') ? body.trimEnd().split('\n') : [body].filter((text) => text !== '');
  const bodies = events.map((event): Json => JSON.parse(event));
  // Whether there is time for one more bookmark behind the last event is chance.
  const last = bodies.findIndex(({ type }) => type === 'DELETED');
  return { code, bodies: (last < 0 ? bodies : bodies.slice(0, last + 1)).map(steady) };
}

/** Without what is another each time. */
function steady(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isOfCluster(item)).map(steady);
  if (typeof value === 'string') return /^\d+s$/.test(value) ? 'AGE' : value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Json).filter(([key]) => !perRun.has(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, steady(item)]));
}

/** A whole API server puts its certificate into each namespace. */
const isOfCluster = (item: unknown) => JSON.stringify(item).includes('kube-root-ca.crt');
