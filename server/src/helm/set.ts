/** What `--set` says: `a.b=c,d[0]=e,f={1,2}`, as Helm reads it. */
import { parseGoInt } from '../gostd/parseInt.ts';
import { quote } from '../gostd/quote.ts';
import type { From } from '../template/from.ts';
import { type Cell, cell, GoList, GoMap, type GoValue, Int, isNil, ofEngine, typeName } from '../template/value.ts';
import { copyOf } from './values.ts';

/** An item of a list may be named by no larger number. */
const largestIndex = 65_536;

/** Levels of names in one path. */
const deepestName = 30;

/** What cannot be read, in Helm's words. */
export class SetError extends Error {}

/** More items of lists than there is room for: not an error of Helm's, but a bound of ours. */
export class TooManyItems extends Error {}

export interface SetOptions {
  /** Where the values come from. */
  readonly from?: From;
  /** Every value is a text, as with `--set-string`. */
  readonly isText?: boolean;
  /** How many items lists may get. */
  readonly room?: { left: number };
}

/** The values with what is set; an error says what cannot be read. */
export function withSet(values: GoMap, text: string): GoMap {
  const copy = copyOf(values);
  try {
    setInto(copy, text);
  } catch (error) {
    if (error instanceof SetError) throw new Error(`--set ${text}: ${error.message}`);
    throw error;
  }
  return copy;
}

/** Changes a map, and the maps and lists in it. Throws a `SetError`. */
export function setInto(values: GoMap, text: string, options: SetOptions = {}): void {
  const setter = new Setter(text, options);
  while (setter.key(values, 0) === 'more');
}

/** Whether there is more to read, or the text was at its end where there should have been something. */
type Left = 'more' | 'end';

class Setter {
  private readonly runes: readonly string[];
  private readonly from: From;
  private readonly isText: boolean;
  private readonly room: SetOptions['room'];
  private at = 0;

  constructor(text: string, { from = ofEngine, isText = false, room }: SetOptions) {
    this.room = room;
    this.runes = Array.from(text);
    this.from = from;
    this.isText = isText;
  }

  key(map: GoMap, level: number): Left {
    const [name, last] = this.until('=[,.');
    if (last === undefined && name === '') return 'end';
    if (last === undefined) throw new SetError(`key ${quote(name)} has no value`);
    if (last === ',') throw new SetError(`key ${quote(name)} has no value (cannot end with ,)`);
    if (last === '[') return this.listAt(map, name, level);
    return last === '.' ? this.mapAt(map, name, level + 1) : this.valueFor((value) => put(map, name, value));
  }

  private listAt(map: GoMap, name: string, level: number): Left {
    const index = this.index();
    const known = map.has(name) ? map.get(name)!.value : new GoList([]);
    if (!(known instanceof GoList)) throw isAnother(known, '[]interface {}');
    const [list, left] = this.item(known, index, level);
    put(map, name, this.cell(list));
    return left;
  }

  private mapAt(map: GoMap, name: string, level: number): Left {
    if (level > deepestName)
      throw new SetError(`value name nested level is greater than maximum supported nested level of ${deepestName}`);
    const known = map.has(name) ? map.get(name)! : this.cell(new GoMap());
    if (!(known.value instanceof GoMap)) throw isAnother(known.value, 'map[string]interface {}');
    const left = this.key(known.value, level);
    if (left === 'more' && known.value.size === 0) throw new SetError(`key map ${quote(name)} has no value`);
    if (known.value.size > 0) put(map, name, known);
    return left;
  }

  /** What is behind the index of a list; gives the list with it. */
  private item(list: GoList, index: number, level: number): [GoList, Left] {
    if (index < 0) throw new SetError(`negative ${index} index not allowed`);
    const [extra, last] = this.until('[.=');
    if (extra !== '') throw new SetError(`unexpected data at end of array index: ${quote(extra)}`);
    if (last === undefined) return [list, 'end'];
    if (last === '[') return this.listIn(list, index, level);
    if (last === '.') return this.mapIn(list, index, level);
    let changed = list;
    this.valueFor((value) => {
      changed = this.put(list, index, value);
    });
    return [changed, 'more'];
  }

  private listIn(list: GoList, index: number, level: number): [GoList, Left] {
    const next = this.index();
    const known = list.items[index]?.value ?? new GoList([]);
    if (!(known instanceof GoList)) throw isAnother(known, '[]interface {}');
    const [inner, left] = this.item(known, next, level);
    if (left === 'end') return [list, left];
    return [this.put(list, index, this.cell(inner)), left];
  }

  private mapIn(list: GoList, index: number, level: number): [GoList, Left] {
    const known = list.items[index];
    const inner = known?.value instanceof GoMap ? known : this.cell(new GoMap());
    if (known && known !== inner) this.put(list, index, inner);
    const left = this.key(inner.value as GoMap, level);
    return left === 'end' ? [list, left] : [this.put(list, index, inner), left];
  }

  private put(list: GoList, index: number, value: Cell): GoList {
    if (this.room && index <= largestIndex) this.room.left -= Math.max(0, index + 1 - list.items.length);
    if (this.room && this.room.left < 0) throw new TooManyItems('too many items are set');
    return putItem(list, index, value);
  }

  private valueFor(take: (value: Cell) => void): Left {
    if (this.at >= this.runes.length) {
      take(this.cell(''));
      return 'end';
    }
    take(this.runes[this.at] === '{' ? this.list() : this.typed(this.until(',')[0]));
    return 'more';
  }

  private list(): Cell {
    this.at++;
    const items: Cell[] = [];
    for (;;) {
      const [text, last] = this.until(',}');
      if (last === undefined) throw new SetError("list must terminate with '}'");
      items.push(this.typed(text));
      if (last === ',') continue;
      if (this.runes[this.at] === ',') this.at++;
      return this.cell(new GoList(items));
    }
  }

  private index(): number {
    const [text, last] = this.until(']');
    if (last === undefined) throw new SetError('error parsing index: EOF');
    const read = parseGoInt(text, 10);
    if ('error' in read) throw new SetError(`error parsing index: strconv.Atoi: parsing ${quote(text)}: ${read.error}`);
    return Number(read.value);
  }

  /** The text up to the first of some characters without a backslash before it, and that; none at the end. */
  private until(ends: string): [string, string | undefined] {
    const { runes } = this;
    let text = '';
    while (this.at < runes.length) {
      const rune = runes[this.at++]!;
      if (ends.includes(rune)) return [text, rune];
      if (rune !== '\\') text += rune;
      else if (this.at < runes.length) text += runes[this.at++]!;
    }
    return [text, undefined];
  }

  private typed(text: string): Cell {
    return this.cell(this.isText ? text : typed(text));
  }

  private cell(value: GoValue): Cell {
    return cell(value, this.from);
  }
}

const words: ReadonlyMap<string, GoValue> = new Map<string, GoValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function typed(text: string): GoValue {
  const word = words.get(text.toLowerCase());
  if (word !== undefined) return word;
  const read = text === '0' || !text.startsWith('0') ? parseGoInt(text, 10) : undefined;
  return read && !('error' in read) ? new Int(read.value, 'int64') : text;
}

function isAnother(value: GoValue, type: string): SetError {
  const own = isNil(value) ? 'nil' : typeName(value);
  return new SetError(`unable to parse key: interface conversion: interface {} is ${own}, not ${type}`);
}

function put(map: GoMap, name: string, value: Cell): void {
  if (name !== '') map.set(name, value);
}

/** The list itself is changed as long as it is long enough, and is seen by all who have it. */
function putItem(list: GoList, index: number, value: Cell): GoList {
  if (index > largestIndex)
    throw new SetError(`index of ${index} is greater than maximum supported index of ${largestIndex}`);
  const items = list.items as Cell[];
  if (index < items.length) {
    items[index] = value;
    return list;
  }
  const longer = [...items];
  while (longer.length < index) longer.push(cell(null, value.from));
  longer.push(value);
  return new GoList(longer);
}
