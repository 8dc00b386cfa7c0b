/** replacements: values of one resource, or of the kustomization, in the fields of others. */

import { printJson } from '../../gostd/jsonPrint.ts';
import { matchesLabels } from '../../gostd/labelSelector.ts';
import { quote } from '../../gostd/quote.ts';
import { type Context, checkLevels } from '../context.ts';
import { attempt, Failure, fail, panic, prefixed } from '../failure.ts';
import { splitFieldPath } from '../fieldSpec.ts';
import { isSelected, type ResId, sameNamespace, splitApiVersion } from '../ids.ts';
import { indentJson } from '../indentJson.ts';
import type { FieldOptions, Replacement, ReplacementSource, ReplacementTarget, Selector } from '../kustomization.ts';
import { parseLabelSelector } from '../labelSelector.ts';
import { type Computing, computed, type Origin, type Place } from '../origin.ts';
import { annotationsOf, labelsOf, previousIdsOf, type Resource } from '../resource.ts';
import { type CompiledSelector, compileSelector, selectorId } from '../selector.ts';
import { plainOf, valueOfBuilt } from '../tree/built.ts';
import { lookup } from '../tree/edit.ts';
import { matchPath, readText } from '../tree/match.ts';
import { isEmpty, type Node, type NodeKind, scalarNode, textOf } from '../tree/node.ts';
import { writeNode } from '../tree/write.ts';
import type { Transformer } from './transformer.ts';

export interface PlacedReplacement {
  readonly replacement: Replacement;
  readonly place: Place;
  /** Where a field path of a target is written. */
  pathPlace(target: number, path: number): Place;
}

export function replacementTransformer(
  replacements: readonly PlacedReplacement[],
  place: Place,
  what: Computing = 'replacements',
): Transformer {
  return {
    plugin: 'ReplacementTransformer',
    place,
    isAlone: false,
    transform: (made, context) => {
      for (const one of replacements) {
        try {
          replace(one, made.set.list, made.isPartial, context, what);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          throw new Failure(error.message, error.place ?? one.place, error.kind);
        }
      }
      made.set.dropEmpty();
    },
  };
}

/** The ids of a node as it is and as it was; none of them is known to be of the cluster. */
function idsOf({ node, kind, name, namespace, apiVersion }: Resource): ResId[] {
  const { group, version } = splitApiVersion(apiVersion);
  const previous = attempt(() => previousIdsOf(node));
  if (previous.failure) fail(previous.failure.message.replace('panic: ', ''));
  return [{ group, version, kind, name, namespace, isCluster: false }, ...previous.value];
}

function replace(
  one: PlacedReplacement,
  list: readonly Resource[],
  isPartial: boolean,
  context: Context,
  what: Computing,
): void {
  const { source, sourceValue, targets } = one.replacement;
  if ((sourceValue === undefined && !source) || !targets)
    fail('replacements must specify a source and at least one target');
  if (sourceValue !== undefined && source) fail('value and resource selectors are mutually exclusive');
  const value = sourceValue === undefined ? sourceOf(source!, list, isPartial) : scalarNode(sourceValue);
  if (!value) return;
  const origin = (path: Place, before: Origin | undefined): Origin => {
    const original = sourceValue === undefined ? value.origin : before;
    return computed(what, path, original);
  };
  for (const [i, target] of targets.entries()) applyTo(target, one, i, value, list, isPartial, context, origin);
}

type OriginAt = (path: Place, before: Origin | undefined) => Origin;

function sourceOf(source: ReplacementSource, list: readonly Resource[], isPartial: boolean): Node | undefined {
  const selected = list.filter((resource) => idsOf(resource).some((id) => isSelectedBy(id, source)));
  if (selected.length > 1) fail(`multiple matches for selector ${sourceText(source)}`);
  if (selected.length === 0) {
    if (isPartial) return undefined;
    fail(`nothing selected by ${sourceText(source)}`);
  }
  const path = source.fieldPath || 'metadata.name';
  const looked = attempt(() => lookup(selected[0]!.node, splitFieldPath(path)));
  if (looked.failure) throw prefixed('error looking up replacement source', looked.failure);
  if (isEmpty(looked.value)) fail(`fieldPath \`${path}\` is missing for replacement source ${selectorId(source)}`);
  return refined(source.options, looked.value!);
}

function isSelectedBy(
  id: ResId,
  { group = '', version = '', kind = '', name = '', namespace = '' }: Selector,
): boolean {
  const asked = { group, version, kind, name, namespace, isCluster: false };
  return (name === '' || name === id.name) && (namespace === '' || sameNamespace(asked, id)) && isSelected(id, asked);
}

function sourceText(source: ReplacementSource): string {
  const options = source.options;
  const parts = [selectorId(source)];
  if (source.fieldPath) parts.push(source.fieldPath);
  if (options && (options.delimiter || options.create))
    parts.push(`${options.delimiter ?? ''}(${options.index ?? 0n}), create=${options.create ?? false}`);
  return parts.join(':');
}

function refined(options: FieldOptions | undefined, node: Node): Node {
  if (!options?.delimiter) return node;
  if (node.kind !== 'scalar') fail('delimiter option can only be used with scalar nodes');
  const parts = textOf(node).split(options.delimiter);
  const index = Number(options.index ?? 0n);
  if (index >= parts.length || index < 0) fail(`options.index ${index} is out of bounds for value ${textOf(node)}`);
  const copy = node.copy();
  copy.value = parts[index]!;
  return copy;
}

interface Target {
  readonly fieldPaths: readonly string[];
  readonly options: FieldOptions | undefined;
  readonly select: Selector;
  readonly reject: readonly Selector[];
  readonly compiled: CompiledSelector;
  readonly rejecting: readonly { readonly selector: Selector; readonly compiled: CompiledSelector }[];
}

function compiledTarget(target: ReplacementTarget | undefined): Target {
  const { select, reject = [], fieldPaths, options } = target ?? {};
  if (!select) fail('target must specify resources to select');
  const compile = (selector: Selector) => {
    const compiled = attempt(() => compileSelector(selector));
    if (compiled.failure) throw prefixed('error creating target selector', compiled.failure);
    return compiled.value;
  };
  const rejected = reject.map((selector) => selector ?? {});
  return {
    fieldPaths: fieldPaths && fieldPaths.length > 0 ? fieldPaths : ['metadata.name'],
    options,
    select,
    reject: rejected,
    compiled: compile(select),
    rejecting: rejected.map((selector) => ({ selector, compiled: compile(selector) })),
  };
}

function applyTo(
  given: ReplacementTarget | undefined,
  one: PlacedReplacement,
  index: number,
  value: Node,
  list: readonly Resource[],
  isPartial: boolean,
  context: Context,
  origin: OriginAt,
): void {
  const target = compiledTarget(given);
  context.visit(list.length);
  for (const resource of list) {
    const ids = idsOf(resource);
    if (!fitsLabels(resource, target) || isRejected(ids, target)) continue;
    if (!ids.some((id) => fits(id, target.compiled))) continue;
    if (!resource.node) continue;
    for (const [i, path] of target.fieldPaths.entries()) {
      const place = one.pathPlace(index, i);
      copyTo(resource.node, value, path, target.options, context, (before) => origin(place, before), place);
    }
    resource.touch({ what: 'kustomization', place: one.place });
  }
  void isPartial;
}

function fits(id: ResId, compiled: CompiledSelector): boolean {
  return compiled.matchesGvk(id) && compiled.matchesName(id.name) && compiled.matchesNamespace(id.namespace);
}

function isRejected(ids: readonly ResId[], { rejecting }: Target): boolean {
  return rejecting.some(({ selector, compiled }) => {
    const { group, version, kind, name, namespace } = selector;
    if (!group && !version && !kind && !name && !namespace) return false;
    return ids.some((id) => fits(id, compiled));
  });
}

function fitsLabels({ node }: Resource, { select, reject }: Target): boolean {
  const matches = ({ labelSelector, annotationSelector }: Selector) => {
    const annotations = matchesLabels(parseLabelSelector(annotationSelector ?? ''), annotationsOf(node));
    return matchesLabels(parseLabelSelector(labelSelector ?? ''), labelsOf(node)) && annotations;
  };
  if (!matches(select)) return false;
  return !reject.some((one) => (one.annotationSelector || one.labelSelector) && matches(one));
}

function copyTo(
  root: Node,
  value: Node,
  path: string,
  options: FieldOptions | undefined,
  context: Context,
  origin: (before: Origin | undefined) => Origin,
  place: Place,
): void {
  const create: NodeKind = options?.create ? value.kind : 'none';
  const match = { create, spend: (steps: number) => context.spend(steps) };
  const parts = splitFieldPath(path);
  checkLevels(parts.length);
  if (attempt(() => setInText(root, value, parts, match, origin)).failure === undefined) return;
  const words = `unable to find${create === 'none' ? '' : ' or create'} field ${quote(path)} in replacement target`;
  const found = attempt(() => matchPath(root, parts, match) ?? []);
  if (found.failure) throw prefixed(words, found.failure, place);
  if (found.value.length === 0) fail(words, place);
  for (const field of found.value) setValue(options, field, value, context, origin, parts.length);
}

function setValue(
  options: FieldOptions | undefined,
  field: Node,
  value: Node,
  context: Context,
  origin: (before: Origin | undefined) => Origin,
  depth: number,
): void {
  context.spend(sizeOf(value, depth));
  const copy = value.copy();
  if (options?.delimiter) {
    if (field.kind !== 'scalar') fail('delimiter option can only be used with scalar nodes');
    copy.value = joined(field.value, textOf(copy), options.delimiter, Number(options.index ?? 0n));
  }
  const before = field.origin;
  if (field.kind === 'scalar') field.value = copy.value;
  else field.become(copy);
  field.origin = origin(before);
}

/** Texts count by their length, in parts that are worth a node. */
function sizeOf(node: Node, level: number): number {
  checkLevels(level);
  let size = 1 + Math.floor(node.value.length / 100);
  for (const child of node.content) size += sizeOf(child, level + 1);
  return size;
}

function joined(text: string, value: string, delimiter: string, index: number): string {
  const parts = text.split(delimiter);
  if (index < 0) parts.unshift(value);
  else if (index >= parts.length) parts.push(value);
  else parts[index] = value;
  return parts.join(delimiter);
}

/** A path may go on in a text that is JSON or YAML itself. */
function setInText(
  root: Node,
  value: Node,
  parts: readonly string[],
  match: { readonly create: NodeKind; spend(steps: number): void },
  origin: (before: Origin | undefined) => Origin,
): void {
  if (parts.length < 2) fail('not a structured data path');
  const at = textOnPath(root, parts);
  if (!at) fail('no structured data found in path');
  const { scalar, rest } = at;
  const data = readText(scalar);
  const found = matchPath(data, rest, match) ?? [];
  if (found.length === 0) fail('unable to find field in structured data');
  for (const field of found) {
    if (field.kind === 'scalar') field.value = value.value;
    else field.become(value);
  }
  scalar.value = rewritten(data, scalar.value);
  scalar.origin = origin(scalar.origin);
}

function textOnPath(root: Node, parts: readonly string[]): { scalar: Node; rest: readonly string[] } | undefined {
  for (let length = 1; length < parts.length; length++) {
    const { value: scalar } = attempt(() => lookup(root, parts.slice(0, length)));
    if (scalar?.kind !== 'scalar') continue;
    if (attempt(() => readText(scalar)).failure === undefined) return { scalar, rest: parts.slice(length) };
  }
  return undefined;
}

function rewritten(data: Node, original: string): string {
  const trimmed = original.trim();
  if (trimmed === '') panic('runtime error: index out of range [0] with length 0');
  if (trimmed[0] !== '{' && trimmed[0] !== '[') return writeNode(data).trim();
  const json = valueOfBuilt(plainOf(data));
  return original.includes('\n') && original.includes('  ') ? indentJson(json) : printJson(json);
}
