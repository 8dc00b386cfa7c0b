import { isJsonMap, type JsonMap, type JsonValue } from './json.ts';

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
