import { equalValues, isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import type { Draft, MarkerArgument, MarkerDefinition } from './model.ts';
import { quoted } from './strings.ts';
import { allMarkers, markerNamed } from './table.ts';

// The way back from a CRD to the markers that make it so, read off from the table: what a marker sets, what its
// arguments set, and what it is without any.

/** What is changed: the part that markers set, in its state before and after. */
export interface Changed {
  readonly before: ValueMap;
  readonly after: ValueMap;
}

const keyOf = (of: string, path: Path) => `${of} ${path.join(' ')}`;

const writers: ReadonlyMap<string, readonly MarkerDefinition[]> = grouped();

function grouped(): ReadonlyMap<string, MarkerDefinition[]> {
  const found = new Map<string, MarkerDefinition[]>();
  for (const row of allMarkers) {
    if (!row.sets || row.isAlias) continue;
    const key = keyOf(row.sets.of, row.sets.path);
    const known = found.get(key);
    if (known) known.push(row);
    else found.set(key, [row]);
  }
  return found;
}

/** The markers that set a keyword of a schema, or of the items of the schema, to what it is. */
export function schemaMarkers(keyword: string, { before, after }: Changed, inItems: boolean): string[] {
  const rows = writers.get(keyOf('schema', [...(inItems ? ['items'] : []), keyword])) ?? [];
  const isStruct = after.has('properties');
  const row = rows.length > 1 ? rows.find(({ fits }) => fits?.includes('struct') === isStruct) : rows[0];
  return row ? textsOf(row, before.get(keyword), after.get(keyword)!) : [];
}

/** The markers that make a version what it is, in the order of the table. */
export function versionMarkers({ before, after }: Changed): string[] {
  return allMarkers.flatMap((row) => {
    if (row.sets?.of !== 'version' || !row.applyToCrd) return [];
    const { path } = row.sets;
    const parts = [path, ...row.arguments.flatMap(({ beside }) => (beside === undefined ? [] : [[beside]]))];
    if (parts.every((one) => equalValues(valueAt(before, one), valueAt(after, one)))) return [];
    const [old, now] = [valueAt(before, path), valueAt(after, path)];
    return now === undefined ? [] : textsOf(row, old, now, after);
  });
}

/** A marker of the whole CRD with one of its arguments. */
export function argumentMarker(name: string, argument: string, value: Value): string {
  const row = markerNamed(name, 'type')!;
  return `+${row.name}:${argument}=${valueOf(row.arguments.find((one) => one.name === argument)!, value)}`;
}

function textsOf(row: MarkerDefinition, before: Value | undefined, after: Value, around: ValueMap = new Map()) {
  const [first] = row.arguments;
  if (!first) return equalValues(after, madeBy(row)) ? [`+${row.name}`] : [];
  if (first.name !== '') return partsOf(row, before, after).map((part) => `+${row.name}${named(row, part, around)}`);
  const values = row.repeats ? (isList(after) ? after : []) : [after];
  return values.map((value) => `+${row.name}=${valueOf(first, value)}`);
}

/** What a marker without arguments sets, found by using it. */
function madeBy({ sets, apply, applyToCrd }: MarkerDefinition): Value | undefined {
  const schema: Draft = new Map();
  apply?.(schema, null, { enumValues: () => ({ values: [] }) });
  const version: Draft = new Map([['name', 'v1']]);
  applyToCrd?.(new Map([['spec', new Map([['versions', [version]]])]]), null, 'v1');
  return sets!.of === 'schema' ? schema.get(String(sets!.path.at(-1))) : valueAt(version, sets!.path);
}

/** The maps that the arguments are about: of a list those that are new, and nothing of a part that is only there. */
function partsOf({ repeats }: MarkerDefinition, before: Value | undefined, after: Value): ValueMap[] {
  if (!repeats) return isMap(after) ? [after] : after === true ? [new Map()] : [];
  const known = new Map<Value | undefined, ValueMap[]>();
  for (const one of isList(before) ? before.filter(isMap) : []) {
    const alike = known.get(mostlyDiffers(one));
    if (alike) alike.push(one);
    else known.set(mostlyDiffers(one), [one]);
  }
  const isKnown = (item: ValueMap) => known.get(mostlyDiffers(item))?.some((one) => equalValues(one, item)) ?? false;
  return (isList(after) ? after : []).filter(isMap).filter((item) => !isKnown(item));
}

/** What rules, columns and selectable fields mostly differ in. */
function mostlyDiffers(item: ValueMap): Value | undefined {
  return item.get('rule') ?? item.get('jsonPath');
}

function named(row: MarkerDefinition, part: ValueMap, around: ValueMap): string {
  const given = row.arguments.flatMap(({ name, sets = name, beside }) => {
    const value = beside === undefined ? part.get(sets) : around.get(beside);
    return value === undefined ? [] : [`${name}=${written(value)}`];
  });
  return given.length === 0 ? '' : `:${given.join(',')}`;
}

/** One of some known words is written without quotes. */
function valueOf({ type, values, offers }: MarkerArgument, value: Value): string {
  if (type.kind === 'list' && isList(value)) return value.map(bare).join(';');
  return (values || offers) && typeof value === 'string' ? value : written(value);
}

const bare = (value: Value) => (typeof value === 'string' && /^\w+$/.test(value) ? value : written(value));

/** A value as markers write it. */
function written(value: Value): string {
  if (isList(value)) return `{${value.map((one) => written(one)).join(',')}}`;
  if (isMap(value)) return `{${[...value].map(([key, one]) => `${quoted(key)}:${written(one)}`).join(',')}}`;
  return typeof value === 'string' ? quoted(value) : printJson(value);
}
