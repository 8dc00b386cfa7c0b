import { isDeepStrictEqual } from 'node:util';
import { at, isJsonMap, type JsonMap, type JsonValue, textAt } from './json.ts';

/** RFC 7386: null takes a member away. */
export function mergePatched(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonMap(patch)) return patch;
  const out: JsonMap = isJsonMap(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete out[name];
    else out[name] = mergePatched(out[name], value);
  }
  return out;
}

/** RFC 6902; a string says why the patch cannot be applied. */
export function jsonPatched(target: JsonValue, patch: JsonValue): { readonly value: JsonValue } | string {
  let value = structuredClone(target);
  for (const step of Array.isArray(patch) ? patch : []) {
    const path = stepsOf(textAt(step, 'path'));
    const from = stepsOf(textAt(step, 'from'));
    const given = at(step, 'value') ?? null;
    const moved = () => structuredClone(found(value, from) ?? null);
    const op = textAt(step, 'op');
    if (op === 'test') {
      if (!isDeepStrictEqual(found(value, path), given))
        return `testing value ${textAt(step, 'path')} failed: test failed`;
      continue;
    }
    if (['remove', 'replace'].includes(op) && found(value, path) === undefined) {
      return `${op} operation does not apply: doc is missing path: ${textAt(step, 'path')}: missing value`;
    }
    if (['move', 'copy'].includes(op) && found(value, from) === undefined) return `${op} operation does not apply`;
    const put = op === 'move' || op === 'copy' ? moved() : given;
    if (op === 'remove' || op === 'move') value = changed(value, op === 'move' ? from : path, 'remove', null);
    if (op !== 'remove') value = changed(value, path, op === 'replace' ? 'replace' : 'add', put);
  }
  return { value };
}

function stepsOf(pointer: string): string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function found(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inner, step) => (Array.isArray(inner) ? inner[Number(step)] : isJsonMap(inner) ? inner[step] : undefined),
    value,
  );
}

function changed(
  value: JsonValue,
  path: readonly string[],
  how: 'add' | 'remove' | 'replace',
  put: JsonValue,
): JsonValue {
  const parent = found(value, path.slice(0, -1));
  const last = path.at(-1);
  if (last === undefined) return put;
  if (Array.isArray(parent))
    parent.splice(
      last === '-' ? parent.length : Number(last),
      how === 'add' ? 0 : 1,
      ...(how === 'remove' ? [] : [put]),
    );
  else if (isJsonMap(parent)) {
    if (how === 'remove') delete parent[last];
    else parent[last] = put;
  }
  return value;
}
