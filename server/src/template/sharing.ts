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
}

/** What the templates of a chart share. */
export class Sharing {
  /** Whether something of it was changed. */
  hasChanged = false;
  /** Of the template that is run, while somebody wants to know. */
  doings: Doings | undefined;
  private count = 0;
  private readonly numbers = new Map<number, Map<string | undefined, number>>();
  private readonly named = new Map<string, number[]>();

  /** The number of a key of a map, or that which stands for all its keys, whichever there are. */
  numberOf(map: number, key: string | undefined): number {
    return this.numbers.get(map)?.get(key) ?? this.newNumber(map, key);
  }

  /** The numbers of a key in all maps of which it is known. */
  numbersOf(key: string): readonly number[] {
    const known = this.named.get(key) ?? [];
    return this.count < mostKeys ? known : [...known, this.count];
  }

  private newNumber(map: number, key: string | undefined): number {
    // All others are taken for one key.
    if (this.count === mostKeys) return this.count;
    const number = this.count++;
    const keys = this.numbers.get(map) ?? new Map<string | undefined, number>();
    this.numbers.set(map, keys.set(key, number));
    if (key !== undefined) this.named.set(key, [...(this.named.get(key) ?? []), number]);
    return number;
  }
}

/** Keys that are told apart, of all maps together. */
const mostKeys = 100_000;

/** One of the maps: it has a number, which is the same in each copy of them, or was put at a key of one that has. */
export class SharedMap {
  private readonly sharing: Sharing;
  private readonly number: number | undefined;
  private readonly putAt: number | undefined;

  constructor(sharing: Sharing, number: number | undefined, putAt?: number) {
    this.sharing = sharing;
    this.number = number;
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
    if (this.number === undefined) this.read('');
    else doings.reads.add(this.sharing.numberOf(this.number, undefined));
  }

  write(key: string): void {
    this.sharing.hasChanged = true;
    const { doings } = this.sharing;
    if (!doings) return;
    doings.writes.add(this.at(key));
    if (this.number !== undefined) doings.writes.add(this.sharing.numberOf(this.number, undefined));
  }

  /** A map that is put at a key. */
  inner(key: string): SharedMap {
    return new SharedMap(this.sharing, undefined, this.at(key));
  }

  private at(key: string): number {
    return this.number === undefined ? this.putAt! : this.sharing.numberOf(this.number, key);
  }
}
