import { isList, isMap, type Value, valueAt } from '../base/value.ts';
import { quote } from '../gostd/quote.ts';

// JSON patches, as the API server's library (evanphx/json-patch) applies them: with indexes from the end, with its words,
// and where it lets something pass that the RFC does not.

export type Patched = { readonly value: Value } | { readonly error: string };

/** How many entries all patches of one case may copy: each copies what lies around its place. */
const mostCopied = 2_000_000;

/** The document with the patches, or the words of the first one that does not apply. */
export function jsonPatched(document: Value, patches: readonly Value[]): Patched {
  let now: Patched = { value: document };
  let copied = 0;
  for (const patch of patches) {
    const read = readPatch(patch);
    if ('error' in read) return read;
    if (read.whole) {
      now = { value: read.put };
      continue;
    }
    const around = containers(now.value, read.steps);
    copied += (around ?? []).reduce((sum, one) => sum + (isMap(one) ? one.size : one.length), 0);
    if (copied > mostCopied) return { error: `the patches copy more than ${mostCopied.toLocaleString('en')} entries` };
    now = applied(around, read);
    if ('error' in now) return now;
  }
  return now;
}

const ops = ['add', 'remove', 'replace'] as const;

interface Patch {
  readonly op: (typeof ops)[number];
  readonly pointer: string;
  /** The way to the list or map that is changed, and the place in it. */
  readonly steps: readonly string[];
  readonly key: string | undefined;
  readonly put: Value;
  /** Whether the whole document is replaced. */
  readonly whole: boolean;
}

/** Patches of CRDs add, replace and remove. */
function readPatch(patch: Value): Patch | { readonly error: string } {
  const [named, pointer] = ['op', 'path'].map((key) => valueAt(patch, [key]));
  const op = ops.find((one) => one === named);
  if (!op) return { error: `a patch asks for ${typeof named === 'string' ? named : 'nothing'}, which is not known` };
  if (typeof pointer !== 'string') return { error: `${op} operation failed to decode path: missing value` };
  const put = valueAt(patch, ['value']) ?? null;
  const whole = op === 'replace' && pointer === '';
  if (whole && !isMap(put) && !isList(put)) return { error: 'replace operation value must be object or array' };
  const [, ...steps] = pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = steps.pop();
  return { op, pointer, steps, key, put, whole };
}

function applied(around: readonly Container[] | undefined, { op, pointer, steps, key, put }: Patch): Patched {
  const last = around?.at(-1);
  if (!around || !last || key === undefined) {
    const path = op === 'replace' ? pointer : `"${pointer}"`;
    return { error: `${op} operation does not apply: doc is missing path: ${path}: missing value` };
  }
  const changed = isMap(last) ? changedMap(last, key, op, put) : changedList(last, key, op, put);
  if (typeof changed !== 'string') return { value: rebuilt(around, steps, changed) };
  return {
    error:
      op === 'replace'
        ? `replace operation does not apply: doc is missing key: ${pointer}: missing value`
        : `error in ${op} for path: '${pointer}': ${changed}`,
  };
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
function changedMap(at: ReadonlyMap<string, Value>, key: string, op: Patch['op'], put: Value): Container | string {
  const map = new Map(at);
  if (op !== 'remove') return map.set(key, put);
  return map.delete(key) ? map : `Unable to remove nonexistent key: ${key}: missing value`;
}

function changedList(at: readonly Value[], key: string, op: Patch['op'], put: Value): Container | string {
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
