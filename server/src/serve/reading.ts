import { ConversionFailed, convertsByWebhook } from './conversions.ts';
import { groupVersion, type Resource } from './discovery.ts';
import { type Form, formingEvents } from './forms.ts';
import type { JsonMap } from './json.ts';
import { type Choice, continueToken, listingOf } from './listing.ts';
import { type Asked, keyOf, type Place, prefixOf } from './places.ts';
import type { Registry } from './registry.ts';
import { missing, ok, type Reply, status } from './replies.ts';
import type { Change, Entry } from './store.ts';

// What is read: objects, lists of them, and what becomes of them from now on.

/** Whom it tells of what is there, and of changes from then on, in their order. */
export interface Watch {
  /** Nothing follows what it tells at once. */
  readonly ends?: true;
  listen(tell: (event: JsonMap) => void): () => void;
  /** How far things are, if the client asks to be told that now and then. */
  bookmark?(): JsonMap;
}

export function watchOf(registry: Registry, asked: Asked, form: Form): Watch | Reply | undefined {
  const place = registry.placeOf(asked.path);
  if (!place || !asked.query.has('watch')) return undefined;
  const listing = listingOf(asked.query, place.resource);
  if ('code' in listing) return listing;
  if (!listing.watches) return undefined;
  const { store } = registry;
  // Who names no version begins with what is there.
  const begins = listing.initial ?? listing.version === 0;
  const since = begins || listing.version === 0 ? store.version : listing.version;
  if (since < store.oldest) return tooOld(since, store.oldest);
  const prefix = place.name === undefined ? prefixOf(place) : keyOf(place);
  const isOf = (key: string) => (place.name === undefined ? key.startsWith(prefix) : key === prefix);
  const follow = (tell: Told, ready: () => void) => {
    const changed = (change: Change) => {
      if (change.version <= since || !isOf(change.key)) return;
      const type = typeFor(listing, change);
      if (type) tell(type, change.entry);
    };
    if (begins) {
      for (const [key, one] of store.under(prefix)) if (isOf(key) && listing.chooses(one.object)) tell('ADDED', one);
      if (listing.bookmarks) ready();
    } else for (const change of store.changes) changed(change);
    return store.listen(changed);
  };
  return {
    // Where a webhook converts, what was told of last may still be on its way.
    ...(asked.query.get('allowWatchBookmarks') === 'true' &&
      !convertsByWebhook(place.resource.crd) && {
        bookmark: () => bookmark(place.resource, store.version),
      }),
    listen: (tell) => {
      const shaped = formingEvents({ form, query: asked.query }, place.resource, registry.serving);
      const { told, ready } = teller(registry, place, (event) => {
        const shown = shaped(event);
        if (shown) tell(shown);
      });
      return follow(told, ready);
    },
  };
}

/** Says that all until a version has been told of; `annotations` that this is all that was there. */
function bookmark({ kind, ...resource }: Resource, version: number, annotations?: JsonMap): JsonMap {
  const metadata = { resourceVersion: String(version), ...(annotations && { annotations }) };
  return { type: 'BOOKMARK', object: { kind, apiVersion: groupVersion(resource), metadata } };
}

type Told = (type: Change['type'], entry: Entry) => void;

/** Tells of objects as a version has them. Those that a webhook converts wait for those before them. */
function teller(registry: Registry, { resource }: Place, tell: (event: JsonMap) => void) {
  const shown = (type: string, entry: Entry) => tell({ type, object: registry.shown(entry, resource) });
  const end = bookmark(resource, registry.store.version, { 'k8s.io/initial-events-end': 'true' });
  if (!convertsByWebhook(resource.crd)) return { told: shown as Told, ready: () => tell(end) };
  let before = Promise.resolve();
  const then = (next: () => Promise<void> | void) => {
    before = before.then(next).catch((error: unknown) => {
      if (!(error instanceof ConversionFailed)) throw error;
      tell({ type: 'ERROR', object: status(500, '', error.message).body as JsonMap });
    });
  };
  const told: Told = (type, entry) =>
    then(async () => {
      await registry.convert(entry, resource);
      shown(type, entry);
    });
  return { told, ready: () => then(() => tell(end)) };
}

export async function readOne(registry: Registry, place: Place): Promise<Reply> {
  const entry = await registry.entryAt(place);
  if (!entry) return missing(place);
  return ok(registry.shown(entry, place.resource));
}

/** Objects that a request asks for: a part of them, and where the rest is asked for. */
export interface Chosen {
  readonly items: readonly JsonMap[];
  readonly metadata: JsonMap;
}

/** The objects of a place that a request chooses; or why it may not choose so. */
export async function chosen(registry: Registry, { query }: Asked, place: Place): Promise<Chosen | Reply> {
  const listing = listingOf(query, place.resource);
  if ('code' in listing) return listing;
  const { store } = registry;
  const { after, isExact, limit, isPart } = listing;
  if (listing.version > store.version) return tooLarge(listing.version, store.version);
  const version = after?.version ?? (isExact ? listing.version : store.version);
  if (version < store.oldest) return status(410, 'Expired', 'The resourceVersion for the provided list is too old.');
  const all = store.under(prefixOf(place), version).filter(([key, { object }]) => {
    return (after === undefined || key > after.key) && listing.chooses(object);
  });
  const page = limit > 0 ? all.slice(0, limit) : all;
  const left = all.length - page.length;
  const entries = page.map(([, entry]) => entry);
  await registry.convertAll(entries, place.resource);
  const rest = left > 0 ? continueToken(page.at(-1)![0], version) : '';
  return {
    items: entries.map((entry) => registry.shown(entry, place.resource)),
    metadata: {
      resourceVersion: String(version),
      // Lists of custom resources say that there is no more as well.
      ...((rest !== '' || place.resource.crd) && { continue: rest }),
      ...(rest !== '' && !isPart && { remainingItemCount: left }),
    },
  };
}

/** Nobody has got that far. */
function tooLarge(asked: number, current: number): Reply {
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  return status(504, 'Timeout', message, { causes, retryAfterSeconds: 1 });
}

export function listed({ resource }: Place, { items, metadata }: Chosen): Reply {
  return ok({ kind: resource.listKind, apiVersion: groupVersion(resource), metadata, items: [...items] });
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
function typeFor({ chooses }: Choice, { type, entry, before }: Change): Change['type'] | undefined {
  const was = before !== undefined && chooses(before.object);
  if (type === 'DELETED') return was ? 'DELETED' : undefined;
  if (!chooses(entry.object)) return was ? 'DELETED' : undefined;
  return was ? 'MODIFIED' : 'ADDED';
}
