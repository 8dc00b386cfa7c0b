import {
  type Bytes,
  bytes,
  duration,
  error,
  isKind,
  itemsOfList,
  type List,
  list,
  orNoSuchOverload,
  sizeOfList,
  type Timestamp,
  timestamp,
  uint,
  type Val,
} from './values.ts';
import { spend, spendText } from './work.ts';

export const intOverflow = error('integer overflow');
export const uintOverflow = error('unsigned integer overflow');
const timestampOverflow = error('timestamp overflow');
const divideByZero = error('division by zero');
const modulusByZero = error('modulus by zero');

export const minInt = -(2n ** 63n);
export const maxInt = 2n ** 63n - 1n;
export const maxUint = 2n ** 64n - 1n;
const minUnix = -62135596800n;
const maxUnix = 253402300799n;
const billion = 1_000_000_000n;

export function int(value: bigint): Val {
  return value < minInt || value > maxInt ? intOverflow : value;
}

function unsigned(value: bigint): Val {
  return value < 0n || value > maxUint ? uintOverflow : uint(value);
}

function nanos(value: bigint): Val {
  return value < minInt || value > maxInt ? intOverflow : duration(value);
}

/** Whether a moment lies within the years 1 to 9999. */
export function isMoment(seconds: bigint): boolean {
  return seconds >= minUnix && seconds <= maxUnix;
}

export function moment(seconds: bigint, nanoseconds: number, zone?: number): Val {
  return isMoment(seconds) ? timestamp(seconds, nanoseconds, zone) : timestampOverflow;
}

function shift(time: Timestamp, by: bigint): Val {
  let seconds = time.seconds + by / billion;
  let rest = time.nanos + Number(by % billion);
  if (rest < 0) {
    rest += 1e9;
    seconds -= 1n;
  } else if (rest >= 1e9) {
    rest -= 1e9;
    seconds += 1n;
  }
  if (seconds < minInt || seconds > maxInt) return intOverflow;
  return moment(seconds, rest, time.zone);
}

function between(a: Timestamp, b: Timestamp): Val {
  const seconds = (a.seconds - b.seconds) * billion;
  if (seconds < minInt || seconds > maxInt) return intOverflow;
  return nanos(seconds + BigInt(a.nanos - b.nanos));
}

export function add(a: Val, b: Val): Val {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? int(a + b) : orNoSuchOverload(b);
  if (typeof a === 'string') return typeof b === 'string' ? addTexts(a, b) : orNoSuchOverload(b);
  if (typeof a === 'number') return typeof b === 'number' ? a + b : orNoSuchOverload(b);
  if (isKind(a, 'list')) return addLists(a, b);
  if (isKind(a, 'uint')) return isKind(b, 'uint') ? unsigned(a.value + b.value) : orNoSuchOverload(b);
  if (isKind(a, 'bytes')) return isKind(b, 'bytes') ? concatBytes(a, b) : orNoSuchOverload(b);
  return addTimes(a, b);
}

function addTexts(a: string, b: string): string {
  spendText(a.length + b.length);
  return a + b;
}

function addTimes(a: Val, b: Val): Val {
  if (isKind(a, 'duration')) {
    if (isKind(b, 'duration')) return nanos(a.nanos + b.nanos);
    if (isKind(b, 'timestamp')) return shift(b, a.nanos);
  } else if (isKind(a, 'timestamp') && isKind(b, 'duration')) return shift(a, b.nanos);
  return orNoSuchOverload(b);
}

function concatBytes(a: Bytes, b: Bytes): Bytes {
  spendText(a.bytes.length + b.bytes.length);
  const joined = new Uint8Array(a.bytes.length + b.bytes.length);
  joined.set(a.bytes);
  joined.set(b.bytes, a.bytes.length);
  return bytes(joined);
}

function addLists(a: List, b: Val): Val {
  if (!isKind(b, 'list')) return orNoSuchOverload(b);
  spend(a.growing ? sizeOfList(b) : sizeOfList(a) + sizeOfList(b));
  if (a.growing) {
    const into = a.items as Val[];
    for (const item of itemsOfList(b)) into.push(item);
    return a;
  }
  if (a.habits) return a.habits.add(a, b);
  if (sizeOfList(a) === 0) return b;
  if (sizeOfList(b) === 0) return a;
  return { ...list([...itemsOfList(a), ...itemsOfList(b)]), joined: true };
}

export function subtract(a: Val, b: Val): Val {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? int(a - b) : orNoSuchOverload(b);
  if (typeof a === 'number') return typeof b === 'number' ? a - b : orNoSuchOverload(b);
  if (isKind(a, 'uint')) return isKind(b, 'uint') ? unsigned(a.value - b.value) : orNoSuchOverload(b);
  if (isKind(a, 'duration')) return isKind(b, 'duration') ? nanos(a.nanos - b.nanos) : orNoSuchOverload(b);
  if (isKind(a, 'timestamp')) {
    if (isKind(b, 'timestamp')) return between(a, b);
    if (isKind(b, 'duration')) return b.nanos === minInt ? intOverflow : shift(a, -b.nanos);
  }
  return orNoSuchOverload(b);
}

export function multiply(a: Val, b: Val): Val {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? int(a * b) : orNoSuchOverload(b);
  if (typeof a === 'number') return typeof b === 'number' ? a * b : orNoSuchOverload(b);
  if (isKind(a, 'uint')) return isKind(b, 'uint') ? unsigned(a.value * b.value) : orNoSuchOverload(b);
  return orNoSuchOverload(b);
}

export function divide(a: Val, b: Val): Val {
  if (typeof a === 'bigint') {
    if (typeof b !== 'bigint') return orNoSuchOverload(b);
    return b === 0n ? divideByZero : int(a / b);
  }
  if (typeof a === 'number') return typeof b === 'number' ? a / b : orNoSuchOverload(b);
  if (!isKind(a, 'uint') || !isKind(b, 'uint')) return orNoSuchOverload(b);
  return b.value === 0n ? divideByZero : uint(a.value / b.value);
}

export function modulo(a: Val, b: Val): Val {
  if (typeof a === 'bigint') {
    if (typeof b !== 'bigint') return orNoSuchOverload(b);
    if (b === 0n) return modulusByZero;
    return a === minInt && b === -1n ? intOverflow : a % b;
  }
  if (!isKind(a, 'uint') || !isKind(b, 'uint')) return orNoSuchOverload(b);
  return b.value === 0n ? modulusByZero : uint(a.value % b.value);
}

export function negate(a: Val): Val {
  if (typeof a === 'bigint') return int(-a);
  if (typeof a === 'number') return -a;
  if (isKind(a, 'duration')) return nanos(-a.nanos);
  return orNoSuchOverload(a);
}
