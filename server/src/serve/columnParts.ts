import { compareStrings } from '../gostd/jsonPrint.ts';
import { parseQuantity, quantityText } from '../gostd/quantity.ts';
import { ageOf } from '../kubernetes/cr/table.ts';
import { at, type JsonMap, type JsonValue, listAt, mapAt, textAt } from './json.ts';

// What columns of built-in kinds are made of.

export interface BuiltinColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  /** Shown with `-o wide` alone. */
  readonly isWide: boolean;
  /** A name, most often that of the object. */
  readonly isName: boolean;
  cell(object: JsonMap, now: number): JsonValue;
}

export type Cell = BuiltinColumn['cell'];
export type Type = BuiltinColumn['type'];

export const column = (name: string, cell: Cell, type: Type = 'string'): BuiltinColumn => {
  return { name, type, isWide: false, isName: false, cell };
};
export const wide = (name: string, cell: Cell, type: Type = 'string') => ({
  ...column(name, cell, type),
  isWide: true,
});
export const integer = (name: string, cell: Cell) => column(name, cell, 'integer');

export const text =
  (...path: string[]): Cell =>
  (object) =>
    textAt(object, ...path);
export const textOr =
  (otherwise: string, ...path: string[]): Cell =>
  (object) =>
    textAt(object, ...path) || otherwise;
export const numberAt = (object: JsonMap, path: readonly string[], otherwise = 0): number => {
  const value = at(object, ...path);
  return typeof value === 'number' ? value : otherwise;
};
export const number =
  (...path: string[]): Cell =>
  (object) =>
    numberAt(object, path);
export const count =
  (...path: string[]): Cell =>
  (object) =>
    listAt(object, ...path).length;
export const since =
  (...path: string[]): Cell =>
  (object, now) =>
    ageOf(textAt(object, ...path), now);

export const name: BuiltinColumn = { ...column('Name', text('metadata', 'name')), isName: true };
export const age = column('Age', since('metadata', 'creationTimestamp'));

/** Joined as Go joins the elements of a set. */
export const joinedSet = (all: readonly string[]) => [...new Set(all)].sort(compareStrings).join(',');

// Labels and selectors

export function labels(map: JsonMap): string {
  const parts = Object.entries(map).map(([key, value]) => `${key}=${value}`);
  return parts.length > 0 ? parts.sort(compareStrings).join(',') : '<none>';
}

export const operators = new Map<string, (key: string, values: readonly string[]) => string>(
  Object.entries({
    In: (key: string, values: readonly string[]) => `${key} in (${values.join(',')})`,
    NotIn: (key: string, values: readonly string[]) => `${key} notin (${values.join(',')})`,
    Exists: (key: string) => key,
    DoesNotExist: (key: string) => `!${key}`,
  }),
);

export function selectorText(selector: JsonMap): string {
  const equal = Object.entries(mapAt(selector, 'matchLabels')).map(([key, value]) => [key, `${key}=${value}`] as const);
  const others = listAt(selector, 'matchExpressions').map((one) => {
    const key = textAt(one, 'key');
    const values = listAt(one, 'values').map(String).sort(compareStrings);
    return [key, operators.get(textAt(one, 'operator'))?.(key, values) ?? ''] as const;
  });
  const all = [...equal, ...others].sort(([a], [b]) => compareStrings(a, b));
  return all.map(([, said]) => said).join(',');
}

export const selector =
  (...path: string[]): Cell =>
  (object) =>
    selectorText(mapAt(object, ...path)) || '<none>';

export function containers(...path: string[]): BuiltinColumn[] {
  const all = (member: string): Cell => {
    return (object) =>
      listAt(object, ...path, 'spec', 'containers')
        .map((one) => textAt(one, member))
        .join(',');
  };
  return [wide('Containers', all('name')), wide('Images', all('image'))];
}

export const quantity = (value: JsonValue | undefined): string => {
  const read = parseQuantity(String(value ?? '0'));
  return 'error' in read ? '0' : quantityText(read.quantity);
};
