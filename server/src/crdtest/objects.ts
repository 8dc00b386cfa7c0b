import { isList, isMap, type Path, type Value, type ValueMap } from '../base/value.ts';

/** `spec.ports[0].name`; undefined where a text is not a path. */
export function pathOf(text: string): Path | undefined {
  if (!/^[^.[\]]+(?:\.[^.[\]]+|\[\d+\])*$/.test(text)) return undefined;
  return (text.match(/[^.[\]]+|\[\d+\]/g) ?? []).map((step) =>
    step.startsWith('[') ? Number(step.slice(1, -1)) : step,
  );
}

/**
 * An object with a patch: maps are merged, null takes a field away, anything else replaces what is there. Keys of the patch
 * itself may be paths, such as `spec.ports[0].name`.
 */
export function patched(object: Value, patch: ValueMap): Value {
  const root = new Map([['', object]]);
  const patching = new Patching();
  for (const [key, value] of patch) patching.put(root, pathOf(key) ?? [key], value);
  return root.get('')!;
}

type Container = Value[] | Map<string, Value>;

/** What is patched belongs to others as well: each list and map is copied once, before it is changed. */
class Patching {
  readonly #own = new Set<unknown>();

  /** Puts a value at a path, or merges it with what is there; what is missing on the way is made. */
  put(root: Map<string, Value>, path: Path, value: Value): void {
    let at: Container = root;
    let step: string | number = '';
    for (const next of path) {
      const inside: Container = typeof next === 'number' ? this.#list(get(at, step)) : this.#map(get(at, step));
      set(at, step, inside);
      at = inside;
      step = next;
    }
    if (value === null) remove(at, step);
    else set(at, step, this.#merged(get(at, step), value));
  }

  #merged(value: Value | undefined, put: Value): Value {
    if (!isMap(put)) return put;
    const map = this.#map(value);
    for (const [key, item] of put) {
      if (item === null) map.delete(key);
      else map.set(key, this.#merged(map.get(key), item));
    }
    return map;
  }

  #list(value: Value | undefined): Value[] {
    if (isList(value) && this.#own.has(value)) return value as Value[];
    const list = isList(value) ? [...value] : [];
    this.#own.add(list);
    return list;
  }

  #map(value: Value | undefined): Map<string, Value> {
    if (isMap(value) && this.#own.has(value)) return value as Map<string, Value>;
    const map = new Map(isMap(value) ? value : []);
    this.#own.add(map);
    return map;
  }
}

function get(at: Container, step: string | number): Value | undefined {
  return Array.isArray(at) ? at[Number(step)] : at.get(String(step));
}

function set(at: Container, step: string | number, value: Value): void {
  if (Array.isArray(at)) at[Math.min(Number(step), at.length)] = value;
  else at.set(String(step), value);
}

function remove(at: Container, step: string | number): void {
  if (Array.isArray(at)) at.splice(Number(step), 1);
  else at.delete(String(step));
}

/** Where two values differ: paths, each with both sides. With `part`, what only the second has does not count. */
export interface Difference {
  readonly path: string;
  readonly steps: Path;
  readonly wanted: Value | undefined;
  readonly found: Value | undefined;
}

/** The first ones, where only so many are of interest. */
export function differences(
  wanted: Value | undefined,
  found: Value | undefined,
  part: boolean,
  most = Number.POSITIVE_INFINITY,
): Difference[] {
  const all: Difference[] = [];
  compare(wanted, found, { part, most, all, steps: [] });
  return all;
}

interface Comparing {
  readonly part: boolean;
  readonly most: number;
  readonly all: Difference[];
  /** The way to what is compared. */
  readonly steps: (string | number)[];
}

function compare(wanted: Value | undefined, found: Value | undefined, comparing: Comparing): void {
  const { part, most, all, steps } = comparing;
  const inside = (step: string | number, one: Value | undefined, other: Value | undefined) => {
    if (all.length >= most) return;
    steps.push(step);
    compare(one, other, comparing);
    steps.pop();
  };
  if (isMap(wanted) && isMap(found)) {
    for (const [key, item] of wanted) inside(key, item, found.get(key));
    if (!part) for (const [key, item] of found) if (!wanted.has(key)) inside(key, undefined, item);
  } else if (isList(wanted) && isList(found) && wanted.length === found.length) {
    for (const [i, item] of wanted.entries()) inside(i, item, found[i]);
  } else if (wanted !== found && !(part && wanted === null && found === undefined)) {
    // Null asks for a field that is not there.
    all.push(difference([...steps], wanted, found));
  }
}

function difference(steps: Path, wanted: Value | undefined, found: Value | undefined): Difference {
  return {
    steps,
    wanted,
    found,
    get path() {
      return pathText(steps);
    },
  };
}

function pathText(steps: Path): string {
  return steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}
