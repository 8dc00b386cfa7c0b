import { equalValues, isUnknown, type Value } from '../../base/value.ts';
import { compareStrings } from '../../gostd/jsonPrint.ts';
import { unknownVal } from './unknown.ts';
import {
  type CelError,
  type CelMap,
  error,
  isError,
  isKind,
  itemAt,
  type List,
  noSuchOverload,
  orNoSuchOverload,
  sizeOfList,
  type Tagged,
  type Val,
} from './values.ts';
import { spend, spendText } from './work.ts';

const twoTo63 = 2 ** 63;
const twoTo64 = 2 ** 64;

/** Whether two values are equal: true, false, or an error where they hold one. */
export function equal(a: Val, b: Val): Val {
  switch (typeof a) {
    case 'bigint':
      return typeof b === 'bigint' ? a === b : equalNumbers(a, b);
    case 'string':
      if (typeof b === 'string' && a.length === b.length) spendText(a.length);
      return a === b;
    case 'boolean':
      return a === b;
    case 'number':
      return typeof b === 'number' ? a === b : equalNumbers(a, b);
    default:
      if (a === null || b === null) return a === b;
      return equalTagged(a, b);
  }
}

/** What Go's method Equal says: unlike the operator, it does not ask for null first, which some values refuse. */
export function equalAsItem(a: Val, b: Val): Val {
  return b === null && typeof a === 'object' && a !== null ? equalTagged(a, b) : equal(a, b);
}

export function isEqual(a: Val, b: Val): boolean {
  return equal(a, b) === true;
}

function equalNumbers(a: bigint | number, b: Val): boolean {
  const order = compareNumbers(a, b);
  return order === 0;
}

function equalTagged(a: Tagged, b: Val): Val {
  switch (a.kind) {
    case 'uint':
      return isKind(b, 'uint') ? a.value === b.value : compareNumbers(b, a) === 0;
    case 'bytes':
      return isKind(b, 'bytes') && a.bytes.length === b.bytes.length && compareBytes(a.bytes, b.bytes) === 0;
    case 'duration':
      return isKind(b, 'duration') && a.nanos === b.nanos;
    case 'timestamp':
      return isKind(b, 'timestamp') && a.seconds === b.seconds && a.nanos === b.nanos;
    case 'type':
      return isKind(b, 'type') && a.type.name === b.type.name;
    case 'optional':
      if (!isKind(b, 'optional')) return false;
      if (a.value === undefined || b.value === undefined) return a.value === b.value;
      return a.value === null ? b.value === null : equal(a.value, b.value);
    case 'error':
      return a;
    case 'textInPart':
    case 'sizeInPart':
      return unknownVal;
    case 'list':
      return a.habits ? a.habits.equal(a, b) : equalLists(a, b);
    case 'map':
      return a.equal ? a.equal(b) : equalMaps(a, b);
    case 'opaque':
      return a.equal(b);
    case 'preserved':
      return isKind(b, 'preserved') && equalRaw(a.raw, b.raw);
  }
}

function equalLists(a: List, b: Val): boolean {
  if (!isKind(b, 'list')) return false;
  const size = sizeOfList(a);
  if (size !== sizeOfList(b)) return false;
  spend(size);
  for (let i = 0; i < size; i++) if (equal(itemAt(a, i), itemAt(b, i)) === false) return false;
  return true;
}

function equalMaps(a: CelMap, b: Val): boolean {
  if (!isKind(b, 'map') || a.size !== b.size) return false;
  spend(a.size);
  for (const key of a.keys()) {
    const other = b.find(key);
    if (other === undefined || equal(a.find(key)!, other) === false) return false;
  }
  return true;
}

/** Whether two parts of documents are equal. */
export function equalRaw(a: Value, b: Value): boolean {
  spend(Math.min(partsOf(a), partsOf(b)));
  return equalValues(a, b);
}

/** Not a memo: there is one for each part of a value, and it is only a number. */
const parts = new WeakMap<object, number>();

/** How many values there are in a part of a document, which stays as it is. */
function partsOf(value: Value): number {
  if (typeof value !== 'object' || value === null || isUnknown(value)) return 1;
  const known = parts.get(value);
  if (known !== undefined) return known;
  let count = 1;
  for (const item of value.values()) count += partsOf(item);
  parts.set(value, count);
  return count;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  spendText(Math.min(a.length, b.length));
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return Math.sign(a.length - b.length);
}

/** -1, 0 or 1 across the numeric types; undefined where one is not a number or NaN. */
function compareNumbers(a: Val, b: Val): number | undefined {
  const left = isKind(a, 'uint') ? a.value : a;
  const right = isKind(b, 'uint') ? b.value : b;
  if (typeof left !== 'bigint' && typeof left !== 'number') return undefined;
  if (typeof right !== 'bigint' && typeof right !== 'number') return undefined;
  if (typeof left === 'number' && typeof right === 'bigint') return compareDouble(left, right, isKind(b, 'uint'));
  if (typeof left === 'bigint' && typeof right === 'number') {
    const order = compareDouble(right, left, isKind(a, 'uint'));
    return order === undefined ? undefined : -order;
  }
  if (left < right) return -1;
  if (left > right) return 1;
  return left >= right ? 0 : undefined;
}

/** A double beside an integer: as cel-go, first by range, then as doubles. */
function compareDouble(double: number, integer: bigint, unsigned: boolean): number | undefined {
  if (Number.isNaN(double)) return undefined;
  if (double < (unsigned ? 0 : -twoTo63)) return -1;
  if (double > (unsigned ? twoTo64 : twoTo63)) return 1;
  const other = Number(integer);
  return double < other ? -1 : double > other ? 1 : 0;
}

const nan = error('NaN values cannot be ordered');

/** The order of two values, or why they have none. */
export function compare(a: Val, b: Val): number | CelError {
  switch (typeof a) {
    case 'bigint':
      if (typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
      return orderNumbers(a, b);
    case 'number':
      return orderNumbers(a, b);
    case 'string':
      return typeof b === 'string' ? compareStrings(a, b) : orNoSuchOverload(b);
    case 'boolean':
      return typeof b === 'boolean' ? Number(a) - Number(b) : orNoSuchOverload(b);
    default:
      return a === null ? noSuchOverload : compareTagged(a, b);
  }
}

function orderNumbers(a: Val, b: Val): number | CelError {
  if ((typeof a === 'number' && Number.isNaN(a)) || (typeof b === 'number' && Number.isNaN(b))) return nan;
  return compareNumbers(a, b) ?? orNoSuchOverload(b);
}

function compareTagged(a: Tagged, b: Val): number | CelError {
  switch (a.kind) {
    case 'uint':
      return orderNumbers(a, b);
    case 'bytes':
      return isKind(b, 'bytes') ? compareBytes(a.bytes, b.bytes) : orNoSuchOverload(b);
    case 'duration':
      if (!isKind(b, 'duration')) return orNoSuchOverload(b);
      return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
    case 'timestamp':
      if (!isKind(b, 'timestamp')) return orNoSuchOverload(b);
      if (a.seconds !== b.seconds) return a.seconds < b.seconds ? -1 : 1;
      return Math.sign(a.nanos - b.nanos);
    default:
      return isError(a) ? a : noSuchOverload;
  }
}

/** Whether values of this kind have an order at all. */
export function isComparable(value: Val): boolean {
  if (typeof value !== 'object') return true;
  if (value === null) return false;
  return value.kind === 'uint' || value.kind === 'bytes' || value.kind === 'duration' || value.kind === 'timestamp';
}
