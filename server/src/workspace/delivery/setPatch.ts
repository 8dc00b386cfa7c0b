/** What `templatePatch` of an ApplicationSet makes of an Application, as a strategic merge patch does it. */
import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { firstValue } from './setGit.ts';

/** The field of a set that changes what its template makes. */
export const templatePatch = 'templatePatch';

/** A patch, and what it makes of the template. */
export interface Patched {
  readonly value: Value;
  readonly layers: { readonly template: Value; readonly patch: Value };
}

/** Whether a patch has words for how it is merged, which are not followed here. */
export function hasDirectives(patch: string): boolean {
  return /\$(?:patch|retainKeys|setElementOrder|deleteFromPrimitiveList)\b/.test(patch);
}

/** The template with what the text of a patch says; undefined where Argo CD makes no Application of that. */
export function withTemplatePatch(template: Value, text: Value | undefined): Patched | undefined {
  if (!isString(text) || !isMap(template)) return undefined;
  const read = firstValue(text);
  const patch = read === null ? new Map() : read;
  const value = isMap(patch) ? merged(template, patch, false) : undefined;
  return value && isMap(patch) ? { value, layers: { template, patch } } : undefined;
}

/** Lists of an Application are replaced. Of what is in `valuesObject` the types are not known, without which nothing is merged. */
function merged(own: ValueMap, patch: ValueMap, isUntyped: boolean): ValueMap | undefined {
  const all = new Map(own);
  for (const [key, value] of patch) {
    const before = own.get(key);
    if (value === null) all.delete(key);
    else if (isMap(value) && isMap(before)) {
      const inner = isUntyped ? undefined : merged(before, value, key === 'valuesObject');
      if (!inner) return undefined;
      all.set(key, inner);
    } else if (isUntyped && isList(value) && isList(before)) return undefined;
    else all.set(key, withoutNulls(value));
  }
  return all;
}

function withoutNulls(value: Value): Value {
  if (!isMap(value)) return value;
  return new Map([...value].flatMap(([key, one]) => (one === null ? [] : [[key, withoutNulls(one)]])));
}
