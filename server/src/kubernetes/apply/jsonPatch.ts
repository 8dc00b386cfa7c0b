import { pointerSteps } from '../../base/jsonPointer.ts';
import { grouped } from '../../base/text.ts';
import { equalValues, isList, isMap, type Value, valueAt } from '../../base/value.ts';
import { printedSize } from '../../gostd/jsonPrint.ts';
import { quote } from '../../gostd/quote.ts';

// JSON patches, as the API server's library (evanphx/json-patch) applies them: with indexes from the end, with its words,
// and where it lets something pass that the RFC does not.

export type Patched = { readonly value: Value } | Failed;

interface Failed {
  readonly error: string;
  /** A `test` has failed: the library tells that apart from a patch that cannot be applied. */
  readonly isTest?: true;
}

/** How many entries all patches of one case may copy: each copies what lies around its place. */
const mostCopied = 2_000_000;

/** The API server's own bound of what `copy` adds to a document, in bytes of JSON: copies of copies double each time. */
const mostCopiedBytes = 3 * 1024 * 1024;

/** Whatever walks through the object afterwards goes down by recursion. */
const mostLevels = 1_000;

/** What the patches of one case have come to. Parts that stay as they are, are measured once. */
interface Measured {
  copiedBytes: number;
  readonly sizes: WeakMap<object, number>;
  readonly levels: WeakMap<object, number>;
}

/** The document with the patches, or the words of the first one that does not apply. */
export function jsonPatched(document: Value, patches: readonly Value[]): Patched {
  let now: Patched = { value: document };
  let copied = 0;
  // Not a memo: sizes hold for one patch, in which values are made and gone.
  const measured: Measured = { copiedBytes: 0, sizes: new WeakMap(), levels: new WeakMap() };
  for (const patch of patches) {
    const read = readPatch(patch);
    if ('error' in read) return read;
    copied += sizeAround(now.value, read.place) + (read.from ? sizeAround(now.value, read.from) : 0);
    if (copied > mostCopied) return { error: `the patches copy more than ${grouped(mostCopied)} entries` };
    now = applied(now.value, read, measured);
    if ('error' in now) return now;
    if (levelsOf(now.value, measured.levels, mostLevels) > mostLevels) {
      return { error: `the patched object is nested more than ${grouped(mostLevels)} levels deep` };
    }
  }
  return now;
}

const ops = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;
type Op = (typeof ops)[number];

/** A place in a document: the way to the list or map around it, and what leads from there to it. */
interface Place {
  readonly pointer: string;
  readonly steps: readonly string[];
  readonly key: string | undefined;
}

interface Patch {
  readonly op: Op;
  readonly place: Place;
  /** Where the value of `move` and `copy` comes from. */
  readonly from: Place | undefined;
  readonly put: Value;
}

function readPatch(patch: Value): Patch | Failed {
  const [named, pointer, from] = ['op', 'path', 'from'].map((key) => valueAt(patch, [key]));
  const op = ops.find((one) => one === named);
  if (!op) return { error: `a patch asks for ${typeof named === 'string' ? named : 'nothing'}, which is not known` };
  const takes = op === 'move' || op === 'copy';
  if (takes && typeof from !== 'string')
    return { error: `${op} operation failed to decode from: operation, missing from field: missing value` };
  if (typeof pointer !== 'string') return { error: `${op} operation failed to decode path: ${noPath(op)}` };
  const put = valueAt(patch, ['value']) ?? null;
  return { op, place: placeOf(pointer), from: takes ? placeOf(String(from)) : undefined, put };
}

/** Some operations hand on what reading the path said. */
function noPath(op: Op): string {
  const hands = op === 'replace' || op === 'test' || op === 'move';
  return hands ? 'operation missing path field: missing value' : 'missing value';
}

function placeOf(pointer: string): Place {
  const steps = pointerSteps(pointer);
  const key = steps.pop();
  return { pointer, steps, key };
}

/** How deep a value is; of one that is deeper than asked, a number beyond that. */
function levelsOf(value: Value, known: Measured['levels'], most: number): number {
  if (!isList(value) && !isMap(value)) return 0;
  const before = known.get(value);
  if (before !== undefined) return before;
  if (most === 0) return 1;
  let inner = 0;
  for (const item of value.values()) {
    inner = Math.max(inner, levelsOf(item, known, most - 1));
    if (inner >= most) return most + 1;
  }
  known.set(value, inner + 1);
  return inner + 1;
}

function applied(document: Value, patch: Patch, measured: Measured): Patched {
  switch (patch.op) {
    case 'move':
      return moved(document, patch.from!, patch.place);
    case 'copy':
      return copied(document, patch.from!, patch.place, measured);
    case 'test':
      return tested(document, patch);
    case 'replace':
      return patch.place.pointer === '' ? whole(patch.put) : changed(document, patch.place, 'replace', patch.put);
    default:
      return changed(document, patch.place, patch.op, patch.put);
  }
}

function whole(put: Value): Patched {
  return isMap(put) || isList(put) ? { value: put } : { error: 'replace operation value must be object or array' };
}

function changed(document: Value, place: Place, op: Change, put: Value): Patched {
  const { pointer, steps, key } = place;
  const around = containers(document, steps);
  const last = around?.at(-1);
  if (!around || !last || key === undefined) {
    const path = op === 'replace' ? pointer : `"${pointer}"`;
    return { error: `${op} operation does not apply: doc is missing path: ${path}: missing value` };
  }
  const now = changedIn(last, key, op, put);
  if (typeof now !== 'string') return { value: rebuilt(around, steps, now) };
  return {
    error:
      op === 'replace'
        ? `replace operation does not apply: doc is missing key: ${pointer}: missing value`
        : `error in ${op} for path: '${pointer}': ${now}`,
  };
}

type Change = 'add' | 'remove' | 'replace';

function changedIn(at: Container, key: string, op: Change, put: Value): Container | string {
  return isMap(at) ? changedMap(at, key, op, put) : changedList(at, key, op, put);
}

/** What is at a place: undefined for a key that is not there, or why nothing can be. */
type Found = { readonly value: Value | undefined } | { readonly missing: true } | { readonly wrong: string };

function found(document: Value, { steps, key }: Place): Found {
  const last = containers(document, steps)?.at(-1);
  if (!last || key === undefined) return { missing: true };
  if (isMap(last)) return { value: last.get(key) };
  const index = indexIn(key, last.length);
  return typeof index === 'string' ? { wrong: index } : { value: last[index] };
}

function moved(document: Value, from: Place, to: Place): Patched {
  const at = found(document, from);
  if ('missing' in at)
    return { error: `move operation does not apply: doc is missing from path: ${from.pointer}: missing value` };
  if ('wrong' in at) return { error: `error in move for path: '${from.key}': ${at.wrong}` };
  const around = containers(document, from.steps)!;
  const left = changedIn(around.at(-1)!, from.key!, 'remove', null);
  if (typeof left === 'string') return { error: `error in move for path: '${from.key}': ${left}` };
  return added(
    rebuilt(around, from.steps, left),
    to,
    at.value ?? null,
    'move',
    `error in move for path: '${to.pointer}'`,
  );
}

function copied(document: Value, from: Place, to: Place, measured: Measured): Patched {
  const at = found(document, from);
  if ('missing' in at)
    return { error: `copy operation does not apply: doc is missing from path: ${from.pointer}: missing value` };
  if ('wrong' in at) return { error: `error in copy for from: '${from.pointer}': ${at.wrong}` };
  const put = at.value ?? null;
  if (containers(document, to.steps) && to.key !== undefined) {
    // For the library a null at the place itself has no size.
    measured.copiedBytes += put === null ? 0 : printedSize(put, measured.sizes);
    if (measured.copiedBytes > mostCopiedBytes) return { error: tooLarge(measured.copiedBytes) };
  }
  return added(document, to, put, 'copy', 'error while adding value during copy');
}

function tooLarge(bytes: number): string {
  const what = 'the accumulated size increase of copy';
  return `Unable to complete the copy, ${what} is ${bytes}, exceeding the limit ${mostCopiedBytes}`;
}

function added(document: Value, to: Place, put: Value, op: Op, wrong: string): Patched {
  const around = containers(document, to.steps);
  const last = around?.at(-1);
  if (!around || !last || to.key === undefined)
    return { error: `${op} operation does not apply: doc is missing destination path: ${to.pointer}: missing value` };
  const now = changedIn(last, to.key, 'add', put);
  return typeof now === 'string' ? { error: `${wrong}: ${now}` } : { value: rebuilt(around, to.steps, now) };
}

function tested(document: Value, { place, put }: Patch): Patched {
  const { pointer } = place;
  const at = pointer === '' ? { value: document } : found(document, place);
  if ('missing' in at) return { error: `test operation does not apply: is missing path: ${pointer}: missing value` };
  if ('wrong' in at) return { error: `error in test for path: '${pointer}': ${at.wrong}` };
  if (equalValues(at.value ?? null, put)) return { value: document };
  return { error: `testing value ${pointer} failed: test failed`, isTest: true };
}

function sizeAround(document: Value, { steps }: Place): number {
  return (containers(document, steps) ?? []).reduce((sum, one) => sum + (isMap(one) ? one.size : one.length), 0);
}

type Container = readonly Value[] | ReadonlyMap<string, Value>;

/** What lies around a place, from the outside to the inside; undefined where something on the way is not there. */
function containers(document: Value, steps: readonly string[]): Container[] | undefined {
  const found: Container[] = [];
  let at: Value | undefined = document;
  for (const step of steps) {
    if (!isList(at) && !isMap(at)) return undefined;
    found.push(at);
    if (isMap(at)) at = at.get(step);
    else {
      const index = indexIn(step, at.length);
      at = typeof index === 'number' ? at[index] : undefined;
    }
  }
  return isList(at) || isMap(at) ? [...found, at] : undefined;
}

/** The same containers with another one in the innermost place. */
function rebuilt(around: readonly Container[], steps: readonly string[], inside: Container): Value {
  let value: Container = inside;
  for (let i = steps.length - 1; i >= 0; i--) {
    const at = around[i]!;
    const step = steps[i]!;
    value = isMap(at) ? new Map(at).set(step, value) : at.with(Number(indexIn(step, at.length)), value);
  }
  return value;
}

/** The changed map, or what is wrong; a key that is not there can be replaced all the same. */
function changedMap(at: ReadonlyMap<string, Value>, key: string, op: Change, put: Value): Container | string {
  const map = new Map(at);
  if (op !== 'remove') return map.set(key, put);
  return map.delete(key) ? map : `Unable to remove nonexistent key: ${key}: missing value`;
}

function changedList(at: readonly Value[], key: string, op: Change, put: Value): Container | string {
  if (op === 'add' && key === '-') return [...at, put];
  const index = indexIn(key, op === 'add' ? at.length + 1 : at.length);
  if (typeof index === 'string')
    return op === 'add' && index.startsWith('strconv')
      ? `value was not a proper array index: '${key}': ${index}`
      : index;
  if (op === 'replace') return at.with(index, put);
  return op === 'add' ? at.toSpliced(index, 0, put) : at.toSpliced(index, 1);
}

/** The index that a step names in a list of so many items, or Go's words about one that names none. */
function indexIn(step: string, length: number): number | string {
  const plain = step.replace(/^([+-]?)0+(?=\d)/, '$1');
  if (!/^[+-]?\d+$/.test(plain)) return `strconv.Atoi: parsing ${quote(step)}: invalid syntax`;
  const whole = plain.length > 20 ? undefined : BigInt(plain.replace('+', ''));
  if (whole === undefined || BigInt.asIntN(64, whole) !== whole)
    return `strconv.Atoi: parsing ${quote(step)}: value out of range`;
  const index = whole < 0n ? whole + BigInt(length) : whole;
  if (index < 0n || index >= length) return `Unable to access invalid index: ${whole}: invalid index referenced`;
  return Number(index);
}
