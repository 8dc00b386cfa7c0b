/** Values as Go holds them in an `any`, with what templates can tell of their types, and where each comes from. */
import { goBytes, goText } from '../gostd/bytes.ts';
import { Computed, type From, type ValuePlace } from './from.ts';
import type { SharedMap } from './sharing.ts';

/** `null` is a nil interface, `undefined` is no value at all (reflect's invalid one), a number is a float64. */
export type GoValue = undefined | null | boolean | string | number | Int | GoList | GoMap | GoStruct | GoFunc;

export function isNil(value: GoValue): value is null | undefined {
  return value === null || value === undefined;
}

/** A value and where it comes from. Lists and maps hold cells, so that each part knows. */
export interface Cell {
  readonly value: GoValue;
  readonly from: From;
  /** Whether Go holds it in an `any` where it is looked at, which some of its messages tell. */
  readonly isAny?: true;
  /** What the key comes from that it was read under, where that is a text of its own. */
  readonly key?: From;
}

/** An integer of one of Go's types, such as `int`, `int64` or `time.Duration`. */
export class Int {
  readonly value: bigint;
  readonly type: string;

  constructor(value: bigint | number, type = 'int') {
    this.value = BigInt(value);
    this.type = type;
  }
}

export class GoList {
  readonly type: string;
  /** A slice that was never made: it is printed as an empty one, but is `null` in JSON and YAML. */
  readonly isNil: boolean;
  /** Those of a type that has some. */
  readonly methods: ReadonlyMap<string, GoFunction> | undefined;
  private known: readonly Cell[] | undefined;
  private readonly make: (() => readonly Cell[]) | undefined;

  constructor(
    items: readonly Cell[] | (() => readonly Cell[]),
    type = '[]interface {}',
    isNil = false,
    methods?: ReadonlyMap<string, GoFunction>,
  ) {
    this.type = type;
    this.isNil = isNil;
    this.methods = methods;
    this.known = typeof items === 'function' ? undefined : items;
    this.make = typeof items === 'function' ? items : undefined;
  }

  get items(): readonly Cell[] {
    this.known ??= this.make!();
    return this.known;
  }
}

/** Bytes that are a text, as a chart's files have them: few ask for them one by one. */
export class GoBytes extends GoList {
  readonly text: string;
  private listed: string | undefined;

  constructor(text: string, from: From) {
    super(() => Array.from(goBytes(text), (byte) => cell(new Int(byte, 'uint8'), from)), '[]uint8');
    this.text = text;
  }

  /** The bytes as %v prints them. */
  get numbers(): string {
    this.listed ??= `[${goBytes(this.text).join(' ')}]`;
    return this.listed;
  }
}

/** Whether a list is Go's []byte, which many functions take for a text. */
export function isBytes(value: GoValue): value is GoList {
  return value instanceof GoList && value.type === '[]uint8';
}

export function textOfBytes(list: GoList): string {
  if (list instanceof GoBytes) return list.text;
  return goText(Uint8Array.from(list.items, ({ value }) => Number((value as Int).value)));
}

export interface MapTraits {
  readonly type?: string;
  readonly place?: ValuePlace | undefined;
  /** Where it is one that the templates of a chart share. */
  readonly shared?: SharedMap | undefined;
  /** The methods of its type; few templates call any, so that they are made when they are asked for. */
  readonly methodsOf?: MethodsOf | undefined;
  readonly isNil?: boolean;
}

export type MethodsOf = (map: GoMap) => ReadonlyMap<string, GoFunction>;

/** A map with texts for keys. It can be changed, as `set` and `merge` do, and is then seen by all who hold it. */
export class GoMap {
  readonly type: string;
  private readonly entries: Map<string, Cell>;
  /** The place of the map in a file of values, which gives one to keys that are looked for in vain. */
  readonly place: ValuePlace | undefined;
  /** Where it is one that templates share. */
  shared: SharedMap | undefined;
  readonly methodsOf: MethodsOf | undefined;
  private made: ReadonlyMap<string, GoFunction> | undefined;
  /** Whether Go has no map there at all, which only JSON and YAML tell from an empty one. */
  readonly isNil: boolean;
  /** A map of which nobody knows what is in it, that this one was made of: it may have every key that is looked for. */
  private rest: OpenMap | undefined;

  constructor(
    entries: Map<string, Cell> = new Map(),
    { type = 'map[string]interface {}', place, shared, methodsOf, isNil = false }: MapTraits = {},
  ) {
    this.entries = entries;
    this.type = type;
    this.place = place;
    this.shared = shared;
    this.methodsOf = methodsOf;
    this.isNil = isNil;
  }

  get methods(): ReadonlyMap<string, GoFunction> | undefined {
    this.made ??= this.methodsOf?.(this);
    return this.made;
  }

  get size(): number {
    this.shared?.readWhole();
    return this.entries.size;
  }

  has(key: string): boolean {
    this.shared?.read(key);
    return this.entries.has(key);
  }

  get(key: string): Cell | undefined {
    this.shared?.read(key);
    return this.entries.get(key) ?? this.rest?.get(key);
  }

  /** What is not known of another map is not known of this one either, which is made of it. */
  takeRest(of: GoMap): void {
    this.rest ??= of instanceof OpenMap ? of : of.rest;
  }

  set(key: string, cell: Cell): void {
    this.shared?.put(key, this.entries.get(key)?.value === cell.value);
    if (this.shared) shareBelow(cell.value, this.shared, key);
    this.entries.set(key, cell);
  }

  delete(key: string): void {
    const isThere = this.entries.delete(key);
    this.shared?.put(key, !isThere);
  }

  /** Becomes shared, with all that is in it. */
  takeShared(shared: SharedMap): void {
    if (this.shared) return;
    this.shared = shared;
    for (const [key, { value }] of this.entries) shareBelow(value, shared, key);
  }

  /** A copy with other values for some keys, and without those that have none. */
  withAll(others: readonly (readonly [string, Cell | undefined])[]): GoMap {
    const { type, place, shared, methodsOf } = this;
    const copy = new GoMap(new Map(this.entries), { type, place, shared, methodsOf });
    for (const [key, one] of others) {
      if (one) {
        if (shared) shareBelow(one.value, shared, key);
        copy.entries.set(key, one);
      } else copy.entries.delete(key);
    }
    return copy;
  }

  /** The same entries, seen and changed by both, under another type. */
  as(type: string, methodsOf?: MethodsOf): GoMap {
    const { entries, place, shared, isNil } = this;
    return new GoMap(entries, { type, place, shared, methodsOf, isNil });
  }

  /** Entries in the order in which they came. */
  all(): Iterable<[string, Cell]> {
    this.shared?.readWhole();
    return this.entries;
  }

  /** Keys in the order that Go prints and ranges over them. */
  keys(): string[] {
    this.shared?.readWhole();
    return [...this.entries.keys()].sort(compareGoStrings);
  }

  /** Entries in the order of their keys. */
  sorted(): [string, Cell][] {
    return this.keys().map((key) => [key, this.entries.get(key)!]);
  }
}

/** What is put into a map that is shared is shared from then on. */
function shareBelow(value: GoValue, shared: SharedMap, key: string): void {
  if (value instanceof GoMap) value.takeShared(shared.inner(key));
  else if (value instanceof GoList && !(value instanceof GoBytes))
    for (const item of value.items) shareBelow(item.value, shared, key);
}

/** What stands for a text that is not known. */
export const openText = 'unknown';

/** Another one, beside the first. */
export const secondOpenText = `${openText}2`;

/** How deep the items of what is made up can be gone through. */
const levelsMadeUp = 2;

/**
 * A map of which nobody knows what is in it: whatever is asked for is there, and is not known. It may as well be something
 * else: where another type is wanted it is one of that.
 */
export class OpenMap extends GoMap {
  private readonly from: From;
  /** It is a map, whatever is in it. */
  private readonly isMap: boolean;
  private hasAny = true;

  constructor(from: From, traits: MapTraits, isMap = false, levels = levelsMadeUp) {
    const place = traits.place?.child(openText, true);
    const origin = openAt(place, from);
    const inner = levels > 0 ? new OpenMap(origin, { place }, false, levels - 1) : openText;
    super(new Map([[openText, cell(inner, origin)]]), traits);
    this.from = from;
    this.isMap = isMap;
  }

  /** The same with a second key, in which nothing is set where that is wanted. */
  asPair(isBare: boolean): OpenMap {
    const pair = new OpenMap(this.from, { place: this.place }, this.isMap);
    const { value, from } = pair.get(secondOpenText)!;
    pair.set(secondOpenText, cell(isBare ? (value as OpenMap).withoutAny : value, from));
    return pair;
  }

  /** One that no condition finds anything in, though it can be printed and gone through. */
  get withoutAny(): OpenMap {
    const bare = new OpenMap(this.from, { place: this.place }, this.isMap);
    bare.delete(openText);
    bare.hasAny = false;
    return bare;
  }

  override get(key: string): Cell | undefined {
    const known = super.get(key);
    if (known) return known;
    const place = this.place?.child(key, true);
    const from = openAt(place, this.from);
    const inner = new OpenMap(from, { place });
    return cell(this.hasAny ? inner : inner.withoutAny, from);
  }

  override withAll(others: readonly (readonly [string, Cell | undefined])[]): GoMap {
    const copy = new OpenMap(this.from, { place: this.place }, this.isMap);
    for (const [key, one] of others) {
      if (one) copy.set(key, one);
      else copy.delete(key);
    }
    return copy;
  }

  /** Whether no condition finds anything in it. */
  get isWithoutAny(): boolean {
    return !this.hasAny;
  }

  /** Whether nothing is known to be in it, and it may be something else than a map. */
  get isBare(): boolean {
    return !this.isMap && (this.hasAny ? this.size === 1 && this.has(openText) : this.size === 0);
  }

  /** What it is where a value of a type is wanted. */
  inPlaceOf(type: string): GoValue {
    if (type === 'string') return openText;
    if (type === 'bool') return true;
    if (type === 'float64') return 1;
    if (type.startsWith('[]')) return new GoList([cell(this, this.from)], type);
    return /^u?int/.test(type) ? new Int(1, type) : this;
  }
}

/** The origin of something in what is made up. */
function openAt(place: ValuePlace | undefined, from: From): From {
  return place ? new Computed(undefined, [place], true) : from;
}

/** A struct, or a type with methods: what templates can reach of it. */
export class GoStruct {
  readonly type: string;
  readonly fields: ReadonlyMap<string, Cell>;
  readonly methods: ReadonlyMap<string, GoFunction>;
  /** What its method String gives, or how fmt prints it with %v. */
  readonly print: () => string;
  /** What Go has in it, for functions that take it: a date, a version. */
  readonly content: unknown;
  /** What encoding/json writes instead of it; undefined: its fields by their names. */
  readonly json: (() => GoValue) | undefined;

  constructor(type: string, parts: Partial<Pick<GoStruct, 'fields' | 'methods' | 'print' | 'content' | 'json'>> = {}) {
    this.type = type;
    this.fields = parts.fields ?? new Map();
    this.methods = parts.methods ?? new Map();
    this.print = parts.print ?? (() => '{}');
    this.content = parts.content;
    this.json = parts.json;
  }
}

/** A function as a value, which only `call` can do something with. */
export class GoFunc {
  readonly type = 'func()';
}

/** What a function knows of the call that it answers. */
export interface Call {
  /** What a result comes from that is worked out of all arguments. */
  readonly from: From;
  /** Counts what is done against the bound of the rendering: about one for each character or item that is made. */
  spend(work: number): void;
}

/** A function that templates can call. */
export interface GoFunction {
  readonly name: string;
  /** Go's types of the parameters; of a variadic function, the last one is that of each further argument. */
  readonly params: readonly string[];
  readonly isVariadic: boolean;
  readonly result: string;
  readonly call: (args: readonly Cell[], call: Call) => Cell;
}

/** An error of Go's: what a function returns or panics with. */
export class GoError extends Error {}

/** More work than a rendering may take: not an error of the template's, but a bound of ours. */
export class TooMuchWork extends Error {}

export function cell(value: GoValue, from: From): Cell {
  return { value, from };
}

/** Where what the engine makes comes from: nobody wrote it. */
export const ofEngine: From = new Computed(undefined);

export const nothing: Cell = { value: undefined, from: ofEngine };

/** Go compares texts by their bytes, which is by code point. */
export function compareGoStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x === y) continue;
    // Halves of a pair stand for more than any unit that is not one.
    return isHalf(x) === isHalf(y) ? x - y : isHalf(x) ? 1 : -1;
  }
  return a.length - b.length;
}

function isHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** The name of a value's type, as %T prints it. */
export function typeName(value: GoValue): string {
  if (value === undefined || value === null) return '<nil>';
  if (typeof value === 'object') return value.type;
  return basicTypes[typeof value as 'boolean' | 'string' | 'number'];
}

const basicTypes = { boolean: 'bool', string: 'string', number: 'float64' } as const;

const namedKinds = new Map(
  Object.entries({
    'time.Duration': 'int64',
    'time.Month': 'int',
    'time.Weekday': 'int',
  }),
);

/** The kind of a value, in reflect's words. */
export function kindName(value: GoValue): string {
  if (value === undefined || value === null) return 'invalid';
  if (value instanceof GoList) return 'slice';
  if (value instanceof GoMap) return 'map';
  if (value instanceof GoFunc) return 'func';
  if (value instanceof GoStruct) return value.type.startsWith('*') ? 'ptr' : 'struct';
  const type = typeName(value);
  return namedKinds.get(type) ?? type;
}

/** Whether a condition takes a value for true. */
export function isTrue(value: GoValue): boolean {
  if (value === undefined || value === null) return false;
  if (value instanceof GoList) return value.items.length > 0;
  if (value instanceof GoMap) return value.size > 0;
  if (value instanceof Int) return value.value !== 0n;
  if (typeof value === 'object') return true;
  return typeof value === 'string' ? value !== '' : typeof value === 'number' ? value !== 0 : value;
}
