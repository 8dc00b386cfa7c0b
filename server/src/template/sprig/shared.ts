/** What the families of Sprig's functions share. */
import { goBytes, goLength, goText, offsetOfByte } from '../../gostd/bytes.ts';
import { printed } from '../format.ts';
import { type From, Joined, Later, loosely, type Part, sliceOf } from '../from.ts';
import { meterValue } from '../meter.ts';
import {
  type Cell,
  cell,
  GoError,
  GoList,
  GoMap,
  type GoValue,
  Int,
  isBytes,
  isNil,
  kindName,
  OpenMap,
  textOfBytes,
} from '../value.ts';

/** What Go says where a method of no value is called. */
export const nilPointer = 'runtime error: invalid memory address or nil pointer dereference';

/** Sprig's own way from any value to a text. */
export function textOf(value: GoValue): string {
  if (typeof value === 'string') return value;
  return isBytes(value) ? textOfBytes(value) : printed(value);
}

/** The same, with its origin. */
export function textCell(one: Cell): Cell {
  if (typeof one.value === 'string') return one;
  const isWhole = !(one.value instanceof GoList || one.value instanceof GoMap);
  return cell(textOf(one.value), isWhole ? one.from : loosely(one.from));
}

/** What Sprig takes for empty, which for conditions is false. */
export function isEmpty(value: GoValue): boolean {
  if (isNil(value)) return true;
  if (typeof value === 'string') return value === '';
  if (typeof value === 'number') return value === 0;
  if (typeof value === 'boolean') return !value;
  if (value instanceof Int) return value.value === 0n;
  if (value instanceof GoList) return value.items.length === 0;
  return value instanceof GoMap && value.size === 0;
}

export function numberOf(value: GoValue): number {
  return Number((value as Int).value);
}

/** A text made of parts when somebody asks: its value is known before. */
export function madeOf(text: string, of: readonly From[], parts: () => readonly Part[]): Cell {
  return cell(text, new Later(of, () => new Joined(parts())));
}

/** A part of a text. */
export function cutOf(one: Cell, start: number, end: number): Cell {
  const text = one.value as string;
  if (start <= 0 && end >= text.length) return one;
  const part = sliceOf(text, one.from, start, end);
  return cell(part.text, part.from);
}

/** A part of a text by its bytes, as Go counts. */
export function cutBytes(one: Cell, start: number, end: number, from: From): Cell {
  const text = one.value as string;
  if (goLength(text) === text.length && !/[\udc80-\udcff]/.test(text)) return cutOf(one, start, end);
  const [first, last] = [offsetOfByte(text, start), offsetOfByte(text, end)];
  if (first !== undefined && last !== undefined) return cutOf(one, first, last);
  return cell(goText(goBytes(text).subarray(start, end)), from);
}

/** The items of a list; `doing` is what Sprig says that it cannot do with anything else. */
export function itemsOf(value: GoValue, doing: (kind: string) => string): readonly Cell[] {
  if (value instanceof GoList) return value.items;
  if (value instanceof OpenMap && value.isBare) return itemsOf(value.inPlaceOf('[]interface {}'), doing);
  if (isNil(value)) throw new GoError(nilPointer);
  throw new GoError(doing(kindName(value)));
}

/** The texts of a list's items, without those that are nil; of anything else, its own. */
export function textsOf(one: Cell): Cell[] {
  const { value } = one;
  if (value instanceof GoList) return value.items.filter((item) => !isNil(item.value)).map(textCell);
  return isNil(value) ? [] : [textCell(one)];
}

export function isSameValue(a: GoValue, b: GoValue): boolean {
  meterValue();
  if (isNil(a) || isNil(b)) return isNil(a) && isNil(b);
  if (a instanceof Int) return b instanceof Int && a.type === b.type && a.value === b.value;
  if (a instanceof GoList) return b instanceof GoList && a.type === b.type && sameItems(a.items, b.items);
  if (a instanceof GoMap) return b instanceof GoMap && a.type === b.type && sameEntries(a, b);
  return a === b;
}

function sameItems(a: readonly Cell[], b: readonly Cell[]): boolean {
  return a.length === b.length && a.every(({ value }, i) => isSameValue(value, b[i]!.value));
}

function sameEntries(a: GoMap, b: GoMap): boolean {
  if (a === b) return true;
  return (
    a.size === b.size &&
    a.keys().every((key) => {
      const other = b.get(key);
      return other !== undefined && isSameValue(a.get(key)!.value, other.value);
    })
  );
}
