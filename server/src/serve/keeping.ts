import type { JsonMap } from './json.ts';
import type { Store } from './store.ts';

// What is kept beyond the end of a process: a line for each change.

/** Where lines go that are to last. */
export interface Journal {
  /** What it had at its start. */
  readonly lines: readonly string[];
  readonly isFull: boolean;
  append(line: string): void;
  /** Says what to write in place of all lines when most of them are out of date. */
  renewBy(lines: () => Iterable<string>): void;
  /** Until all that was appended is there whatever happens. */
  settled(): Promise<void>;
}

/** Has a store hold what a journal has, and the journal whatever changes from then on. */
export function keepIn(journal: Journal, store: Store): void {
  for (const line of journal.lines) {
    const { v, k, o }: { v: number; k?: string; o?: JsonMap } = JSON.parse(line);
    store.restore(v, k, o && { object: o });
  }
  store.listen(({ type, key, entry, version }) => {
    journal.append(JSON.stringify({ v: version, k: key, ...(type !== 'DELETED' && { o: entry.object }) }));
  });
  journal.renewBy(function* () {
    yield JSON.stringify({ v: store.version });
    for (const [k, { object }] of store.all()) yield JSON.stringify({ v: store.version, k, o: object });
  });
}
