import { printJson } from '../gostd/jsonPrint.ts';
import { formedIn, kept, readBack } from '../kubernetes/cr/storage.ts';
import { convertedTo, convertsByWebhook } from './conversions.ts';
import { builtinResources, crdResource, groupVersion, type Resource, resourcesOf } from './discovery.ts';
import { eventAs } from './events.ts';
import { type JsonMap, listAt, mapAt, mapOf, textAt } from './json.ts';
import { servedBy } from './judging.ts';
import { keyOf, type Place, prefixOf } from './places.ts';
import { type Reply, status } from './replies.ts';
import type { Serving } from './serving.ts';
import { type Entry, Store } from './store.ts';

const ofCrds = prefixOf({ resource: crdResource, namespace: '' });

/** How many objects of a list a webhook is asked to convert at once. */
const mostAtOnce = 32;

/** What is served, and what is kept of it. */
export class Registry {
  readonly store = new Store();
  readonly serving: Serving;
  /** What is served; undefined since a CRD changed. */
  private served: readonly Resource[] | undefined;
  /** What was shown last. */
  private last: { object: JsonMap; resource: Resource; shown: JsonMap } | undefined;
  /** What webhooks have made of kept objects, by version. Not a memo: each request asks anew. */
  private readonly conversions = new WeakMap<JsonMap, Map<string, JsonMap>>();

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
    // All who watch are told of a change one after the other.
    const { last } = this;
    if (last?.object === object && last.resource === resource) return last.shown;
    const shown = this.show(object, resource);
    this.last = { object, resource, shown };
    return shown;
  }

  private show(object: JsonMap, resource: Resource): JsonMap {
    const { crd, group, version } = resource;
    if (!crd) return resource.kind === 'Event' ? eventAs(groupVersion(resource), object) : object;
    const served = servedBy(crd, this.serving.kubernetes);
    const of = served.versions.get(version);
    const converted = this.conversions.get(object)?.get(version);
    if (converted && of) return JSON.parse(printJson(formedIn(mapOf(converted), of) ?? mapOf(converted)));
    const inStore = kept(mapOf(object), served);
    const read = inStore && of && readBack(inStore, of, served);
    return read ? JSON.parse(printJson(read)) : { ...object, apiVersion: `${group}/${version}` };
  }

  /** What is at a place, ready to be shown. */
  async entryAt(place: Place): Promise<Entry | undefined> {
    const entry = this.store.get(keyOf(place));
    if (entry) await this.convert(entry, place.resource);
    return entry;
  }

  /** Has a webhook convert what is kept in another version, if one does. */
  async convert({ object }: Entry, resource: Resource): Promise<void> {
    const { crd, version } = resource;
    if (!crd || !convertsByWebhook(crd)) return;
    const defaulted = this.shown({ object }, { ...resource, version: versionOf(object) });
    const converted = await convertedTo(defaulted, resource, this.serving);
    const known = this.conversions.get(object) ?? new Map<string, JsonMap>();
    this.conversions.set(object, known.set(version, converted));
    this.last = undefined;
  }

  /** The same for many, some of them at once. */
  async convertAll(entries: readonly Entry[], resource: Resource): Promise<void> {
    if (!convertsByWebhook(resource.crd)) return;
    for (let i = 0; i < entries.length; i += mostAtOnce) {
      await Promise.all(entries.slice(i, i + mostAtOnce).map((entry) => this.convert(entry, resource)));
    }
  }

  /** An object as it is kept: in the version for that, if a webhook has to bring it there. */
  async stored(object: JsonMap, { crd, group }: Resource): Promise<JsonMap> {
    if (!crd || !convertsByWebhook(crd)) return object;
    const version = textAt(
      listAt(crd, 'spec', 'versions').find((one) => mapAt(one).storage === true),
      'name',
    );
    const converted = await convertedTo(object, { group, version, crd }, this.serving);
    const of = servedBy(crd, this.serving.kubernetes).versions.get(version);
    const formed = of && formedIn(mapOf(converted), of);
    return formed ? JSON.parse(printJson(formed)) : converted;
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

const versionOf = (object: JsonMap) => textAt(object, 'apiVersion').split('/').at(-1)!;
