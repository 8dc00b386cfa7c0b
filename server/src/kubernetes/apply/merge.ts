import { isList, isMap, type Value, type ValueMap } from '../../base/value.ts';
import { type Element, fieldElement, itemElement } from './elements.ts';
import { empty, type FieldSet, isEmpty } from './fieldSet.ts';
import { formOf, type ListMerge, type MapMerge, type MergeType, typeAt } from './mergeType.ts';

/** A value with another one laid over it. */
export function merged(live: Value | undefined, config: Value | undefined, type: MergeType | undefined): Value {
  const either = config === undefined ? live! : config;
  if (!type) return either;
  const form = formOf(type, either);
  if (form === 'scalar' || type[form]!.atomic) return either;
  return form === 'list'
    ? mergedList(listed(live), listed(config), either, type.list!)
    : mergedMap(mapped(live), mapped(config), either, type.map!);
}

const listed = (value: Value | undefined) => (isList(value ?? null) ? (value as readonly Value[]) : []);
const noFields: ValueMap = new Map();
const mapped = (value: Value | undefined) => (isMap(value) ? value : noFields);

function mergedMap(live: ValueMap, config: ValueMap, either: Value, type: MapMerge): Value {
  if (live.size === 0 && config.size === 0) return either;
  const out = new Map<string, Value>();
  for (const key of new Set([...live.keys(), ...config.keys()])) {
    out.set(key, merged(live.get(key), config.get(key), typeAt(type, key)));
  }
  return out;
}

/**
 * Items that both have keep the order of the configuration; those of the object alone stay where they are between them.
 */
function mergedList(live: readonly Value[], config: readonly Value[], either: Value, type: ListMerge): Value {
  if (live.length === 0 && config.length === 0) return either;
  const left = live.map((item) => itemElement(type, item) as Element);
  const right = config.map((item) => itemElement(type, item) as Element);
  const inLeft = byElement(left, live);
  const inRight = new Set(right);
  const shared = right.filter((element) => inLeft.has(element));
  const out: Value[] = [];
  const done = new Set<Element>();
  let next = 0;
  const both = (at: number) => {
    const element = right[at]!;
    done.add(element);
    out.push(merged(inLeft.get(element), config[at], type.item));
    if (shared[next] === element) next++;
  };
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const element = left[l];
    if (element !== undefined && r < right.length) {
      if (element === right[r]) {
        both(r++);
        l++;
        continue;
      }
      if (inRight.has(element) && next < shared.length && shared[next] !== element) {
        l++;
        continue;
      }
    }
    if (element !== undefined && !inRight.has(element)) {
      out.push(live[l++]!);
      continue;
    }
    if (element !== undefined && done.has(element)) l++;
    if (r < right.length) both(r++);
  }
  return out;
}

/** The items of a list by what names them; null for one that is there twice, which nothing is merged with. */
function byElement(elements: readonly Element[], items: readonly Value[]): ReadonlyMap<Element, Value> {
  const found = new Map<Element, Value>();
  for (const [i, element] of elements.entries()) found.set(element, found.has(element) ? null : items[i]!);
  return found;
}

/** A value without what a set names. What is left empty by that is null. */
export function removed(value: Value, type: MergeType | undefined, set: FieldSet): Value {
  if (!type || isEmpty(set)) return value;
  const form = formOf(type, value);
  if (form === 'scalar') return value;
  if (type[form]!.atomic) return null;
  if (form === 'list') return removedItems(listed(value), type.list!, set);
  return removedFields(mapped(value), type.map!, set);
}

function removedItems(list: readonly Value[], type: ListMerge, { members, below }: FieldSet): Value {
  const out = list.flatMap((item) => {
    const element = itemElement(type, item) as Element;
    return members.has(element) ? [] : [removed(item, type.item, below.get(element) ?? empty)];
  });
  return out.length > 0 ? out : null;
}

function removedFields(map: ValueMap, type: MapMerge, { members, below }: FieldSet): Value {
  const out = new Map<string, Value>();
  for (const [name, item] of map) {
    const element = fieldElement(name);
    if (!members.has(element)) out.set(name, removed(item, typeAt(type, name), below.get(element) ?? empty));
  }
  return out.size > 0 ? out : null;
}
