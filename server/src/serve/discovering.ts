import { aggregated, groupList, groupOf, type Resource, resourceList } from './discovery.ts';
import { openApi, openApiIndex, openApiOld } from './openApi/documents.ts';
import type { Asked } from './places.ts';
import type { Registry } from './registry.ts';
import { ok, type Reply, status } from './replies.ts';

// What clients ask before they ask for objects.

/** What is at a path where no objects are; undefined where nothing is. */
export async function discovered(registry: Registry, { path, accept }: Asked): Promise<Reply | undefined> {
  const resources = registry.resources();
  if (/^\/(?:readyz|livez|healthz)$/.test(path)) return { code: 200, body: 'ok' };
  if (path === '/version') return versionReply(registry);
  if (path.startsWith('/openapi/')) return await published(registry, path, accept);
  if (isAggregated(accept) && (path === '/api' || path === '/apis')) {
    const own = resources.filter(({ group }) => (group === '') === (path === '/api'));
    return { ...ok(aggregated(own)), type: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
  }
  if (path === '/api') return ok({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] });
  if (path === '/api/v1') return ok(resourceList('v1', resources));
  if (/^\/api\/v1\/[^/]+$/.test(path)) return unfound;
  return groupsAt(path, resources);
}

function groupsAt(path: string, resources: readonly Resource[]): Reply | undefined {
  const [, first, group, version, ...below] = path.split('/');
  if (first !== 'apis') return undefined;
  if (group === undefined) return ok(groupList(resources));
  const isServed = (one: Resource) => one.group === group && (version === undefined || one.version === version);
  if (below.length > 0 || !resources.some(isServed)) return undefined;
  if (version === undefined) return ok({ kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group, resources) });
  return ok(resourceList(`${group}/${version}`, resources));
}

/** Clients say what they like best first; those that know the newer form name it with its version. */
const isAggregated = (accept: string) =>
  /\bg=apidiscovery\.k8s\.io\b/.test(accept) && /\bv=v2\b/.test(accept) && /\bas=APIGroupDiscoveryList\b/.test(accept);

function versionReply({ serving }: Registry): Reply {
  const release = serving.kubernetes.name;
  return ok({ major: '1', minor: release.split('.')[1]!, gitVersion: `v${release}.0` });
}

/** Old documents are asked for in protobuf as well, which there is not. */
const isJson = (accept: string) => accept === '' || /application\/json|\*\/\*|application\/\*/.test(accept);

async function published(registry: Registry, path: string, accept: string): Promise<Reply | undefined> {
  const resources = registry.resources();
  const { builtin, kubernetes, openApiTexts } = registry.serving;
  if (path === '/openapi/v3') return ok(openApiIndex(resources));
  const [, name] = /^\/openapi\/v3\/apis?\/(.+)$/.exec(path) ?? [];
  if (name === undefined && path !== '/openapi/v2') return undefined;
  if (!isJson(accept)) return { code: 406, body: '' };
  const texts = await openApiTexts();
  if (name === undefined) return ok(openApiOld(resources, kubernetes.name, texts));
  const document = openApi(name, resources, texts, builtin);
  return document && ok(document);
}

const unfound = status(404, 'NotFound', 'the server could not find the requested resource', {});
