import type { ValueMap } from '../../base/value.ts';
import { storedName } from '../../workspace/clusterReader.ts';
import { type RefusedWrite, refusedWrites, type StoredFault, type StoredOutcome, type Writer } from './stored.ts';

// What becomes of the stored objects of a kind, summed up: of any number of them only so much is kept as is shown.

/** How many objects something is about, and the names of the first. */
export interface Counted {
  readonly count: number;
  readonly first: readonly string[];
}

export interface FaultTotal extends Counted {
  readonly endpoint: StoredFault['endpoint'];
  readonly write: RefusedWrite;
  readonly field: string;
  readonly said: string;
  /** What the API server says of the first of them. */
  readonly inFull: string;
}

export interface FieldTotal extends Counted {
  readonly field: string;
  /** Whoever has written it, with the last time. */
  readonly writers: readonly Writer[];
}

/** What becomes of the stored objects of a kind. */
export interface StoredTotals {
  readonly kind: string;
  /** The version that they were read in. */
  readonly version: string;
  readonly objects: number;
  /** Objects by what is refused of them, some for several reasons. */
  readonly refused: Readonly<Record<RefusedWrite, Counted>>;
  /** Those whose next write is refused, unless it changes nothing but what is wrong. */
  readonly refusedNext: Counted;
  readonly faults: readonly FaultTotal[];
  readonly losing: Counted;
  readonly lost: readonly FieldTotal[];
  readonly lostInStorage: readonly FieldTotal[];
  readonly added: readonly FieldTotal[];
  /** Those that the API server had something against before. */
  readonly wrongBefore: Counted;
  readonly notJudged: readonly (Counted & { readonly why: string })[];
  /** How many sorts of findings are left out of the lists, though not of the counts. */
  readonly leftOut: number;
  /** Why not all of them were looked at; undefined where they were. */
  readonly cut?: string | undefined;
}

const mostNames = 10;
/** More sorts of findings than these of one kind are counted, and not listed. */
const mostSorts = 200;
const mostWriters = 10;

class Count implements Counted {
  count = 0;
  readonly first: string[] = [];

  add(name: string): void {
    this.count++;
    if (this.first.length < mostNames) this.first.push(name);
  }
}

/** Counts by what they are about. */
class Sorts<About> {
  readonly all = new Map<string, About & Count>();
  leftOut = 0;

  /** Undefined where there are too many already. */
  of(key: string, about: () => About): (About & Count) | undefined {
    const known = this.all.get(key);
    if (known) return known;
    if (this.all.size >= mostSorts) {
      this.leftOut++;
      return undefined;
    }
    const made = Object.assign(new Count(), about());
    this.all.set(key, made);
    return made;
  }

  /** The most frequent first. */
  sorted(): (About & Count)[] {
    return [...this.all.values()].sort((a, b) => b.count - a.count);
  }
}

interface Written {
  readonly field: string;
  readonly writers: Writer[];
}

export class StoredCounter {
  private objects = 0;
  private readonly refused = { every: new Count(), other: new Count(), own: new Count() };
  private readonly refusedNext = new Count();
  private readonly losing = new Count();
  private readonly wrongBefore = new Count();
  private readonly faults = new Sorts<Omit<FaultTotal, keyof Counted>>();
  private readonly lost = new Sorts<Written>();
  private readonly lostInStorage = new Sorts<Written>();
  private readonly added = new Sorts<Written>();
  private readonly notJudged = new Sorts<{ readonly why: string }>();

  add(object: ValueMap, outcome: StoredOutcome): void {
    const name = storedName(object);
    this.objects++;
    if (outcome.notJudged !== undefined) {
      const why = outcome.notJudged;
      this.notJudged.of(why, () => ({ why }))?.add(name);
      return;
    }
    const writes = new Set(outcome.faults.map((fault) => fault.write));
    for (const write of writes) this.refused[write].add(name);
    if (writes.has('every') || writes.has('other')) this.refusedNext.add(name);
    if (outcome.wrongBefore) this.wrongBefore.add(name);
    if (outcome.lost.length + outcome.lostInStorage.length > 0) this.losing.add(name);
    for (const fault of distinct(outcome.faults)) this.faults.of(sortOf(fault), () => ({ ...fault }))?.add(name);
    const written: (field: string) => Written = (field) => ({ field, writers: [] });
    const lost = new Set<string>();
    for (const { field, writers } of outcome.lost) {
      const sort = this.lost.of(field, () => written(field));
      if (!lost.has(field)) sort?.add(name);
      lost.add(field);
      if (sort) note(sort.writers, writers);
    }
    for (const field of new Set(outcome.lostInStorage)) this.lostInStorage.of(field, () => written(field))?.add(name);
    for (const field of new Set(outcome.added)) this.added.of(field, () => written(field))?.add(name);
  }

  totals(kind: string, version: string, cut?: string): StoredTotals {
    const sorts = [this.faults, this.lost, this.lostInStorage, this.added, this.notJudged];
    return {
      kind,
      version,
      objects: this.objects,
      refused: this.refused,
      refusedNext: this.refusedNext,
      faults: this.faults.sorted().sort((a, b) => refusedWrites.indexOf(a.write) - refusedWrites.indexOf(b.write)),
      losing: this.losing,
      lost: this.lost.sorted(),
      lostInStorage: this.lostInStorage.sorted(),
      added: this.added.sorted(),
      wrongBefore: this.wrongBefore,
      notJudged: this.notJudged.sorted(),
      leftOut: sorts.reduce((sum, { leftOut }) => sum + leftOut, 0),
      cut,
    };
  }
}

const sortOf = ({ endpoint, write, field, said }: StoredFault) => [endpoint, write, field, said].join('\0');

const distinct = (faults: readonly StoredFault[]) => [...new Map(faults.map((one) => [sortOf(one), one])).values()];

/** Of each the last time. */
function note(known: Writer[], more: readonly Writer[]): void {
  for (const one of more) {
    const at = known.findIndex(({ manager }) => manager === one.manager);
    if (at === -1 && known.length < mostWriters) known.push(one);
    else if (at !== -1 && known[at]!.time < one.time) known[at] = one;
  }
}
