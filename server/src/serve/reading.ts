import { ConversionFailed, convertsByWebhook } from './conversions.ts';
import { groupVersion } from './discovery.ts';
import type { JsonMap } from './json.ts';
import { type Asked, type Place, pageOf, prefixOf, selected, unselectable } from './places.ts';
import type { Registry } from './registry.ts';
import { asTable, missing, ok, type Reply, status } from './replies.ts';
import type { Change, Entry } from './store.ts';
import { tableFor } from './tables.ts';

// What is read: objects, lists of them, and what becomes of them from now on.

/** Whom it tells of what is there, and of changes from then on, in their order. */
export interface Watch {
  /** Nothing follows what it tells at once. */
  readonly ends?: true;
  listen(tell: (event: JsonMap) => void): () => void;
}

export function watchOf(registry: Registry, asked: Asked): Watch | undefined {
  if (asked.query.get('watch') !== 'true' || asked.query.has('sendInitialEvents')) return undefined;
  const place = registry.placeOf(asked.path);
  if (!place) return undefined;
  const { store } = registry;
  const since = Number(asked.query.get('resourceVersion') ?? 0);
  if (since > 0 && since < store.oldest) return tooOld(since, store.oldest);
  const prefix = prefixOf(place);
  const follow = (tell: Told) => {
    const changed = (change: Change) => {
      if (change.version <= since || !change.key.startsWith(prefix)) return;
      const type = typeFor(asked.query, change);
      if (type) tell(type, change.entry);
    };
    if (since > 0) for (const change of store.changes) changed(change);
    else for (const one of store.list(prefix)) if (selected(asked.query, one.object)) tell('ADDED', one);
    return store.listen(changed);
  };
  return {
    listen: (tell) => follow(teller(registry, place, tell)),
  };
}

type Told = (type: Change['type'], entry: Entry) => void;

/** Tells of objects as a version has them. Those that a webhook converts wait for those before them. */
function teller(registry: Registry, { resource }: Place, tell: (event: JsonMap) => void): Told {
  const shown = (type: string, entry: Entry) => tell({ type, object: registry.shown(entry, resource) });
  if (!convertsByWebhook(resource.crd)) return shown;
  let before = Promise.resolve();
  return (type, entry) => {
    before = before
      .then(() => registry.convert(entry, resource))
      .then(() => shown(type, entry))
      .catch((error: unknown) => {
        if (!(error instanceof ConversionFailed)) throw error;
        tell({ type: 'ERROR', object: status(500, '', error.message).body as JsonMap });
      });
  };
}

export async function readOne(registry: Registry, { accept }: Asked, place: Place): Promise<Reply> {
  const entry = await registry.entryAt(place);
  if (!entry) return missing(place);
  const object = registry.shown(entry, place.resource);
  return ok(asTable(accept) ? tableFor(place.resource, [object], registry.serving) : object);
}

/** The objects of a place that a request chooses; or why it may not choose so. */
export async function chosen(registry: Registry, { query }: Asked, place: Place): Promise<JsonMap[] | Reply> {
  const unknown = unselectable(query, place.resource);
  if (unknown !== undefined) return status(400, 'BadRequest', `field label not supported: ${unknown}`);
  const entries = registry.store.list(prefixOf(place)).filter(({ object }) => selected(query, object));
  await registry.convertAll(entries, place.resource);
  return entries.map((entry) => registry.shown(entry, place.resource));
}

/** Objects as a list, or as a table of them. */
export function listed(registry: Registry, asked: Asked, { resource }: Place, items: readonly JsonMap[]): Reply {
  if (asked.query.has('sendInitialEvents')) return status(422, 'Invalid', 'sendInitialEvents is not supported');
  if (asTable(asked.accept)) return ok(tableFor(resource, items, registry.serving));
  const page = pageOf(asked.query, items);
  const metadata = { resourceVersion: String(registry.store.version), ...page.metadata };
  return ok({ kind: resource.listKind, apiVersion: groupVersion(resource), metadata, items: page.items });
}

/** What has happened since is not remembered: the client lists again. */
function tooOld(since: number, oldest: number): Watch {
  const { body } = status(410, 'Expired', `too old resource version: ${since} (${oldest})`);
  return {
    ends: true,
    listen: (tell) => {
      tell({ type: 'ERROR', object: body as JsonMap });
      return () => {};
    },
  };
}

/** What a change is to a watch of chosen objects: those that are chosen no longer go, for it. */
function typeFor(query: URLSearchParams, { type, entry, before }: Change): Change['type'] | undefined {
  const was = before !== undefined && selected(query, before.object);
  if (type === 'DELETED') return was ? 'DELETED' : undefined;
  if (!selected(query, entry.object)) return was ? 'DELETED' : undefined;
  return was ? 'MODIFIED' : 'ADDED';
}
