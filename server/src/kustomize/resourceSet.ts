/** The resources of a build, in their order. */
import { fail } from './failure.ts';
import { idKey, idText, type ResId } from './ids.ts';
import type { Place } from './origin.ts';
import type { Resource } from './resource.ts';

export class ResourceSet {
  list: Resource[];
  /** The ids of all, as long as nothing but new resources has come since they were taken. */
  #ids: Set<string> | undefined;

  constructor(list: Resource[] = []) {
    this.list = list;
  }

  /** Resources by the ids that they have and had, for as long. */
  #anyIds: Map<string, Resource[]> | undefined;

  /** Resources were changed. */
  changed(): void {
    this.#ids = undefined;
    this.#anyIds = undefined;
  }

  /** The same as `byAnyId` for one id, where many are asked for. */
  withAnyId(id: ResId): readonly Resource[] {
    if (!this.#anyIds) {
      this.#anyIds = new Map();
      for (const resource of this.list) this.index(resource);
    }
    return this.#anyIds.get(idKey(id)) ?? [];
  }

  private index(resource: Resource): void {
    if (!this.#anyIds || resource.isEmpty) return;
    for (const key of new Set([...resource.previousIds, resource.id].map(idKey))) {
      const known = this.#anyIds.get(key);
      if (known) known.push(resource);
      else this.#anyIds.set(key, [resource]);
    }
  }

  append(resource: Resource): void {
    this.appendAll([resource]);
  }

  /** Each id may be there once. */
  appendAll(resources: readonly Resource[]): void {
    if (resources.length === 0) return;
    this.#ids ??= new Set(this.list.map(({ id }) => idKey(id)));
    const ids = this.#ids;
    for (const resource of resources) {
      const { id } = resource;
      const key = idKey(id);
      if (ids.has(key)) fail(`may not add resource with an already registered id: ${idText(id)}`, placeOf(resource));
      ids.add(key);
      this.list.push(resource);
      this.index(resource);
    }
  }

  dropEmpty(): void {
    if (this.list.some(({ isEmpty }) => isEmpty)) this.list = this.list.filter(({ isEmpty }) => !isEmpty);
  }

  byCurrentId(matches: (id: ResId) => boolean): Resource[] {
    return this.list.filter(({ id }) => matches(id));
  }

  byAnyId(matches: (id: ResId) => boolean): Resource[] {
    return this.list.filter((one) => !one.isEmpty && [...one.previousIds, one.id].some(matches));
  }

  clones(): Resource[] {
    return this.list.map((one) => one.clone());
  }
}

/** Where a resource begins. */
export function placeOf({ node, touched }: Resource): Place | undefined {
  const kind = node?.kind === 'map' ? node.content.find(({ value }) => value === 'kind') : undefined;
  const origin = kind?.origin ?? node?.origin;
  return origin?.how === 'written' ? origin.place : touched[0]?.place;
}
