import { equalValues, hasUnknown, isList, isMap, isUnknown, mayBeEqual, type Value } from '../../base/value.ts';
import { correlatedItems } from '../cel/correlation.ts';
import type { Structural } from '../schema/structural.ts';
import type { Correlation } from '../schema/validate.ts';

/** A value beside the one that it replaces, matched by the schema on the way down. */
export interface Correlated {
  readonly value: Value;
  readonly old: Value;
  /** Whether nothing changed, as the API server sees it: what the schema cannot match counts as changed. */
  unchanged(): boolean;
  key(name: string): Correlated | undefined;
  index(at: number): Correlated | undefined;
}

/** The old item with the same keys. */
type OldItems = (item: Value) => Value | undefined;

/** What of an object counts as changed although it is not: the object itself does, and of its fields these. */
export interface Touched {
  /** One that something else is written into: what is in it counts as it is. */
  readonly field?: string | undefined;
  /** Those of which all is written anew. */
  readonly whole: readonly string[];
}

export function correlate(value: Value, old: Value, schema: Structural, touched?: Touched): Correlated {
  const children = new Map<string | number, Correlated | undefined>();
  const child = (step: string | number, make: () => Correlated | undefined) => {
    if (!children.has(step)) children.set(step, make());
    return children.get(step);
  };
  let same: boolean | undefined = touched ? false : undefined;
  let items: OldItems | undefined;
  const node: Correlated = {
    value,
    old,
    unchanged: () => {
      same ??= isUnchanged(node, schema);
      return same;
    },
    key: (name) => child(name, () => correlatedKey(value, old, schema, name, touched)),
    index: (at) => {
      items ??= correlatedItems(schema, old);
      return child(at, () => correlatedItem(value, items!, schema, at));
    },
  };
  return node;
}

function correlatedKey(
  value: Value,
  old: Value,
  schema: Structural,
  name: string,
  touched: Touched | undefined,
): Correlated | undefined {
  if (!isMap(value) || !isMap(old) || touched?.whole.includes(name)) return undefined;
  const item = value.get(name);
  const before = old.get(name);
  const below = schema.properties?.get(name) ?? schema.additionalProperties?.schema;
  if (item === undefined || before === undefined || !below) return undefined;
  return correlate(item, before, below, touched?.field === name ? { whole: [] } : undefined);
}

function correlatedItem(value: Value, items: OldItems, schema: Structural, at: number): Correlated | undefined {
  const item = isList(value) ? value[at] : undefined;
  if (item === undefined || !schema.items) return undefined;
  // An item whose keys are not known may be any old one, and so unchanged.
  const { listMapKeys } = schema.extensions;
  const isAny = isMap(item) && listMapKeys.some((name) => isUnknown(item.get(name)));
  const before = isAny ? item : items(item);
  return before === undefined ? undefined : correlate(item, before, schema.items);
}

function isUnchanged(node: Correlated, schema: Structural): boolean {
  const { value, old } = node;
  if (hasUnknown(value) || hasUnknown(old)) return mayBeEqual(value, old);
  if (isList(value)) return isList(old) && isSameList(value, old, node, schema);
  if (isMap(value)) {
    if (!isMap(old) || value.size !== old.size) return false;
    return [...value.keys()].every((name) => node.key(name)?.unchanged() ?? false);
  }
  return equalValues(value, old);
}

/** Lists of type map are compared item by item, in whatever order; others as they are. */
function isSameList(value: readonly Value[], old: readonly Value[], node: Correlated, schema: Structural): boolean {
  if (value.length !== old.length) return false;
  if (schema.extensions.listType !== 'map') return equalValues(value, old);
  return value.every((_, i) => node.index(i)?.unchanged() ?? false);
}

const typeMeta = new Set(['apiVersion', 'kind']);

/** How the schema's errors are forgiven below a value. At the root of an object its type never is. */
export function forgiveness(node: Correlated, atRoot: boolean): Correlation {
  return {
    unchanged: () => node.unchanged(),
    property: (name) => {
      const next = atRoot && typeMeta.has(name) ? undefined : node.key(name);
      return next && forgiveness(next, false);
    },
    item: (at) => {
      const next = node.index(at);
      return next && forgiveness(next, false);
    },
  };
}
