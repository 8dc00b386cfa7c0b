import type { ApiRequest } from '../support/apiServer.ts';

// What lists and watches can be asked, of a built-in kind and of a custom resource, and what is answered.

const plain = [
  ...[
    'limit=2',
    'limit=2&continue=abc',
    'limit=-1',
    'limit=x',
    'limit=100',
    'continue=abc',
    'continue=abc&resourceVersion=5',
  ],
  ...['resourceVersion=0', 'resourceVersion=1', 'resourceVersion=x', 'resourceVersion=999999'],
  ...[
    'resourceVersionMatch=NotOlderThan',
    'resourceVersionMatch=Exact',
    'resourceVersion=0&resourceVersionMatch=Exact',
  ],
  ...['resourceVersion=0&resourceVersionMatch=NotOlderThan', 'resourceVersion=1&resourceVersionMatch=Other'],
  ...['resourceVersion=999999&resourceVersionMatch=Exact', 'resourceVersion=5&resourceVersionMatch=NotOlderThan'],
  ...['timeoutSeconds=x', 'sendInitialEvents=true', 'allowWatchBookmarks=x', 'unknown=1', 'watch=false', 'watch=0'],
];

const labels = [
  ...[
    'a',
    'a=b',
    'a==b',
    'a!=b',
    '!a',
    'a in (b,c)',
    'a notin (b)',
    'a in ()',
    'a in',
    'a=b=c',
    ',',
    'a,',
    ' a ',
    'a>1',
  ],
  ...['n>1', 'n<5', 'n>x', '-a', 'a=-b', 'x/y/z', 'a exists', 'a=', 'a!=', 'a in (b', 'a = b', '!a,n', 'a in (,b)'],
  ...['a=b,n notin (1,2)', '!', 'a in b', 'a in (b))', 'in=b', 'a=in'],
];

const fields = [
  ...['metadata.name=a1', 'metadata.name!=a1', 'metadata.namespace=default', 'metadata.name', 'spec.x=1', ','],
  ...['metadata.name=a\\,b', 'metadata.name=a=b', 'metadata.name==a1,metadata.namespace=x', 'metadata.name=a\\b'],
  ...['metadata.name=a1,metadata.name!=a1', 'spec.y=1', 'metadata.labels=x'],
];

const watches = [
  ...[
    '',
    'resourceVersion=0',
    'allowWatchBookmarks=true',
    'resourceVersion=x',
    'labelSelector=a%3Db',
    'limit=2',
    'continue=x',
  ],
  ...['fieldSelector=metadata.name%3Da1', 'fieldSelector=spec.x%3Da1', 'resourceVersionMatch=NotOlderThan'],
  ...['sendInitialEvents=true', 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'],
  'sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan',
  'sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0',
  'sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=Exact',
];

const queries = [
  ...plain,
  ...labels.map((text) => `labelSelector=${encodeURIComponent(text)}`),
  ...fields.map((text) => `fieldSelector=${encodeURIComponent(text)}`),
  ...['true', '1', 'maybe'].map((word) => `watch=${word}&timeoutSeconds=1`),
  ...watches.map((text) => `watch=true&timeoutSeconds=1&${text}`),
];

type Send = (request: ApiRequest) => Promise<{ code: number; body: string }>;
type Json = { [member: string]: Json } & Json[] & string;

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boxes.listed.example.com' },
  spec: {
    group: 'listed.example.com',
    scope: 'Namespaced',
    names: { kind: 'Box', plural: 'boxes' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        selectableFields: [{ jsonPath: '.spec.x' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { x: { type: 'string' } } } },
          },
        },
      },
    ],
  },
};

const kinds = [
  { at: '/api/v1/namespaces/default/configmaps', head: { apiVersion: 'v1', kind: 'ConfigMap' }, spec: {} },
  {
    at: '/apis/listed.example.com/v1/namespaces/default/boxes',
    head: { apiVersion: 'listed.example.com/v1', kind: 'Box' },
    spec: { spec: { x: '1' } },
  },
];

/** What is answered, by what was asked. A real server needs some time to serve a CRD. */
export async function listings(send: Send, settled: () => Promise<void>): Promise<Record<string, unknown>> {
  const post = (path: string, body: object) => send({ method: 'POST', path, body: JSON.stringify(body) });
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
  await settled();
  const all: Record<string, unknown> = {};
  for (const { at, head, spec } of kinds) {
    for (let i = 1; i < 5; i++) {
      const labels = { ...(i % 2 === 1 && { a: 'b' }), n: String(i) };
      await post(at, { ...head, metadata: { name: `a${i}`, labels }, ...(i % 2 === 1 && spec) });
    }
    for (const query of queries)
      all[`${head.kind} ${query}`] = said(await send({ method: 'GET', path: `${at}?${query}` }));
    all[`${head.kind} in pages`] = await pages(send, at, () => post(at, { ...head, metadata: { name: 'a2b' } }));
  }
  return all;
}

/** Objects that come between are in no later page. */
async function pages(send: Send, at: string, between: () => Promise<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  let token = '';
  do {
    const query = `limit=3&continue=${encodeURIComponent(token)}`;
    const { body } = await send({ method: 'GET', path: `${at}?${query}` });
    const list: Json = JSON.parse(body);
    found.push([namesIn(list), list.metadata!.remainingItemCount]);
    token = String(list.metadata!.continue ?? '');
    if (found.length === 1) await between();
  } while (token !== '');
  return found;
}

const namesIn = (list: Json) =>
  list.items!.map((one: Json) => one.metadata!.name).filter((name) => /^a\d/.test(String(name)));

/** What matters of an answer. */
function said({ code, body }: { code: number; body: string }): unknown {
  if (body.trim() === '') return [code];
  const lines = body
    .trim()
    .split('\n')
    .map((line): Json => JSON.parse(line));
  const [first] = lines;
  if (first!.type) return [code, ...lines.filter(isOurs).map(event)];
  if (first!.kind === 'Status') return [code, JSON.parse(body.replace(/current: \d+/, 'current: N'))];
  // A whole server has one more ConfigMap, which is behind ours.
  const { continue: token, ...rest } = first!.metadata as Record<string, unknown>;
  const left = rest.remainingItemCount === undefined ? [] : ['some are left'];
  return [code, namesIn(first!), token === '' ? 'no more' : token === undefined ? 'nothing said' : 'more', ...left];
}

const isOurs = ({ type, object }: Json) => String(type) === 'BOOKMARK' || /^a\d/.test(String(object?.metadata?.name));

function event({ type, object }: Json): unknown {
  const { kind, apiVersion, metadata } = object!;
  return [type, kind, apiVersion, metadata!.name ?? metadata!.annotations];
}
