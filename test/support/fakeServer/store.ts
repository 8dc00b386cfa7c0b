import type { JsonMap } from './json.ts';

export interface Entry {
  readonly object: JsonMap;
  /** What each manager applied last. */
  readonly applied: ReadonlyMap<string, JsonMap>;
}

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: string;
  readonly entry: Entry;
  readonly version: number;
}

/** Objects by key, and every change of them. */
export class Store {
  private readonly entries = new Map<string, Entry>();
  private readonly listeners = new Set<(change: Change) => void>();
  readonly changes: Change[] = [];
  version = 1;

  get(key: string): Entry | undefined {
    return this.entries.get(key);
  }

  list(prefix: string): Entry[] {
    const keys = [...this.entries.keys()].filter((key) => key.startsWith(prefix)).sort();
    return keys.map((key) => this.entries.get(key)!);
  }

  /** The version that the next change will have. */
  get next(): string {
    return String(this.version + 1);
  }

  put(key: string, entry: Entry): void {
    const type = this.entries.has(key) ? 'MODIFIED' : 'ADDED';
    this.entries.set(key, entry);
    this.tell(type, key, entry);
  }

  drop(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.tell('DELETED', key, entry);
  }

  /** Calls for every change from now on; the function that comes back ends that. */
  listen(listener: (change: Change) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private tell(type: Change['type'], key: string, entry: Entry): void {
    const change = { type, key, entry, version: ++this.version };
    this.changes.push(change);
    for (const listener of this.listeners) listener(change);
  }
}
