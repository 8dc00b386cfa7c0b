import { append } from '../../base/append.ts';
import { isList, isMap, type Value } from '../../base/value.ts';
import { goAny, goSyntax, goTypeOf, plainText } from '../goValue.ts';
import { type Element, elementText, itemElement } from './elements.ts';
import { formOf, type ListMerge, type MapMerge, type MergeType, type Scalar, typeAt } from './mergeType.ts';

/** What server-side apply has against a configuration before it is merged: it wants to know every field. */
export function typeErrors(value: Value, type: MergeType, path = ''): string[] {
  const form = formOf(type, value);
  if (form === 'scalar') return fits(value, type.scalar!) ? [] : [at(path, expected(value, type.scalar!))];
  if (value === null) return [];
  if (form === 'list') return isList(value) ? itemErrors(value, type.list!, path) : [at(path, unlike('list', value))];
  return isMap(value) ? fieldErrors(value, type.map!, path) : [at(path, unlike('map', value))];
}

/** As they stand in one message. */
export function typeErrorsText(errors: readonly string[]): string {
  return errors.length === 1 ? errors[0]! : ['errors:', ...errors.map((error) => `  ${error}`)].join('\n');
}

const at = (path: string, text: string) => (path === '' ? text : `${path}: ${text}`);

function fits(value: Value, scalar: Scalar): boolean {
  if (value === null) return true;
  const kind = typeof value === 'bigint' ? 'number' : typeof value;
  return scalar === 'any' ? kind !== 'object' : kind === scalar;
}

/** Go shows how it holds the value, in a way of its own for each kind. */
function expected(value: Value, scalar: Scalar): string {
  switch (scalar) {
    case 'number':
      return `expected numeric (int or float), got ${goTypeOf(value)}`;
    case 'string':
      return `expected string, got &value.valueUnstructured{Value:${goSyntax(goAny(value))}}`;
    default:
      return unlike(scalar === 'any' ? 'any scalar' : scalar, value);
  }
}

function unlike(wanted: string, value: Value): string {
  return `expected ${wanted}, got &{${plainText(value)}}`;
}

function itemErrors(list: readonly Value[], type: ListMerge, path: string): string[] {
  const errors: string[] = [];
  const seen = new Set<Element>();
  for (const [i, item] of list.entries()) {
    if (type.atomic) {
      append(errors, typeErrors(item, type.item, `${path}[${i}]`));
      continue;
    }
    const element = itemElement(type, item);
    // Without a name for an item nothing more is said of the list.
    if (typeof element !== 'string') return [...errors, at(path, `element ${i}: ${element.error}`)];
    const text = elementText(type, item, element);
    if (seen.has(element)) errors.push(at(path, `duplicate entries for key ${text}`));
    seen.add(element);
    append(errors, typeErrors(item, type.item, path + text));
  }
  return errors;
}

function fieldErrors(map: ReadonlyMap<string, Value>, type: MapMerge, path: string): string[] {
  const errors: string[] = [];
  for (const [name, item] of map) {
    const inner = typeAt(type, name);
    if (inner) append(errors, typeErrors(item, inner, `${path}.${name}`));
    else errors.push(`${path}.${name}: field not declared in schema`);
  }
  return errors;
}
