import { isList, isMap, type Path, type Value, type ValueMap } from '../base/value.ts';

/** `spec.ports[0].name`; undefined where a text is no path. */
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
  let now = object;
  for (const [key, value] of patch) now = withAt(now, pathOf(key) ?? [key], value);
  return now;
}

/** A value with another one at a path, or merged with what is there; what is missing on the way is made. */
function withAt(value: Value | undefined, [step, ...rest]: Path, put: Value): Value {
  if (step === undefined) return merged(value, put);
  if (typeof step === 'number') {
    const items = isList(value) ? [...value] : [];
    if (put === null && rest.length === 0) items.splice(step, 1);
    else items[Math.min(step, items.length)] = withAt(items[step], rest, put);
    return items;
  }
  const map = new Map(isMap(value) ? value : []);
  if (put === null && rest.length === 0) map.delete(step);
  else map.set(step, withAt(map.get(step), rest, put));
  return map;
}

function merged(value: Value | undefined, put: Value): Value {
  if (!isMap(put)) return put;
  const map = new Map(isMap(value) ? value : []);
  for (const [key, item] of put) {
    if (item === null) map.delete(key);
    else map.set(key, merged(map.get(key), item));
  }
  return map;
}

/** Where two values differ: paths, each with both sides. With `part`, what only the second has does not count. */
export interface Difference {
  readonly path: string;
  readonly steps: Path;
  readonly wanted: Value | undefined;
  readonly found: Value | undefined;
}

export function differences(
  wanted: Value | undefined,
  found: Value | undefined,
  part: boolean,
  steps: Path = [],
): Difference[] {
  if (isMap(wanted) && isMap(found)) {
    const keys = part ? wanted.keys() : new Set([...wanted.keys(), ...found.keys()]);
    return [...keys].flatMap((key) => differences(wanted.get(key), found.get(key), part, [...steps, key]));
  }
  if (isList(wanted) && isList(found) && wanted.length === found.length) {
    return wanted.flatMap((item, i) => differences(item, found[i], part, [...steps, i]));
  }
  // Null asks for a field that is not there.
  const same = wanted === found || (part && wanted === null && found === undefined);
  return same ? [] : [{ path: pathText(steps), steps, wanted, found }];
}

function pathText(steps: Path): string {
  return steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}
