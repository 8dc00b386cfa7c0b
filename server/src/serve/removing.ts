import type { Admission } from './admission.ts';
import { isDefinition, resourcesOf } from './discovery.ts';
import { type JsonMap, type JsonValue, listAt, mapAt, sameJson, textAt } from './json.ts';
import { parsedMap } from './judging.ts';
import { type Asked, keyOf, type Place, prefixOf } from './places.ts';
import type { Registry } from './registry.ts';
import { failedPrecondition, filled, missing, ok, type Reply } from './replies.ts';
import { timeText } from './serving.ts';
import { cleaned, terminated } from './settling.ts';
import type { Entry } from './store.ts';

/** Takes away what is kept, or marks it to go once its finalizers have gone. */
export class Removing {
  private readonly registry: Registry;
  private readonly admission: Admission;

  constructor(registry: Registry, admission: Admission) {
    this.registry = registry;
    this.admission = admission;
  }

  async remove(asked: Asked, place: Place, name: string): Promise<Reply> {
    const named = { ...place, name };
    const entry = await this.registry.entryAt(named);
    if (!entry) return missing(named);
    const options = parsedMap(asked.body);
    const failed = failedPrecondition(named, entry, mapAt(options, 'preconditions'));
    if (failed) return failed;
    const changing = {
      asked,
      place: named,
      operation: 'DELETE',
      old: this.registry.shown(entry, place.resource),
    } as const;
    const { refused, warnings } = await this.admission.deleted(changing);
    if (refused) return refused;
    return { ...(await this.removed(asked, named, options)), warnings };
  }

  private async removed(asked: Asked, named: Place, options: JsonMap): Promise<Reply> {
    const entry = this.registry.store.get(keyOf(named));
    if (!entry) return missing(named);
    const dry = [asked.query.get('dryRun'), ...listAt(options, 'dryRun')].includes('All');
    const policy = asked.query.get('propagationPolicy') ?? textAt(options, 'propagationPolicy');
    const finalizers = finalizersFor(policy, listAt(entry.object, 'metadata', 'finalizers'));
    if (isDefinition(named.resource) && textAt(entry.object, 'metadata', 'deletionTimestamp') === '') {
      return this.terminate(named, entry, dry);
    }
    if (finalizers.length > 0) {
      const object = ending(
        withFinalizers(entry.object, finalizers),
        this.registry.store.next,
        timeText(this.registry.serving),
      );
      if (!dry && object !== entry.object) this.registry.store.put(keyOf(named), { object });
      await this.registry.convert({ object }, named.resource);
      return ok(this.registry.shown({ object }, named.resource));
    }
    if (!dry) this.drop(named, entry);
    const { group, plural } = named.resource;
    const details = { name: named.name ?? '', group, kind: plural, uid: textAt(entry.object, 'metadata', 'uid') };
    const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: filled(details) };
    return ok(body);
  }

  /** The answer is a CRD that is to go; then its objects go, and it goes itself unless others wait for something. */
  private terminate(place: Place, { object: crd }: Entry, dry: boolean): Reply {
    const { store, serving } = this.registry;
    const object = terminated(crd, store.next, serving);
    if (dry) return ok(object);
    store.put(keyOf(place), { object });
    this.dropObjects(object);
    const left = { object: cleaned(object, store.next) };
    if (listAt(left.object, 'metadata', 'finalizers').length > 0) store.put(keyOf(place), left);
    else store.drop(keyOf(place));
    return ok(object);
  }

  /** A CRD goes with its objects, and a namespace with what is in it. */
  private drop(place: Place, { object: definition }: Entry): void {
    this.registry.store.drop(keyOf(place));
    if (place.resource.kind === 'Namespace' && place.resource.group === '') this.empty(place.name ?? '');
    if (isDefinition(place.resource)) this.dropObjects(definition);
  }

  private dropObjects(definition: JsonMap): void {
    for (const resource of resourcesOf(definition)) {
      for (const { object } of this.registry.store.list(prefixOf({ resource, namespace: '' }))) {
        const { namespace, name } = mapAt(object, 'metadata');
        this.registry.store.drop(keyOf({ resource, namespace: String(namespace ?? ''), name: String(name) }));
      }
    }
  }

  private empty(namespace: string): void {
    for (const resource of this.registry.resources().filter((one) => one.namespaced))
      for (const { object } of this.registry.store.list(prefixOf({ resource, namespace })))
        this.registry.store.drop(keyOf({ resource, namespace, name: textAt(object, 'metadata', 'name') }));
  }
}

/** What is to go once its finalizers have gone. */
function ending(object: JsonMap, resourceVersion: string, now: string): JsonMap {
  const metadata = mapAt(object, 'metadata');
  if (textAt(metadata, 'deletionTimestamp') !== '') return object;
  const counted = metadata.generation === undefined ? {} : { generation: Number(metadata.generation) + 1 };
  const since = { deletionTimestamp: now, deletionGracePeriodSeconds: 0 };
  return { ...object, metadata: { ...metadata, ...since, ...counted, resourceVersion } };
}

/** Who deletes may ask for what is owned to go first, or to stay; both are finalizers, which a controller takes away. */
const ofPolicies = new Map([
  ['Foreground', 'foregroundDeletion'],
  ['Orphan', 'orphan'],
]);

function finalizersFor(policy: string, finalizers: readonly JsonValue[]): JsonValue[] {
  if (policy === '') return [...finalizers];
  const own = ofPolicies.get(policy);
  const others = finalizers.filter((one) => one === own || ![...ofPolicies.values()].includes(String(one)));
  return own === undefined || others.includes(own) ? others : [...others, own];
}

function withFinalizers(object: JsonMap, finalizers: JsonValue[]): JsonMap {
  if (sameJson(finalizers, listAt(object, 'metadata', 'finalizers'))) return object;
  return { ...object, metadata: { ...mapAt(object, 'metadata'), finalizers } };
}
