import { isList, isMap, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { isKind, itemsOfList, type Val } from '../../cel/eval/values.ts';
import { jsonPatched } from '../apply/jsonPatch.ts';
import { merged } from '../apply/merge.ts';
import type { MergeType } from '../apply/mergeType.ts';
import { typeErrors, typeErrorsText } from '../apply/typeErrors.ts';
import { objectCostLimit } from '../bounds.ts';
import { plainVal } from '../cel/values.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import {
  type Brought,
  conditionsVerdict,
  type Evaluated,
  evaluateAll,
  expressionsOf,
  type Ready,
  unknownIn,
  Variables,
} from './evaluate.ts';
import { misnamedIn, patchFieldsOf, plainOf } from './patchValues.ts';

// How the API server evaluates a MutatingAdmissionPolicy for one request.

/** What a policy makes of an object. */
export interface MutationVerdict {
  /** The match condition that is false; the object is as it was. Empty where one failed and that is ignored. */
  readonly unmatched: string | undefined;
  readonly object: Value;
  /** What failed; the mutations after it are made all the same. */
  readonly failures: readonly string[];
  /** What would have to be known; the object may be another then. */
  readonly unknown: string | undefined;
  readonly evaluated: readonly Evaluated[];
  readonly cost: number;
}

/** How objects of a kind are merged, and which defaults they get after each mutation. */
export interface Merging {
  readonly type: MergeType;
  filledIn(object: Value): Value;
}

/** Makes mutations, without `merging` none; all that takes to be made once is made when this is called. */
export function mutator(
  policy: ValueMap,
  kubernetes: KubernetesVersion,
): (brought: Brought, object: Value, merging: Merging | undefined) => MutationVerdict {
  const ready = expressionsOf(policy, 'MutatingAdmissionPolicy', kubernetes).filter(({ text }) => text !== '');
  const of = (field: string) => ready.filter(({ one: { host } }) => host.path[1] === field);
  // Both kinds of them are in one list.
  const nth = ({ one: { path } }: Ready) => Number(path[2]);
  const mutations = of('mutations').sort((a, b) => nth(a) - nth(b));
  const parts = { conditions: of('matchConditions'), variables: of('variables'), mutations };
  const denies = valueAt(policy, ['spec', 'failurePolicy']) !== 'Ignore';
  return (brought, object, merging) => {
    const { verdict, conditions } = conditionsVerdict(policy, parts.conditions, brought, denies);
    const untouched = { object, failures: [], unknown: undefined, evaluated: conditions, cost: 0 };
    if (verdict?.unmatched !== undefined) return { ...untouched, unmatched: verdict.unmatched };
    const [failed] = verdict?.decisions ?? [];
    if (failed?.action === 'unknown') return { ...untouched, unmatched: undefined, unknown: failed.message };
    if (failed) return { ...untouched, unmatched: undefined, failures: [failed.message] };
    if (!merging) return { ...untouched, unmatched: undefined };
    const made = mutated(policy, parts, brought, object, merging);
    return { ...made, evaluated: [...conditions, ...made.evaluated] };
  };
}

function mutated(
  policy: ValueMap,
  { variables, mutations }: Readonly<Record<'variables' | 'mutations', readonly Ready[]>>,
  brought: Brought,
  object: Value,
  { type, filledIn }: Merging,
): MutationVerdict {
  const failures: string[] = [];
  const evaluated: Evaluated[] = [];
  let [now, cost, unknown]: [Value, number, string | undefined] = [object, 0, undefined];
  for (const mutation of mutations) {
    // Each sees what those before it have made, and so do the variables that it asks for.
    const here = new Map(brought).set('object', plainVal(now));
    const own = new Variables(policy, variables, here);
    const budget = { left: objectCostLimit };
    const results = evaluateAll([mutation], own, here, budget);
    cost += objectCostLimit - budget.left;
    if ('failed' in results) {
      failures.push(results.failed);
      continue;
    }
    const [result] = results as [Evaluated];
    evaluated.push(result);
    for (const one of own.found.values()) evaluated.push(one);
    const made = result.failed === undefined ? patchedWith(result.value, now, type) : { failed: result.failed };
    if ('object' in made) now = filledIn(made.object);
    else if (unknownIn(made.failed) !== undefined) unknown ??= unknownIn(made.failed);
    else failures.push(made.failed);
  }
  return { unmatched: undefined, object: now, failures, unknown, evaluated, cost };
}

type Made = { readonly object: Value } | { readonly failed: string };

function patchedWith(value: Val, object: Value, type: MergeType): Made {
  return isKind(value, 'list') ? withOperations(itemsOfList(value), object) : withConfiguration(value, object, type);
}

function withConfiguration(value: Val, object: Value, type: MergeType): Made {
  const misnamed = misnamedIn(value);
  if (misnamed.length > 0) return { failed: `type mismatch: ${misnamed.join('\n')}` };
  const plain = plainOf(value);
  if ('error' in plain) return { failed: plain.error };
  const patch = new Map(isMap(plain.value) ? plain.value : []);
  for (const key of ['apiVersion', 'kind']) patch.set(key, valueAt(object, [key]) ?? '');
  const errors = typeErrors(patch, type);
  if (errors.length > 0) {
    const said = typeErrorsText(errors);
    return { failed: `error applying patch: failed to convert patch object to typed object: ${said}` };
  }
  const atomic = atomicIn(patch, type, '');
  if (atomic.length === 0) return { object: merged(object, patch, type) };
  const fields = atomic.join(', ');
  return {
    failed: `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${fields}`,
  };
}

/** The parts of a configuration that would be replaced as a whole, with what is below them. */
function atomicIn(value: Value, type: MergeType, path: string): string[] {
  if (isMap(value) && type.map) {
    const { map } = type;
    const own = map.atomic ? [path] : [];
    // Only fields that are declared by name are looked into.
    return [
      ...own,
      ...[...value].flatMap(([key, item]) => {
        const field = map.fields.get(key);
        return field ? atomicIn(item, field, `${path}.${key}`) : [];
      }),
    ];
  }
  if (!isList(value) || !type.list) return [];
  const { atomic, item: ofItems } = type.list;
  return [...(atomic ? [path] : []), ...value.flatMap((item, i) => atomicIn(item, ofItems, `${path}[${i}]`))];
}

function withOperations(items: readonly Val[], object: Value): Made {
  const patches: Value[] = [];
  for (const item of items) {
    const fields = patchFieldsOf(item);
    if (!fields) return { failed: 'type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch' };
    const patch = new Map<string, Value>();
    for (const [name, value] of fields) {
      const misnamed = misnamedIn(value);
      if (misnamed.length > 0) return { failed: `type mismatch: ${misnamed.join('\n')}` };
      const plain = plainOf(value);
      if ('error' in plain)
        return {
          failed: `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${plain.error}`,
        };
      patch.set(name, plain.value);
    }
    patches.push(patch);
  }
  const made = jsonPatched(object, patches);
  if ('value' in made) return { object: made.value };
  // A test that fails says that the object is to stay as it is.
  return made.isTest ? { object } : { failed: `JSON Patch: ${made.error}` };
}
