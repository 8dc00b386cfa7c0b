import { printJson } from '../gostd/jsonPrint.ts';
import { kept, readBack } from '../kubernetes/cr/storage.ts';
import { builtinResources, crdResource, groupVersion, type Resource, resourcesOf } from './discovery.ts';
import { eventAs } from './events.ts';
import { type JsonMap, mapOf } from './json.ts';
import { servedBy } from './judging.ts';
import { type Place, prefixOf } from './places.ts';
import { type Reply, status } from './replies.ts';
import type { Serving } from './serving.ts';
import { type Entry, Store } from './store.ts';

const ofCrds = prefixOf({ resource: crdResource, namespace: '' });

/** What is served, and what is kept of it. */
export class Registry {
  readonly store = new Store();
  readonly serving: Serving;
  /** What is served; undefined since a CRD changed. */
  private served: readonly Resource[] | undefined;

  constructor(serving: Serving) {
    this.serving = serving;
    this.store.listen(({ key }) => {
      if (key.startsWith(ofCrds)) this.served = undefined;
    });
  }

  resources(): readonly Resource[] {
    const ofDefinitions = () => this.store.list(ofCrds).flatMap(({ object }) => resourcesOf(object));
    this.served ??= [...builtinResources(this.serving.builtin), crdResource, ...ofDefinitions()];
    return this.served;
  }

  /** Where a path leads. */
  placeOf(path: string): Place | undefined {
    const match =
      /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?$/.exec(path);
    if (!match) return undefined;
    const parts = match.slice(1).map((part) => part && decoded(part));
    const [group = '', version, namespace, plural, name, subresource] = parts;
    const resources = this.resources().filter((one) => one.group === group && one.version === version);
    const resource = resources.find((one) => one.plural === plural);
    // A namespace's own subresource looks like a kind in it.
    const ofNamespace = resource || !namespace || name ? undefined : resources.find((one) => one.kind === 'Namespace');
    if (ofNamespace) return { resource: ofNamespace, namespace: '', name: namespace, subresource: plural };
    return resource && { resource, namespace: namespace ?? '', name, subresource };
  }

  /** An object as a version of its kind has it. */
  shown({ object }: Entry, resource: Resource): JsonMap {
    const { crd, group, version } = resource;
    if (!crd) return resource.kind === 'Event' ? eventAs(groupVersion(resource), object) : object;
    const served = servedBy(crd, this.serving.kubernetes);
    const of = served.versions.get(version);
    const inStore = kept(mapOf(object), served);
    const read = inStore && of && readBack(inStore, of, served);
    return read ? JSON.parse(printJson(read)) : { ...object, apiVersion: `${group}/${version}` };
  }

  /** What is in a namespace needs it to be there. */
  lostNamespace({ resource, namespace }: Place): Reply | undefined {
    if (!resource.namespaced || this.store.get(`/namespaces/${namespace}`)) return undefined;
    const details = { name: namespace, kind: 'namespaces' };
    return status(404, 'NotFound', `namespaces ${JSON.stringify(namespace)} not found`, details);
  }
}

/** A path that means nothing leads nowhere. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
