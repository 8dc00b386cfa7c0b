/** Strategic merge as kustomize does it: what is there, with a patch over it. */

import { compareStrings } from '../../gostd/jsonPrint.ts';
import { Failure, fail } from '../failure.ts';
import { over, type Place } from '../origin.ts';
import {
  clear,
  elementWithKey,
  expectKind,
  field,
  fieldsOf,
  get,
  matchElement,
  setElement,
  setField,
  setScalar,
} from '../tree/edit.ts';
import {
  isEmpty,
  isEmptyMap,
  isMissing,
  isTaggedNull,
  listNode,
  Node,
  nullTag,
  scalarNode,
  textOf,
} from '../tree/node.ts';
import { writeNode } from '../tree/write.ts';
import { keysInUse, mergedValues } from './keys.ts';
import type { Schema, Schemas } from './schema.ts';

export interface Merging {
  readonly schemas: Schemas;
  /** A list that a patch replaces as a whole. */
  replacedList?(path: readonly string[], before: Node, after: Node): void;
}

/** Merges a patch into a node; undefined where the patch deletes it. */
export function merge(target: Node | undefined, patch: Node | undefined, merging: Merging): Node | undefined {
  return walk(target, patch, undefined, merging, []);
}

type Path = readonly string[];

function walk(
  target: Node | undefined,
  patch: Node | undefined,
  given: Schema | undefined,
  merging: Merging,
  path: Path,
): Node | undefined {
  const schema = given ?? schemaOf(target, merging) ?? schemaOf(patch, merging);
  const kind = isMissing(target) ? (isMissing(patch) ? 'none' : patch!.kind) : target!.kind;
  if (kind === 'scalar') {
    expectKind(target, 'scalar');
    expectKind(patch, 'scalar');
    if (patch && !isMissing(patch) && !isMissing(target)) patch.origin = over(patch.origin, target!.origin);
    return patch ?? target;
  }
  if (kind === 'list') {
    expectKind(target, 'list');
    expectKind(patch, 'list');
    if (schema?.mergeKeys !== undefined) return mergeLists(target, patch, schema, merging, path);
    copyStyle(target, patch);
    if (patch && target !== patch && !isMissing(target) && !isMissing(patch))
      replaceList(path, target!, patch, merging);
    return patch ?? target;
  }
  if (kind === 'alias') return undefined;
  if (kind === 'map') {
    expectKind(target, 'map');
    expectKind(patch, 'map');
  }
  return mergeMaps(target, patch, schema, merging, path);
}

function replaceList(path: Path, before: Node, after: Node, merging: Merging): void {
  merging.replacedList?.(path, before, after);
  after.origin = over(after.origin, before.origin);
}

function schemaOf(node: Node | undefined, { schemas }: Merging): Schema | undefined {
  if (isMissing(node) || node!.kind !== 'map') return undefined;
  const [kind, apiVersion] = [field(node, 'kind'), field(node, 'apiVersion')];
  if (isEmpty(kind) || isEmpty(apiVersion) || textOf(kind) === '' || textOf(apiVersion) === '') return undefined;
  return schemas.of(textOf(apiVersion), textOf(kind));
}

/** An empty map or list is written as what comes into it. */
function copyStyle(target: Node | undefined, patch: Node | undefined): void {
  if (target && patch && target.kind !== 'scalar' && target.content.length === 0) target.style = patch.style;
}

type Directive = 'merge' | 'replace' | 'delete';

function known(text: string, place: Place | undefined): Directive {
  if (text === 'merge' || text === 'replace' || text === 'delete') return text;
  throw new Failure(`unknown patch strategy '${text}'`, place);
}

/** What a patch says of itself in `$patch`, which is taken out of it. */
function directive(patch: Node | undefined): Directive {
  if (patch === undefined) return 'merge';
  if (patch.kind === 'map') {
    const found = get(patch, '$patch');
    if (found === undefined) return 'merge';
    const said = known(found.value, placeOf(found));
    clear(patch, '$patch');
    return said;
  }
  if (patch.kind === 'list') return listDirective(patch);
  fail(`no implemented strategic merge patch strategy for '${patch.tag}' ('${writeNode(patch)}')`, placeOf(patch));
}

function listDirective(patch: Node): Directive {
  const item = elementWithKey(patch, '$patch');
  if (item === undefined || item.content.length > 2) return 'merge';
  const found = get(item, '$patch');
  if (found === undefined) return 'merge';
  const said = known(found.value, placeOf(found));
  setElement(patch, ['$patch'], [found.value], undefined);
  return said;
}

/** What a map or a merged list becomes before its parts are merged; undefined where it is deleted. */
function destination(target: Node | undefined, patch: Node | undefined, isMap: boolean): Node | undefined {
  copyStyle(target, patch);
  if (isMissing(target)) {
    if (!isMap) return patch;
    const said = softly(patch);
    if (said === 'delete') return undefined;
    if (patch === undefined && target && target.value !== '') return keptNull(target);
    return patch;
  }
  if (isTaggedNull(patch)) return undefined;
  const said = directive(patch);
  if (said === 'delete') return undefined;
  return said === 'replace' ? patch : target;
}

/** Of a patch where there is nothing, what cannot be understood does not matter. */
function softly(patch: Node | undefined): Directive {
  if (patch === undefined || (patch.kind !== 'map' && patch.kind !== 'list')) return 'merge';
  const found = patch.kind === 'map' ? get(patch, '$patch') : undefined;
  if (found && !['merge', 'replace', 'delete'].includes(found.value)) return 'merge';
  return directive(patch);
}

function keptNull(target: Node): Node {
  const kept = new Node('scalar', nullTag, target.value, '', target.origin);
  kept.keep = true;
  return kept;
}

function mergeMaps(
  target: Node | undefined,
  patch: Node | undefined,
  schema: Schema | undefined,
  merging: Merging,
  path: Path,
): Node | undefined {
  const into = destination(target, patch, true);
  if (into === undefined) return undefined;
  for (const key of namesOf(into, patch)) {
    const [before, after] = [field(into, key), patch && field(patch, key)];
    const merged = walk(before, after, schema?.field(key), merging, [...path, key]);
    setMerged(into, patch, key, merged);
  }
  return into;
}

/** A key that comes with a patch is written as the patch writes it. */
function setMerged(into: Node, patch: Node | undefined, key: string, merged: Node | undefined): void {
  const written =
    merged && keyWith(patch, key, merged) !== undefined ? keyWith(patch, key, merged) : keyWith(into, key, merged);
  setField(into, key, merged, { style: written?.style ?? '', origin: written?.origin });
}

function keyWith(map: Node | undefined, name: string, value: Node | undefined): Node | undefined {
  if (map?.kind !== 'map' || value === undefined) return undefined;
  for (let i = 0; i < map.content.length; i += 2) {
    if (map.content[i]!.value === name) return map.content[i + 1] === value ? map.content[i] : undefined;
  }
  return undefined;
}

function namesOf(...maps: (Node | undefined)[]): string[] {
  const names = new Set<string>();
  for (const map of maps)
    if (map && (map.kind === 'map' || isMissing(map))) for (const name of fieldsOf(map)) names.add(name);
  return [...names].sort(compareStrings);
}

function mergeLists(
  target: Node | undefined,
  patch: Node | undefined,
  schema: Schema,
  merging: Merging,
  path: Path,
): Node | undefined {
  const into = destination(target, patch, false);
  if (into === undefined) return undefined;
  const keys = schema.mergeKeys!;
  const sources = [into, patch];
  if (keys.length === 0) return mergeItems(scalarsOf(sources), [''], into, patch, schema, merging, path);
  return mergeItems(valuesOf(sources, keys), keys, into, patch, schema, merging, path);
}

/** The patch's items come first. */
function inOrder(sources: readonly (Node | undefined)[]): (Node | undefined)[] {
  return [sources[1], sources[0]];
}

function scalarsOf(sources: readonly (Node | undefined)[]): string[][] {
  const seen = new Set<string>();
  for (const source of inOrder(sources)) for (const item of source?.content ?? []) seen.add(item.value);
  return [...seen].map((value) => [value]);
}

function valuesOf(sources: readonly (Node | undefined)[], keys: readonly string[]): string[][] {
  const seen = new Set<string>();
  const all: string[][] = [];
  for (const source of inOrder(sources)) {
    for (const item of source?.content ?? []) {
      const values = keys.map((key) => {
        const found = field(item, key);
        return isEmpty(found) ? '' : found!.value;
      });
      const id = values.join('\0');
      if (!seen.has(id)) all.push(values);
      seen.add(id);
    }
  }
  return all;
}

function mergeItems(
  valueList: string[][],
  keys: readonly string[],
  into: Node,
  patch: Node | undefined,
  schema: Schema,
  merging: Merging,
  path: Path,
): Node | undefined {
  const added = listNode(into.origin);
  const elements = schema.elements();
  const all = keys.length > 1 ? mergedValues(valueList) : valueList;
  let used = keys;
  for (const values of all) {
    const [validKeys, validValues] = keysInUse(all, values, keys);
    used = validKeys;
    const found = (list: Node | undefined) => list && elementOf(list, validKeys, validValues);
    const merged = walk(found(into), found(patch), elements, merging, [...path, `[${validValues.join(',')}]`]);
    if (isMissing(merged) || isEmptyMap(merged)) {
      for (const _ of validKeys) setElement(into, validKeys, validValues, undefined);
      if (validKeys.length > 0) continue;
    }
    for (const [i, key] of validKeys.entries()) {
      if (field(merged, key) === undefined && validValues[i] !== '' && key !== '')
        setField(merged!, key, scalarNode(validValues[i]!, merged!.origin));
      // An item that is a text is written anew, without its tag.
      else if (key === '' && validValues[i] !== '') setScalar(merged!, scalarNode(validValues[i]!, merged!.origin));
    }
    setElement(added, validKeys, validValues, merged);
  }
  if (all.length === 0) return isMissing(into) ? undefined : into;
  const result = appendItems(added, into, used);
  return isMissing(result) ? undefined : result;
}

function elementOf(list: Node, keys: readonly string[], values: readonly string[]): Node | undefined {
  const [used, usedValues] = keysInUse([values], values, keys);
  if (list.kind !== 'list') return undefined;
  return matchElement(list, used, usedValues);
}

function appendItems(into: Node, from: Node, keys: readonly string[]): Node {
  for (const item of from.content) {
    if (keys[0] === '') {
      setElement(into, [''], [item.value], item);
      continue;
    }
    const values: string[] = [];
    for (const key of keys) {
      const found = get(item, key);
      if (found === undefined) into.content.push(item);
      else values.push(found.value);
    }
    if (keys.length > 1) setElement(into, keys, values, undefined);
    setElement(into, keys, values, item);
  }
  return into;
}

function placeOf(node: Node): Place | undefined {
  return node.origin?.how === 'written' ? node.origin.place : undefined;
}
