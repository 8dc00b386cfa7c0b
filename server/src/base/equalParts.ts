import { isList, isMap, type Value } from './value.ts';

/** Lists or maps that are equal. */
export interface Equals<Kept> {
  /** The first of them. */
  readonly whole: object;
  /** What somebody keeps of them, as long as one of them lives. */
  kept: Kept | undefined;
}

interface First<Kept> extends Equals<Kept> {
  readonly isMap: boolean;
  /** Where the numbers of what is in it are, in a map each behind that of its key, and how many. */
  readonly at: number;
  readonly count: number;
  readonly number: number;
  /** Another one that has the same digest. */
  readonly next: First<Kept> | undefined;
}

/**
 * Gives equal scalars, lists and maps one number, and tells the first of them. A list or map is compared by the numbers of
 * what is in it, so that each text is looked at once.
 */
export class EqualParts<Kept = never> {
  /** So many numbers and characters are remembered, after which it begins anew: what came before is equal to nothing else. */
  private readonly most: number;
  private room = 0;
  private last = 0;
  private readonly scalars = new Map<unknown, number>();
  private readonly byDigest = new Map<number, First<Kept>>();
  /** Of all firsts, one behind the other: a list for each would be collected as long as the first one lives. */
  private numbers = noNumbers;
  private used = 0;
  /** Those of the lists and maps that are being looked at, the innermost last. */
  private readonly open: number[] = [];
  private top = 0;
  /** Not a memo: each leads to one that may have been there before. */
  private readonly firsts = new WeakMap<object, First<Kept>>();

  constructor(most = Number.POSITIVE_INFINITY) {
    this.most = most;
  }

  /** The first that was equal to a list or map, or to any other object, which is equal to itself alone. */
  firstOf<T extends object>(whole: T): T {
    // What is equal is of the same type.
    return this.equalsOf(whole).whole as T;
  }

  equalsOf(whole: object): Equals<Kept> {
    return this.first(whole);
  }

  private first(whole: object): First<Kept> {
    const known = this.firsts.get(whole);
    if (known) return known;
    const isMap = whole instanceof Map;
    if (!isMap && !Array.isArray(whole)) return this.alone(whole);
    const from = this.top;
    const hasParts = isMap ? this.openEntries(whole) : this.openItems(whole);
    const first = this.among(whole, isMap, from);
    this.top = from;
    // What has no parts and was there before is found anew as fast as it is looked up.
    if (hasParts || first.whole === whole) this.firsts.set(whole, first);
    return first;
  }

  /** Numbers a map's keys and values, and tells whether there are lists and maps among these. */
  private openEntries(map: ReadonlyMap<unknown, unknown>): boolean {
    let hasParts = false;
    map.forEach((value, key) => {
      const ofKey = this.numberOf(key);
      // What is in the value is open meanwhile.
      const ofValue = this.numberOf(value);
      this.open[this.top++] = ofKey;
      this.open[this.top++] = ofValue;
      hasParts ||= typeof value === 'object' && value !== null;
    });
    return hasParts;
  }

  private openItems(list: readonly unknown[]): boolean {
    let hasParts = false;
    for (const item of list) {
      const number = this.numberOf(item);
      this.open[this.top++] = number;
      hasParts ||= typeof item === 'object' && item !== null;
    }
    return hasParts;
  }

  private numberOf(part: unknown): number {
    if (typeof part === 'object' && part !== null) return this.first(part).number;
    // A map takes the two zeros for one.
    const scalar = Object.is(part, -0) ? minusZero : part;
    const known = this.scalars.get(scalar);
    if (known !== undefined) return known;
    this.makeRoom(typeof part === 'string' ? part.length : 1);
    const number = ++this.last;
    this.scalars.set(scalar, number);
    return number;
  }

  private alone(whole: object): First<Kept> {
    const first = { whole, kept: undefined, isMap: false, at: 0, count: 0, number: ++this.last, next: undefined };
    this.firsts.set(whole, first);
    return first;
  }

  /** The first that has the numbers that are open from some place on. */
  private among(whole: object, isMap: boolean, from: number): First<Kept> {
    const { open, top } = this;
    const count = top - from;
    let digest = isMap ? 1 : 2;
    for (let i = from; i < top; i++) digest = Math.imul(digest ^ open[i]!, 0x01000193);
    const last = this.byDigest.get(digest);
    let others = 0;
    for (let one = last; one; one = one.next, others++) {
      if (one.isMap === isMap && one.count === count && this.areOpen(one.at, from)) return one;
    }
    const first = { whole, kept: undefined, isMap, at: this.keepOpen(from), count, number: ++this.last, next: last };
    if (others < mostOfDigest) this.byDigest.set(digest, first);
    this.makeRoom(count);
    return first;
  }

  private areOpen(at: number, from: number): boolean {
    const { open, numbers, top } = this;
    for (let i = from; i < top; i++) if (numbers[at + i - from] !== open[i]) return false;
    return true;
  }

  private keepOpen(from: number): number {
    const at = this.used;
    this.used += this.top - from;
    if (this.used > this.numbers.length) {
      const grown = new Int32Array(2 * this.used);
      grown.set(this.numbers);
      this.numbers = grown;
    }
    for (let i = from; i < this.top; i++) this.numbers[at + i - from] = this.open[i]!;
    return at;
  }

  private makeRoom(wanted: number): void {
    this.room += wanted;
    if (this.room <= this.most) return;
    this.room = wanted;
    this.scalars.clear();
    this.byDigest.clear();
    this.numbers = noNumbers;
    this.used = 0;
  }
}

const noNumbers = new Int32Array(0);

/** Somebody may have made a text so that many of its parts have one digest: further ones are equal to themselves alone. */
const mostOfDigest = 16;

const minusZero = Symbol('-0');

/** A value in which all lists and maps that are equal are the same object: whoever writes it can write each of them once. */
export function withEqualPartsOnce(value: Value): Value {
  const parts = new EqualParts();
  const made = new Map<object, Value>();
  const once = (part: Value): Value => {
    if (!isList(part) && !isMap(part)) return part;
    const first = parts.firstOf(part);
    const known = made.get(first);
    if (known !== undefined) return known;
    const copy = isList(first) ? first.map(once) : new Map([...first].map(([key, one]) => [key, once(one)]));
    made.set(first, copy);
    return copy;
  };
  return once(value);
}
