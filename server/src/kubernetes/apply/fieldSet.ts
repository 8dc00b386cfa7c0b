import { isList, isMap, type Value, type ValueMap } from '../../base/value.ts';
import { compareStrings } from '../../gostd/jsonPrint.ts';
import { type Element, fieldElement, itemElement } from './elements.ts';
import { formOf, type ListMerge, type MapMerge, type MergeType, typeAt } from './mergeType.ts';

/** A set of paths into an object: which of the parts at one place belong to it, and which below them. */
export interface FieldSet {
  readonly members: ReadonlySet<Element>;
  readonly below: ReadonlyMap<Element, FieldSet>;
}

export const empty: FieldSet = { members: new Set(), below: new Map() };

export function isEmpty({ members, below }: FieldSet): boolean {
  return members.size === 0 && below.size === 0;
}

function setOf(members: ReadonlySet<Element>, below: Iterable<readonly [Element, FieldSet]>): FieldSet {
  return { members, below: new Map([...below].filter(([, set]) => !isEmpty(set))) };
}

/** What a value holds: a part of a list or of a map that is told apart, and the set of what is in it. */
interface Part {
  readonly element: Element;
  readonly value: Value;
  readonly type: MergeType | undefined;
  /** It belongs to the set whatever is below it. */
  readonly member: boolean;
}

/** The paths of all that is merged by itself in a value. A value that is replaced as a whole is one path. */
export function fieldSet(value: Value, type: MergeType): FieldSet {
  return within(value, type).set;
}

/** `whole`: the value belongs to the set itself. */
function within(value: Value, type: MergeType | undefined): { readonly set: FieldSet; readonly whole: boolean } {
  if (!type) return { set: empty, whole: false };
  const form = formOf(type, value);
  if (form === 'scalar') return { set: empty, whole: true };
  const merge = type[form]!;
  if (merge.atomic) return { set: empty, whole: true };
  if (form === 'list') return { set: joined(isList(value) ? itemParts(value, type.list!) : []), whole: false };
  return { set: joined(isMap(value) ? fieldParts(value, type.map!) : []), whole: false };
}

function joined(parts: readonly Part[]): FieldSet {
  const members = new Set<Element>();
  const below: [Element, FieldSet][] = [];
  for (const { element, value, type, member } of parts) {
    const { set, whole } = within(value, type);
    if (member || whole) members.add(element);
    below.push([element, set]);
  }
  return setOf(members, below);
}

function itemParts(list: readonly Value[], merge: ListMerge): Part[] {
  const elements = list.map((item) => itemElement(merge, item));
  const seen = new Set<unknown>();
  const twice = new Set(elements.filter((element) => seen.has(element) || !seen.add(element)));
  return list.flatMap((value, i): Part[] => {
    const element = elements[i]!;
    if (typeof element !== 'string') return [];
    return [{ element, value, type: twice.has(element) ? undefined : merge.item, member: true }];
  });
}

function fieldParts(map: ValueMap, merge: MapMerge): Part[] {
  return [...map].map(([name, value]) => ({
    element: fieldElement(name),
    value,
    type: typeAt(merge, name),
    member: value === null || (isMap(value) && value.size === 0) || !merge.fields.has(name),
  }));
}

/** With the fields that only lead to others: those that are declared count as members with what is below them. */
export function withNamed(set: FieldSet, type: MergeType | undefined): FieldSet {
  const members = new Set(set.members);
  for (const element of set.below.keys()) {
    if (element.startsWith('f:') && type?.map?.fields.has(element.slice(2))) members.add(element);
  }
  return setOf(
    members,
    [...set.below].map(([element, inner]) => [element, withNamed(inner, typeOf(type, element))] as const),
  );
}

/** What an element of a value holds. */
export function typeOf(type: MergeType | undefined, element: Element): MergeType | undefined {
  if (!element.startsWith('f:')) return type?.list?.item;
  return type?.map && typeAt(type.map, element.slice(2));
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  const keys = new Set([...a.below.keys(), ...b.below.keys()]);
  const below = [...keys].map((key) => [key, union(a.below.get(key) ?? empty, b.below.get(key) ?? empty)] as const);
  return setOf(new Set([...a.members, ...b.members]), below);
}

export function without(a: FieldSet, b: FieldSet): FieldSet {
  const below = [...a.below].map(([key, inner]) => [key, without(inner, b.below.get(key) ?? empty)] as const);
  return setOf(new Set([...a.members].filter((element) => !b.members.has(element))), below);
}

export function common(a: FieldSet, b: FieldSet): FieldSet {
  const below = [...a.below].map(([key, inner]) => [key, common(inner, b.below.get(key) ?? empty)] as const);
  return setOf(new Set([...a.members].filter((element) => b.members.has(element))), below);
}

/** As `metadata.managedFields` holds it. */
export function fieldsV1({ members, below }: FieldSet): ValueMap {
  const out = new Map<string, Value>();
  for (const element of [...new Set([...members, ...below.keys()])].sort(compareStrings)) {
    const inner = below.get(element);
    const own = members.has(element) && inner ? [['.', new Map<string, Value>()] as const] : [];
    out.set(element, inner ? new Map([...own, ...fieldsV1(inner)]) : new Map());
  }
  return out;
}
