import { equalValues, isList, isMap, type Value, type ValueMap } from '../../base/value.ts';
import { plainValue, readJson } from '../../gostd/json.ts';
import { compareStrings, printJson } from '../../gostd/jsonPrint.ts';
import { quote } from '../../gostd/quote.ts';
import { type Element, fieldElement, itemElement } from './elements.ts';
import { common, empty, type FieldSet, fieldsV1, isEmpty, union, without } from './fieldSet.ts';
import { formOf, type ListMerge, type MapMerge, type MergeType, typeAt } from './mergeType.ts';
import { unmanaged } from './serverSide.ts';

// Who manages which fields of an object: `metadata.managedFields`, as writes change it.

export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string;
  readonly set: FieldSet;
}

/** Who writes, and when. */
export type Writer = Omit<Manager, 'set'>;

const isSame = (a: Writer, b: Writer) =>
  a.name === b.name &&
  a.operation === b.operation &&
  a.subresource === b.subresource &&
  (a.operation === 'Apply' || a.apiVersion === b.apiVersion);

/** Those of an object; entries that mean nothing are left out. */
export function readManagers(entries: Value | undefined): Manager[] {
  return (isList(entries ?? null) ? (entries as readonly Value[]) : []).flatMap((entry): Manager[] => {
    const text = (name: string) => (isMap(entry) && typeof entry.get(name) === 'string' ? String(entry.get(name)) : '');
    const [fields, operation] = [isMap(entry) ? entry.get('fieldsV1') : undefined, text('operation')];
    if (!isMap(fields ?? null) || (operation !== 'Apply' && operation !== 'Update')) return [];
    const [name, apiVersion, subresource, time] = ['manager', 'apiVersion', 'subresource', 'time'].map(text);
    const who = { name: name!, apiVersion: apiVersion!, subresource: subresource!, time: time! };
    return [{ ...who, operation, set: readFields(fields as ValueMap) }];
  });
}

function readFields(fields: ValueMap): FieldSet {
  const members = new Set<Element>();
  const below = new Map<Element, FieldSet>();
  for (const [element, inner] of fields) {
    if (element === '.' || !isMap(inner)) continue;
    if (inner.size === 0 || inner.has('.')) members.add(element);
    const set = readFields(inner);
    if (!isEmpty(set)) below.set(element, set);
  }
  return { members, below };
}

/** As an object has them: those who apply first, then by time. */
export function writeManagers(managers: readonly Manager[]): ValueMap[] {
  return [...managers].sort(inOrder).map(({ name, operation, apiVersion, subresource, time, set }) => {
    return new Map<string, Value>([
      ['apiVersion', apiVersion],
      ['fieldsType', 'FieldsV1'],
      ['fieldsV1', fieldsV1(set)],
      ['manager', name],
      ['operation', operation],
      ...(subresource === '' ? [] : [['subresource', subresource] as const]),
      ...(time === '' ? [] : [['time', time] as const]),
    ]);
  });
}

function inOrder(a: Manager, b: Manager): number {
  const keys = (one: Manager) => [one.operation, one.time, one.name, one.apiVersion, one.subresource];
  const others = keys(b);
  return keys(a).reduce((order, key, i) => order || compareStrings(key, others[i]!), 0);
}

/** What a plain write of an object makes of who manages its fields. */
export function managersAfter(
  managers: readonly Manager[],
  writer: Writer,
  live: Value,
  next: Value,
  type: MergeType,
): Manager[] {
  const { added, changed, removed } = compared(live, next, type);
  const taken = union(added, changed);
  const before = managers.find((one) => isSame(one, writer));
  const own = union(without(before?.set ?? empty, removed), taken);
  const isUnchanged = before && isEmpty(without(own, before.set)) && isEmpty(without(before.set, own));
  const others = managers
    .filter((one) => one !== before)
    .map((one) => ({ ...one, set: without(without(one.set, taken), removed) }));
  // Who writes what is there already is not noted.
  return [...others, isUnchanged ? before : { ...writer, set: own }].filter(({ set }) => !isEmpty(set));
}

/** Who else manages what an applied object changes, and the fields. */
export interface Conflict {
  readonly manager: Manager;
  readonly set: FieldSet;
}

/** What becomes of who manages fields when a manager applies some of them. */
export function managersApplied(
  managers: readonly Manager[],
  writer: Writer,
  own: FieldSet,
  live: Value,
  next: Value,
  type: MergeType,
): { readonly managers: Manager[]; readonly conflicts: readonly Conflict[] } {
  const { added, changed, removed } = compared(live, next, type);
  const taken = union(added, changed);
  const others = managers.filter((one) => !isSame(one, writer));
  const conflicts = others
    .map((manager) => ({ manager, set: common(manager.set, taken) }))
    .filter(({ set }) => !isEmpty(set));
  const left = others.map((one) => ({ ...one, set: without(without(one.set, taken), removed) }));
  return { managers: [...left, { ...writer, set: own }].filter(({ set }) => !isEmpty(set)), conflicts };
}

export function ownedBy(managers: readonly Manager[], writer: Writer): FieldSet | undefined {
  return managers.find((one) => isSame(one, writer))?.set;
}

export function ownedByOthers(managers: readonly Manager[], writer: Writer): FieldSet {
  return managers.filter((one) => !isSame(one, writer)).reduce((all, { set }) => union(all, set), empty);
}

/** The words of a conflict, as the server has them, and each field of it. */
export function conflictText(conflicts: readonly Conflict[]): {
  readonly message: string;
  readonly causes: readonly { readonly message: string; readonly field: string }[];
} {
  const sorted = [...conflicts].sort((a, b) => compareStrings(a.manager.name, b.manager.name));
  const causes = sorted.flatMap(({ manager, set }) =>
    pathsOf(set, '').map((field) => ({
      by: managerText(manager),
      field,
      message: `conflict with ${managerText(manager)}`,
    })),
  );
  const [first] = causes;
  const lines = sorted.flatMap(({ manager, set }) => [
    `conflicts with ${managerText(manager)}:`,
    ...pathsOf(set, '').map((path) => `- ${path}`),
  ]);
  const said =
    causes.length === 1
      ? `1 conflict: ${first!.message}: ${first!.field}`
      : `${causes.length} conflicts: ${lines.join('\n')}`;
  return { message: `Apply failed with ${said}`, causes: causes.map(({ message, field }) => ({ message, field })) };
}

function managerText({ name, subresource, operation, apiVersion }: Manager): string {
  const within = subresource === '' ? '' : ` with subresource ${quote(subresource)}`;
  return `${quote(name)}${within}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}

function pathsOf({ members, below }: FieldSet, above: string): string[] {
  const path = (element: Element) => above + stepText(element);
  const sorted = (elements: Iterable<Element>) => [...elements].sort(compareStrings);
  const inner = sorted(below.keys()).flatMap((element) => pathsOf(below.get(element)!, path(element)));
  return [...sorted(members).map(path), ...inner];
}

function stepText(element: Element): string {
  const rest = element.slice(2);
  if (element.startsWith('f:')) return `.${rest}`;
  if (element.startsWith('v:')) return `[=${rest}]`;
  const read = readJson(rest);
  const keys = 'error' in read ? null : plainValue(read.json);
  return `[${(isMap(keys) ? [...keys] : []).map(([key, value]) => `${key}=${printJson(value)}`).join(',')}]`;
}

// What a write changes

interface Compared {
  readonly added: FieldSet;
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

type Kind = 'added' | 'changed' | 'removed';

/** A set that is put together. */
class Found {
  readonly members = new Set<Element>();
  readonly below = new Map<Element, Found>();

  at(element: Element): Found {
    const known = this.below.get(element) ?? new Found();
    this.below.set(element, known);
    return known;
  }

  set(): FieldSet {
    const below = [...this.below].map(([element, found]) => [element, found.set()] as const);
    return { members: this.members, below: new Map(below.filter(([, set]) => !isEmpty(set))) };
  }
}

function compared(live: Value, next: Value, type: MergeType): Compared {
  const found: Record<Kind, Found> = { added: new Found(), changed: new Found(), removed: new Found() };
  compareParts(live, next, type, found);
  const managed = (kind: Kind) => without(found[kind].set(), unmanaged);
  return { added: managed('added'), changed: managed('changed'), removed: managed('removed') };
}

interface Part {
  readonly value: Value;
  readonly type: MergeType | undefined;
}

/** The parts of a value that are told apart; undefined where it is one whole. */
function partsOf(value: Value | undefined, type: MergeType | undefined): Map<Element, Part> | undefined {
  if (!type || value === undefined || value === null) return undefined;
  const form = formOf(type, value);
  if (form === 'scalar' || type[form]!.atomic) return undefined;
  if (form === 'list') return isList(value) ? itemsOf(value, type.list!) : undefined;
  return isMap(value) ? fieldsOf(value, type.map!) : undefined;
}

function itemsOf(list: readonly Value[], merge: ListMerge): Map<Element, Part> {
  const found = new Map<Element, Part>();
  for (const value of list) {
    const element = itemElement(merge, value);
    if (typeof element === 'string') found.set(element, { value, type: merge.item });
  }
  return found;
}

function fieldsOf(map: ValueMap, merge: MapMerge): Map<Element, Part> {
  return new Map([...map].map(([name, value]) => [fieldElement(name), { value, type: typeAt(merge, name) }]));
}

/** Compares what is in two values; either may be missing. */
function compareParts(
  live: Value | undefined,
  next: Value | undefined,
  type: MergeType | undefined,
  found: Record<Kind, Found>,
): void {
  const [before, after] = [partsOf(live, type), partsOf(next, type)];
  for (const element of new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])) {
    const [old, now] = [before?.get(element), after?.get(element)];
    const kind = kindOf(old, now);
    if (kind) found[kind].members.add(element);
    const inner = {
      added: found.added.at(element),
      changed: found.changed.at(element),
      removed: found.removed.at(element),
    };
    compareParts(old?.value, now?.value, (now ?? old)!.type, inner);
  }
}

function kindOf(old: Part | undefined, now: Part | undefined): Kind | undefined {
  if (!old) return 'added';
  if (!now) return 'removed';
  const isWhole = !partsOf(old.value, old.type) || !partsOf(now.value, now.type);
  return isWhole && !equalValues(old.value, now.value) ? 'changed' : undefined;
}
