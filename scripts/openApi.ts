// npm run open-api: writes server/data/openApi.json.gz from what a real API server publishes: the schemas and parameters that
// all of its documents share, and the document of CRDs.
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { isJsonMap, type JsonMap, type JsonValue, listAt, mapAt, sameJson, textAt } from '../server/src/serve/json.ts';
import type { OpenApiTexts } from '../server/src/serve/openApi/texts.ts';
import { type ApiServer, buildServer, startServer } from '../test/support/apiServer.ts';

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.recorded.example' },
  spec: {
    group: 'recorded.example',
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

const read = async (server: ApiServer, path: string): Promise<JsonMap> => {
  const { body } = await server.send({ method: 'GET', path });
  return JSON.parse(body);
};

/** A document that has what is looked for, some time after it was caused. */
async function published(server: ApiServer, path: string, word: string): Promise<JsonMap> {
  for (let tries = 0; tries < 200; tries++) {
    const { code, body } = await server.send({ method: 'GET', path });
    if (code === 200 && body.includes(word)) return JSON.parse(body);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${path} does not come to have ${word}`);
}

function withoutOwn(schemas: JsonMap): OpenApiTexts['schemas'] {
  const others = Object.entries(schemas).filter(([name]) => !name.startsWith('example.'));
  return Object.fromEntries(others) as OpenApiTexts['schemas'];
}

/** The parameters of an operation, those of its path among them. */
function all(item: JsonValue | undefined, method: string): JsonMap[] {
  return [...listAt(item, 'parameters'), ...listAt(item, method, 'parameters')].filter(isJsonMap);
}

if (!buildServer()) process.exit(1);
const server = await startServer();
try {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await server.send({ method: 'POST', path, body: JSON.stringify(crd) });
  const v3 = await published(server, '/openapi/v3/apis/recorded.example/v1', 'Thing');
  const v2 = await published(server, '/openapi/v2', 'Thing');
  const at = '/apis/recorded.example/v1/namespaces/{namespace}/things';
  const [many, one] = [mapAt(v3, 'paths', at), mapAt(v3, 'paths', `${at}/{name}`)];
  const inPaths = Object.fromEntries(
    ['namespace', 'pretty'].map((name) => [name, listAt(many, 'parameters').find((p) => textAt(p, 'name') === name)]),
  ) as OpenApiTexts['inPaths'];
  const own = (item: JsonMap, method: string) =>
    all(item, method).filter((parameter) => {
      return parameter.in === 'query' && !sameJson(parameter, inPaths.pretty);
    });
  const texts: OpenApiTexts = {
    generated: `by npm run open-api, from ${server.version}`,
    schemas: withoutOwn(mapAt(v3, 'components', 'schemas')),
    parameters: {
      ...{ list: own(many, 'get'), post: own(many, 'post'), get: own(one, 'get'), put: own(one, 'put') },
      ...{ patch: own(one, 'patch'), delete: own(one, 'delete') },
    },
    inPaths,
    shared: mapAt(v2, 'parameters') as OpenApiTexts['shared'],
    crds: await read(server, '/openapi/v3/apis/apiextensions.k8s.io/v1'),
  };
  const packed = gzipSync(JSON.stringify(texts), { level: 9 });
  writeFileSync('server/data/openApi.json.gz', packed);
  console.log(`${Object.keys(texts.schemas).length} schemas, ${packed.length} bytes`);
} finally {
  await server.stop();
}
