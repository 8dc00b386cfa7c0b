import { isMap, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { createResource, type ResourceOptions } from '../cr/create.ts';
import type { ServedCrd, ServedVersion } from '../cr/served.ts';
import { updateResource } from '../cr/update.ts';
import type { ResourceVerdict } from '../cr/verdict.ts';
import { parseGroupVersion } from '../names.ts';
import { common, empty, type FieldSet, fieldSet, fieldsV1, isEmpty, union, withNamed, without } from './fieldSet.ts';
import { merged, removed } from './merge.ts';
import { type MergeType, objectMergeType } from './mergeType.ts';
import { typeErrors, typeErrorsText } from './typeErrors.ts';

/** An object that a cluster holds, and the configuration that the same manager applied last. */
export interface LastApplied {
  readonly live: ValueMap;
  readonly config: ValueMap;
  /** What the manager has by now, where others may have taken some of it, and what these have. */
  readonly owned?: FieldSet;
  readonly others?: FieldSet;
}

export interface Applied {
  /** Why nothing is merged at all, in the server's words. */
  readonly refused?: string;
  readonly verdict: ResourceVerdict;
  /** The live object with the configuration in it, before anything is said of it. */
  readonly merged?: Value;
  /** The manager's entry of `metadata.managedFields`, without what only a server knows. */
  readonly managed?: ValueMap;
  readonly owned?: FieldSet;
}

/** What the API server says to an object that is applied by the only manager of its fields. */
export function applyResource(
  config: ValueMap,
  last: LastApplied | undefined,
  crd: ServedCrd,
  options: ResourceOptions & { readonly manager?: string } = {},
): Applied {
  const served = versionOf(config, crd);
  const verdict = () => createResource(config, crd, { ...options, applied: true });
  if (!served) return { verdict: verdict() };
  const type = objectMergeType(served);
  const errors = typeErrors(config, type);
  if (errors.length > 0) return { refused: notTyped(config, errors), verdict: verdict() };
  const managed = managedBy(config, type, served);
  const whole = last && mergedWith(config, last, managed, type, served);
  const judged = last
    ? updateResource(last.live, isMap(whole) ? whole : config, crd, { ...options, applied: true })
    : verdict();
  // What is unknown where unknown fields may be applied is dropped silently.
  const answer = { ...judged, strict: [] };
  const merged = whole === undefined ? {} : { merged: whole };
  if (isEmpty(managed)) return { verdict: answer, ...merged };
  return {
    ...merged,
    verdict: answer,
    managed: entryOf(config, managed, options.manager ?? 'kubectl'),
    owned: managed,
  };
}

function mergedWith(
  config: ValueMap,
  { live, config: before, owned, others }: LastApplied,
  managed: FieldSet,
  type: MergeType,
  served: ServedVersion,
): Value {
  const said = union(managed, common(fieldSet(config, type), unmanaged));
  const still = others ? union(said, others) : said;
  return pruned(merged(live, config, type), type, owned ?? managedBy(before, type, served), still);
}

/** What a manager makes of an object of a built-in kind by applying a configuration, and what it owns then. */
export function mergeApplied(
  config: ValueMap,
  { live, owned = empty, others = empty }: Omit<LastApplied, 'config'>,
  type: MergeType,
  subresource: string | undefined,
): { readonly refused: string } | { readonly object: Value; readonly owned: FieldSet } {
  const errors = typeErrors(config, type);
  if (errors.length > 0) return { refused: notTyped(config, errors) };
  const parts = subresource === 'status' ? ['f:metadata', 'f:spec'] : ['f:status'];
  const reset = (set: FieldSet) => parts.reduce(withoutField, set);
  const said = reset(fieldSet(config, type));
  const object = pruned(merged(live, config, type), type, owned, union(said, others));
  return { object, owned: without(said, unmanaged) };
}

function versionOf(config: ValueMap, crd: ServedCrd): ServedVersion | undefined {
  const apiVersion = config.get('apiVersion');
  const parsed = typeof apiVersion === 'string' ? parseGroupVersion(apiVersion) : undefined;
  const served = parsed && !('error' in parsed) ? crd.versions.get(parsed.version) : undefined;
  return served && served.kind === config.get('kind') ? served : undefined;
}

/** What the manager owned and no longer applies goes, unless something that it or another one still has is in it. */
function pruned(whole: Value, type: MergeType, last: FieldSet, managed: FieldSet): Value {
  const named = (value: Value) => withNamed(fieldSet(value, type), type);
  const owned = withNamed(last, type);
  const all = named(whole);
  const rest = named(removed(whole, type, owned));
  const back = removed(whole, type, without(all, union(rest, withNamed(managed, type))));
  return removed(whole, type, common(without(all, named(back)), owned));
}

/** Nobody manages what identifies an object, or what the server sets. */
export const unmanaged: FieldSet = {
  members: new Set(['f:apiVersion', 'f:kind', 'f:metadata']),
  below: new Map([
    [
      'f:metadata',
      {
        members: new Set(
          [
            'name',
            'namespace',
            'creationTimestamp',
            'selfLink',
            'uid',
            'generation',
            'managedFields',
            'resourceVersion',
          ].map((name) => `f:${name}`),
        ),
        below: new Map(),
      },
    ],
  ]),
};

function managedBy(config: ValueMap, type: MergeType, { hasStatus }: ServedVersion): FieldSet {
  const set = without(fieldSet(config, type), unmanaged);
  return hasStatus ? withoutField(set, 'f:status') : set;
}

function withoutField({ members, below }: FieldSet, field: string): FieldSet {
  const rest = new Map(below);
  rest.delete(field);
  return { members: new Set([...members].filter((member) => member !== field)), below: rest };
}

function entryOf(config: ValueMap, managed: FieldSet, manager: string): ValueMap {
  return new Map<string, Value>([
    ['apiVersion', config.get('apiVersion') ?? ''],
    ['fieldsType', 'FieldsV1'],
    ['fieldsV1', fieldsV1(managed)],
    ['manager', manager],
    ['operation', 'Apply'],
  ]);
}

function notTyped(config: ValueMap, errors: readonly string[]): string {
  const text = (...path: string[]) => String(valueAt(config, path) ?? '');
  const name = `${text('metadata', 'namespace')}/${text('metadata', 'name')}`;
  const of = `${name}; ${text('apiVersion')}, Kind=${text('kind')}`;
  return `failed to create typed patch object (${of}): ${typeErrorsText(errors)}`;
}
