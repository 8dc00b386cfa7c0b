import { isList, isMap, type Value } from '../../base/value.ts';
import { usualNames } from '../../workspace/builtin.ts';
import { requiredNames, type SchemaNode, stepInto } from '../../workspace/schemaNode.ts';
import { quoteIfNeeded } from '../../yaml/quoting.ts';
import { show } from '../words/explain.ts';

// Snippets for values: what a schema demands is there to be filled in, what has a default is left out.

/** Numbers the places to fill in, and counts lines. */
export interface Stops {
  next: number;
  lines: number;
}

export function newStops(): Stops {
  return { next: 1, lines: 0 };
}

const deepest = 8;
const mostLines = 60;

/** What follows a key's colon, with all that is required below it. Lines below are indented further than `indent`. */
export function valueSnippet(node: SchemaNode | undefined, stops: Stops, indent: string, depth = 0): string {
  const type = node?.schema.get('type');
  const inner = `${indent}  `;
  if (!node || depth > deepest || stops.lines++ > mostLines) return ` ${stop(stops)}`;
  if (type === 'object') return `\n${inner}${objectSnippet(node, stops, inner, depth)}`;
  if (type === 'array') return `\n${inner}- ${itemSnippet(node, stops, inner, depth)}`;
  return ` ${scalarSnippet(node, stops)}`;
}

/** What follows a key's colon within brackets or braces, where nothing can go over lines. */
export function flowSnippet(node: SchemaNode | undefined, stops: Stops): string {
  const type = node?.schema.get('type');
  if (!node || (type !== 'object' && type !== 'array')) return ` ${node ? scalarSnippet(node, stops) : stop(stops)}`;
  return type === 'object' ? ` {${stop(stops)}}` : ` [${stop(stops)}]`;
}

/** An item of a list, behind its dash. */
export function itemSnippet(list: SchemaNode, stops: Stops, indent: string, depth = 0): string {
  const item = stepInto(list, 0, false);
  if (!item) return stop(stops);
  const isObject = item.schema.get('type') === 'object';
  return isObject ? objectSnippet(item, stops, `${indent}  `, depth) : scalarSnippet(item, stops);
}

function objectSnippet(node: SchemaNode, stops: Stops, indent: string, depth: number): string {
  const names = [...new Set([...requiredNames(node), ...usualNames(node)])].filter(
    (name) => stepInto(node, name, false)?.schema.get('default') === undefined,
  );
  const values = stepInto(node, '', false);
  if (names.length > 0)
    return names.map((name) => fieldSnippet(node, name, stops, indent, depth + 1)).join(`\n${indent}`);
  if (values && isMap(node.schema.get('additionalProperties')))
    return `\${${stops.next++}:key}:${valueSnippet(values, stops, indent, depth + 1)}`;
  return stop(stops);
}

/** A key and its value. */
export function fieldSnippet(parent: SchemaNode, name: string, stops: Stops, indent: string, depth = 0): string {
  const key = escapeSnippet(quoteIfNeeded(name));
  return `${key}:${valueSnippet(stepInto(parent, name, false), stops, indent, depth)}`;
}

function scalarSnippet(node: SchemaNode, stops: Stops): string {
  const { schema } = node;
  const named = schema.get('enum');
  const choices = isList(named) ? named.filter(isScalar) : schema.get('type') === 'boolean' ? [true, false] : [];
  const given = schema.get('default') ?? schema.get('example');
  if (given !== undefined && isScalar(given)) return `\${${stops.next++}:${escapeSnippet(scalarText(given))}}`;
  if (choices.length > 1) return `\${${stops.next++}|${choices.map(scalarText).map(escapeChoice).join(',')}|}`;
  return choices[0] === undefined ? stop(stops) : escapeSnippet(scalarText(choices[0]));
}

function stop(stops: Stops): string {
  return `\${${stops.next++}}`;
}

function isScalar(value: Value): boolean {
  return !isMap(value) && !isList(value);
}

/** A scalar as YAML. */
export function scalarText(value: Value): string {
  return typeof value === 'string' ? quoteIfNeeded(value) : show(value);
}

export function escapeSnippet(text: string): string {
  return text.replace(/[$}\\]/g, '\\$&');
}

function escapeChoice(text: string): string {
  return text.replace(/[$}\\,|]/g, '\\$&');
}
