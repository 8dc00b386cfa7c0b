import { isList, isMap, type Value, type ValueMap } from '../../base/value.ts';
import type { GoType } from './goType.ts';
import type { BuiltinKinds } from './kinds.ts';

// Strategic merge patches: items of lists are merged by a key that the Go type names, and what begins with $ is an order.

/** Why a patch cannot be applied, in the server's words. */
export class BadPatch extends Error {}

/** The object that a patch makes of an object of a built-in kind. */
export function strategicMerged(object: ValueMap, patch: ValueMap, root: string, kinds: BuiltinKinds): ValueMap {
  return merged(object, patch, { kinds, id: root });
}

/** Where in the Go types a map is; `id` is undefined for maps whose keys are no fields. */
interface Within {
  readonly kinds: BuiltinKinds;
  readonly id: string | undefined;
}

/** What the Go type says of a field. */
interface Meaning {
  readonly strategy: string;
  readonly key: string | undefined;
  readonly within: Within;
}

const directive = '$patch';
const retained = '$retainKeys';
const orderOf = '$setElementOrder/';
const deletedOf = '$deleteFromPrimitiveList/';

function meaningOf({ kinds, id }: Within, name: string): Meaning {
  const field = id === undefined ? undefined : kinds.object(id).fields.find((one) => one.name === name);
  const key = field?.patchMergeKey;
  const strategies = (field?.patchStrategy ?? (key === undefined ? '' : 'merge')).split(',');
  const strategy = strategies.find((one) => one !== 'retainKeys') ?? '';
  return { strategy, key, within: { kinds, id: field && objectIn(field.type) } };
}

function objectIn(type: GoType): string | undefined {
  if (type.is === 'object') return type.id;
  return type.is === 'list' ? objectIn(type.of) : undefined;
}

function merged(object: ValueMap, patch: ValueMap, within: Within): ValueMap {
  const order = patch.get(directive);
  if (order !== undefined) return ordered(order, patch);
  const out = new Map(retainedOf(object, patch));
  const rest = new Map(patch);
  rest.delete(retained);
  for (const [name, value] of patch) if (name.startsWith(orderOf)) inOrder(out, rest, name, value, within);
  for (const [name, value] of rest) mergeField(out, name, value, within);
  return out;
}

function ordered(order: Value, patch: ValueMap): ValueMap {
  if (order === 'delete') return new Map();
  if (order !== 'replace') throw new BadPatch(`Unknown patch type found: ${String(order)}`);
  const out = new Map(patch);
  out.delete(directive);
  return out;
}

const wrongRetained = 'invalid patch format of retainKeys';

/** What is left of an object whose patch says which of its fields stay. */
function retainedOf(object: ValueMap, patch: ValueMap): ValueMap {
  const stay = patch.get(retained);
  if (stay === undefined) return object;
  if (!isList(stay)) throw new BadPatch(wrongRetained);
  for (const [name, value] of patch) {
    const isOrder = name === retained || name.startsWith(orderOf) || name.startsWith(deletedOf);
    if (value !== null && !isOrder && !stay.includes(name)) throw new BadPatch(wrongRetained);
  }
  return new Map([...object].filter(([name]) => stay.includes(name)));
}

/** Merges a list whose patch says in which order its items are, and takes it out of the rest of the patch. */
function inOrder(out: Map<string, Value>, rest: Map<string, Value>, name: string, order: Value, within: Within): void {
  rest.delete(name);
  const field = name.slice(orderOf.length);
  const meaning = meaningOf(within, field);
  const [live, patch] = [out.get(field), rest.get(field)];
  for (const list of [order, live, patch]) {
    if (list !== undefined && !isList(list)) throw new BadPatch(`expected a list, but received a ${typeof list}`);
  }
  const wanted = order as readonly Value[];
  const items = (isList(patch) ? patch : []).filter((item) => !isMap(item) || !item.has(directive));
  if (!isPartOf(items, wanted, meaning.key)) throw new BadPatch(wrongOrder(items, wanted));
  if (live === undefined && patch === undefined) return;
  const list = live === undefined ? plain(patch!) : patch === undefined ? live : mergedList(live, patch, meaning);
  out.set(field, sorted(list as readonly Value[], wanted, isList(live) ? live : [], meaning.key));
  rest.delete(field);
}

/** Whether all items are in an order, one after the other. */
function isPartOf(items: readonly Value[], order: readonly Value[], key: string | undefined): boolean {
  let left = items;
  for (const one of order) if (indexIn(left.slice(0, 1), one, key) === 0) left = left.slice(1);
  return left.length === 0;
}

function wrongOrder(items: readonly Value[], order: readonly Value[]): string {
  const names = (list: readonly Value[]) => list.map((item) => (isMap(item) ? [...item.values()][0] : item)).join(' ');
  return `The order in patch list:\n[${names(items)}]\n doesn't match $setElementOrder list:\n[${names(order)}]\n`;
}

function mergeField(out: Map<string, Value>, name: string, value: Value, within: Within): void {
  if (name.startsWith(deletedOf)) {
    const field = name.slice(deletedOf.length);
    const live = out.get(field);
    if (!isList(value)) throw new BadPatch('invalid patch format of delete primitive list');
    if (isList(live))
      out.set(
        field,
        live.filter((item) => !value.includes(item)),
      );
    return;
  }
  if (value === null) {
    out.delete(name);
    return;
  }
  const live = out.get(name);
  const meaning = meaningOf(within, name);
  const isReplaced = meaning.strategy === 'replace';
  if (isMap(live) && isMap(value)) out.set(name, isReplaced ? value : merged(live, value, meaning.within));
  else if (isList(live) && isList(value)) out.set(name, mergedOrReplaced(live, value, meaning));
  else if (isMap(value) && value.has(directive)) out.delete(name);
  else out.set(name, live === undefined || typeOf(live) !== typeOf(value) ? plain(withoutNulls(value)) : plain(value));
}

const typeOf = (value: Value) => (isList(value) ? 'list' : isMap(value) ? 'map' : typeof value);

function mergedOrReplaced(live: readonly Value[], patch: readonly Value[], meaning: Meaning): Value {
  return meaning.strategy === 'merge' ? mergedList(live, patch, meaning) : patch;
}

function mergedList(live: Value, patch: Value, meaning: Meaning): readonly Value[] {
  const [before, added] = [live, patch] as [readonly Value[], readonly Value[]];
  if (meaning.strategy !== 'merge') return added;
  const first = [...before, ...added][0];
  if (first === undefined) return before;
  if (!isMap(first)) return sorted([...new Set([...before, ...added])], added, before, undefined);
  const { key, within } = meaning;
  if (key === undefined) throw new BadPatch('cannot merge lists without merge key');
  const { kept, items } = special(before, added, key);
  const out = [...kept];
  for (const item of items) {
    const at = indexIn(out, item, key);
    if (at < 0) out.push(item);
    else out[at] = merged(out[at] as ValueMap, item as ValueMap, within);
  }
  return sorted(out, items, out.slice(0, kept.length), key);
}

/** Items of a patch may say that an item goes, or that all others do. */
function special(live: readonly Value[], patch: readonly Value[], key: string) {
  let kept = live;
  let isReplaced = false;
  const items: Value[] = [];
  for (const item of patch) {
    if (!isMap(item)) throw new BadPatch('all items of a list have to be of one type');
    const order = item.get(directive);
    if (order === 'replace') isReplaced = true;
    else if (order !== undefined && order !== 'delete') throw new BadPatch(`unknown patch type: ${String(order)}`);
    else if (!item.has(key)) throw new BadPatch(`map: ${String(item)} does not contain declared merge key: ${key}`);
    else if (order === 'delete') kept = kept.filter((one) => !isMap(one) || one.get(key) !== item.get(key));
    else items.push(item);
  }
  return isReplaced ? { kept: items, items: [] } : { kept, items };
}

function indexIn(list: readonly Value[], item: Value, key: string | undefined): number {
  const of = (one: Value) => (key !== undefined && isMap(one) ? one.get(key) : one);
  return list.findIndex((one) => of(one) === of(item));
}

/** Items that are named are in that order, the others in the one they had, each before what it was before. */
function sorted(
  list: readonly Value[],
  named: readonly Value[],
  live: readonly Value[],
  key: string | undefined,
): readonly Value[] {
  const by = (order: readonly Value[]) => (a: Value, b: Value) => indexIn(order, a, key) - indexIn(order, b, key);
  const isNamed = (item: Value) => indexIn(named, item, key) >= 0;
  const right = list.filter(isNamed).sort(by(named));
  const left = list.filter((item) => !isNamed(item)).sort(by(live));
  const out: Value[] = [];
  while (left.length > 0 && right.length > 0) {
    const [l, r] = [indexIn(live, left[0]!, key), indexIn(live, right[0]!, key)];
    out.push((l >= 0 && r >= 0 && l < r ? left : right).shift()!);
  }
  return [...out, ...left, ...right];
}

/** Without what is an order to a server that has nothing to change yet. */
function plain(value: Value): Value {
  const isOrder = (one: Value) => isMap(one) && one.has(directive);
  if (isList(value)) return value.filter((item) => !isOrder(item)).map(plain);
  if (!isMap(value)) return value;
  return new Map([...value].filter(([, one]) => !isOrder(one)).map(([name, one]) => [name, plain(one)]));
}

function withoutNulls(value: Value): Value {
  if (isList(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  return new Map([...value].filter(([, one]) => one !== null).map(([name, one]) => [name, withoutNulls(one)]));
}
