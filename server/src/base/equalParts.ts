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
  /** The numbers of what is in it, in a map each behind that of its key. */
  readonly numbers: readonly number[];
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
    const numbers = isMap ? this.ofEntries(whole) : Array.isArray(whole) ? this.ofItems(whole) : undefined;
    const first = numbers ? this.among(whole, isMap, numbers) : this.alone(whole);
    this.firsts.set(whole, first);
    return first;
  }

  private ofEntries(map: ReadonlyMap<unknown, unknown>): number[] {
    const numbers: number[] = [];
    for (const key of map.keys()) numbers.push(this.numberOf(key), this.numberOf(map.get(key)));
    return numbers;
  }

  private ofItems(list: readonly unknown[]): number[] {
    return list.map((item) => this.numberOf(item));
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
    return { whole, kept: undefined, isMap: false, numbers: [], number: ++this.last, next: undefined };
  }

  private among(whole: object, isMap: boolean, numbers: readonly number[]): First<Kept> {
    const digest = digestOf(isMap, numbers);
    const last = this.byDigest.get(digest);
    let others = 0;
    for (let at = last; at; at = at.next, others++) if (at.isMap === isMap && areEqual(at.numbers, numbers)) return at;
    const first = { whole, kept: undefined, isMap, numbers, number: ++this.last, next: last };
    if (others < mostOfDigest) this.byDigest.set(digest, first);
    this.makeRoom(numbers.length);
    return first;
  }

  private makeRoom(wanted: number): void {
    this.room += wanted;
    if (this.room <= this.most) return;
    this.room = wanted;
    this.scalars.clear();
    this.byDigest.clear();
  }
}

/** Somebody may have made a text so that many of its parts have one digest: further ones are equal to themselves alone. */
const mostOfDigest = 16;

const minusZero = Symbol('-0');

function digestOf(isMap: boolean, numbers: readonly number[]): number {
  let digest = isMap ? 1 : 2;
  for (let i = 0; i < numbers.length; i++) digest = Math.imul(digest ^ numbers[i]!, 0x01000193);
  return digest;
}

function areEqual(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

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
