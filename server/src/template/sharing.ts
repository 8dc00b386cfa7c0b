/**
 * Templates of a chart share its values, and some change them for those that come after. What each does with them is noted, so that it
 * is known which of them have to be run before one.
 */

/** Small numbers, as bits. */
export class Bits {
  private words = new Uint32Array(8);

  add(number: number): void {
    const at = number >>> 5;
    if (at >= this.words.length) this.grow(at + 1);
    this.words[at]! |= 1 << (number & 31);
  }

  remove(number: number): void {
    const at = number >>> 5;
    if (at < this.words.length) this.words[at]! &= ~(1 << (number & 31));
  }

  addAll({ words }: Bits): void {
    if (words.length > this.words.length) this.grow(words.length);
    for (let at = 0; at < words.length; at++) this.words[at]! |= words[at]!;
  }

  has(number: number): boolean {
    return (((this.words[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
  }

  meets({ words }: Bits): boolean {
    const count = Math.min(words.length, this.words.length);
    for (let at = 0; at < count; at++) if ((words[at]! & this.words[at]!) !== 0) return true;
    return false;
  }

  private grow(least: number): void {
    const words = new Uint32Array(Math.max(least, this.words.length * 2));
    words.set(this.words);
    this.words = words;
  }
}

/** What one template does with what is shared. */
export class Doings {
  readonly reads = new Bits();
  readonly writes = new Bits();

  addAll({ reads, writes }: Doings): void {
    this.reads.addAll(reads);
    this.writes.addAll(writes);
  }
}

/** What the templates of a chart share. */
export class Sharing {
  /** Whether something of it was changed. */
  hasChanged = false;
  /** Of the template that is run, while somebody wants to know. */
  doings: Doings | undefined;
  private count = 0;
  private readonly maps = new Map<number, SharedMap>();
  private readonly named = new Map<string, number[]>();

  /** One of the maps, by a number that is the same in each copy of them. */
  map(number: number): SharedMap {
    const known = this.maps.get(number) ?? new SharedMap(this, undefined);
    this.maps.set(number, known);
    return known;
  }

  /** Adds a key, in all maps of which it is known; of one that nobody sets where it is set, only those in which it was not written. */
  addNamed(to: Bits, key: string, writtenOnce?: Bits): void {
    for (const one of this.named.get(key) ?? []) {
      if (writtenOnce?.has(one)) to.remove(one);
      else to.add(one);
    }
    if (this.count === mostKeys) to.add(this.count);
  }

  /** A number for a key of a map, or for all of them, whichever there are. */
  newNumber(key: string | undefined): number {
    // All others are taken for one key.
    if (this.count === mostKeys) return this.count;
    const number = this.count++;
    if (key === undefined) return number;
    const known = this.named.get(key);
    if (known) known.push(number);
    else this.named.set(key, [number]);
    return number;
  }
}

/** Keys that are told apart, of all maps together. */
const mostKeys = 100_000;

/** One of the maps, in all copies of them, or one that was put at a key of such a map: then it is taken for that key. */
export class SharedMap {
  private readonly sharing: Sharing;
  private readonly putAt: number | undefined;
  private keys: Map<string, number> | undefined;
  private whole: number | undefined;

  constructor(sharing: Sharing, putAt: number | undefined) {
    this.sharing = sharing;
    this.putAt = putAt;
  }

  read(key: string): void {
    const { doings } = this.sharing;
    if (!doings) return;
    const at = this.at(key);
    // What a template has written itself it does not have from others.
    if (!doings.writes.has(at)) doings.reads.add(at);
  }

  readWhole(): void {
    const { doings } = this.sharing;
    if (!doings) return;
    if (this.putAt !== undefined) this.read('');
    else doings.reads.add(this.atAll());
  }

  /** Where something is put that is there already, it depends on that whether anything is written. */
  put(key: string, isThere: boolean): void {
    if (isThere) this.read(key);
    else this.write(key);
  }

  private write(key: string): void {
    this.sharing.hasChanged = true;
    const { doings } = this.sharing;
    if (!doings) return;
    doings.writes.add(this.at(key));
    if (this.putAt === undefined) doings.writes.add(this.atAll());
  }

  /** Adds what somebody reads for whom the key is another one. */
  addTo(to: Bits, key: string): void {
    to.add(this.at(key));
    if (this.putAt === undefined) to.add(this.atAll());
  }

  /** A map that is put at a key. */
  inner(key: string): SharedMap {
    return this.putAt === undefined ? new SharedMap(this.sharing, this.at(key)) : this;
  }

  private at(key: string): number {
    if (this.putAt !== undefined) return this.putAt;
    this.keys ??= new Map();
    const known = this.keys.get(key);
    if (known !== undefined) return known;
    const number = this.sharing.newNumber(key);
    if (number < mostKeys) this.keys.set(key, number);
    return number;
  }

  private atAll(): number {
    this.whole ??= this.sharing.newNumber(undefined);
    return this.whole;
  }
}
