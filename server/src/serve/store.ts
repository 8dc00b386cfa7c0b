import type { JsonMap } from './json.ts';

export interface Entry {
  readonly object: JsonMap;
}

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: string;
  readonly entry: Entry;
  /** What was there until then. */
  readonly before: Entry | undefined;
  readonly version: number;
}

/** How many changes are remembered: a watch that begins before them has to list again. */
const mostChanges = 50_000;

/** The part of a key that all objects of a resource share: `group/plural/`. */
const resourceIn = (key: string) => key.slice(0, key.indexOf('/', key.indexOf('/') + 1) + 1);

/** Objects by key, and the last changes of them. */
export class Store {
  private readonly byResource = new Map<string, Map<string, Entry>>();
  private readonly listeners = new Set<(change: Change) => void>();
  readonly changes: Change[] = [];

  /** The version before the first change that is remembered. */
  get oldest(): number {
    return (this.changes[0]?.version ?? this.version + 1) - 1;
  }

  version = 1;

  get(key: string): Entry | undefined {
    return this.entriesBeside(key).get(key);
  }

  /** Those of one resource, or of one of its namespaces. */
  list(prefix: string): Entry[] {
    return this.under(prefix).map(([, entry]) => entry);
  }

  /** The same with their keys, in their order; as they were at a version that changes are remembered since. */
  under(prefix: string, version = this.version): [key: string, entry: Entry][] {
    const found = new Map([...this.entriesBeside(prefix)].filter(([key]) => key.startsWith(prefix)));
    for (let i = this.changes.length - 1; i >= 0 && this.changes[i]!.version > version; i--) {
      const { key, before } = this.changes[i]!;
      if (!key.startsWith(prefix)) continue;
      if (before) found.set(key, before);
      else found.delete(key);
    }
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  private entriesBeside(key: string): Map<string, Entry> {
    const resource = resourceIn(key);
    const known = this.byResource.get(resource) ?? new Map<string, Entry>();
    this.byResource.set(resource, known);
    return known;
  }

  /** The version that the next change will have. */
  get next(): string {
    return String(this.version + 1);
  }

  put(key: string, entry: Entry): void {
    const entries = this.entriesBeside(key);
    const before = entries.get(key);
    entries.set(key, entry);
    this.tell({ type: before ? 'MODIFIED' : 'ADDED', key, entry, before });
  }

  drop(key: string): void {
    const entry = this.get(key);
    if (!entry) return;
    this.entriesBeside(key).delete(key);
    this.tell({ type: 'DELETED', key, entry, before: entry });
  }

  /** What was there before this process: nobody is told. */
  restore(version: number, key: string | undefined, entry: Entry | undefined): void {
    this.version = Math.max(this.version, version);
    if (key === undefined) return;
    if (entry) this.entriesBeside(key).set(key, entry);
    else this.entriesBeside(key).delete(key);
  }

  /** All that is there, by key. */
  *all(): Generator<[key: string, Entry]> {
    for (const entries of this.byResource.values()) yield* entries;
  }

  /** Calls for every change from now on; the function that comes back ends that. */
  listen(listener: (change: Change) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private tell(what: Omit<Change, 'version'>): void {
    const change = { ...what, version: ++this.version };
    this.changes.push(change);
    // Now and then, and not for each.
    if (this.changes.length > 2 * mostChanges) this.changes.splice(0, mostChanges);
    for (const listener of this.listeners) listener(change);
  }
}
