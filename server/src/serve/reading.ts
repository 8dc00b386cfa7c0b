import { groupVersion } from './discovery.ts';
import type { JsonMap } from './json.ts';
import { type Asked, keyOf, type Place, pageOf, prefixOf, selected, unselectable } from './places.ts';
import type { Registry } from './registry.ts';
import { asTable, missing, ok, type Reply, status } from './replies.ts';
import type { Change } from './store.ts';
import { tableFor } from './tables.ts';

// What is read: objects, lists of them, and what becomes of them from now on.

/** What a watch begins with, and whom it tells of changes. */
export interface Watch {
  readonly events: readonly JsonMap[];
  /** Nothing follows. */
  readonly ends?: true;
  listen(tell: (event: JsonMap) => void): () => void;
}

export function watchOf(registry: Registry, asked: Asked): Watch | undefined {
  if (asked.query.get('watch') !== 'true' || asked.query.has('sendInitialEvents')) return undefined;
  const place = registry.placeOf(asked.path);
  if (!place) return undefined;
  const since = Number(asked.query.get('resourceVersion') ?? 0);
  if (since > 0 && since < registry.store.oldest) return tooOld(since, registry.store.oldest);
  const prefix = prefixOf(place);
  const chosen = ({ key, version }: Change) => version > since && key.startsWith(prefix);
  const event = (change: Change): JsonMap[] => {
    const type = typeFor(asked.query, change);
    return type ? [{ type, object: registry.shown(change.entry, place.resource) }] : [];
  };
  const past = since === 0 ? registry.store.list(prefix).filter(({ object }) => selected(asked.query, object)) : [];
  return {
    events:
      since === 0
        ? past.map((entry) => ({ type: 'ADDED', object: registry.shown(entry, place.resource) }))
        : registry.store.changes.filter(chosen).flatMap(event),
    listen: (tell) =>
      registry.store.listen((change) => {
        if (chosen(change)) for (const told of event(change)) tell(told);
      }),
  };
}

export function readOne(registry: Registry, { accept }: Asked, place: Place): Reply {
  const entry = registry.store.get(keyOf(place));
  if (!entry) return missing(place);
  const object = registry.shown(entry, place.resource);
  return ok(asTable(accept) ? tableFor(place.resource, [object], registry.serving) : object);
}

/** The objects of a place that a request chooses; or why it may not choose so. */
export function chosen(registry: Registry, { query }: Asked, place: Place): JsonMap[] | Reply {
  const unknown = unselectable(query, place.resource);
  if (unknown !== undefined) return status(400, 'BadRequest', `field label not supported: ${unknown}`);
  const entries = registry.store.list(prefixOf(place)).filter(({ object }) => selected(query, object));
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
  return { events: [{ type: 'ERROR', object: body as JsonMap }], ends: true, listen: () => () => {} };
}

/** What a change is to a watch of chosen objects: those that are chosen no longer go, for it. */
function typeFor(query: URLSearchParams, { type, entry, before }: Change): Change['type'] | undefined {
  const was = before !== undefined && selected(query, before.object);
  if (type === 'DELETED') return was ? 'DELETED' : undefined;
  if (!selected(query, entry.object)) return was ? 'DELETED' : undefined;
  return was ? 'MODIFIED' : 'ADDED';
}
