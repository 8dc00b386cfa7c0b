import type { Range } from '../base/text.ts';
import { isList, isMap, type Path, type Value, valueAt } from '../base/value.ts';
import {
  firstSentence,
  propertyNames,
  requiredNames,
  type SchemaNode,
  schemaAt,
  stepInto,
  textOf,
  typeLabel,
} from '../workspace/schemaNode.ts';
import type { Snapshot } from '../workspace/snapshot.ts';
import { quoteIfNeeded } from '../yaml/quoting.ts';
import { completeRule } from './cel/completeRule.ts';
import { type ExpressionAt, expressionAt } from './cel/expressionAt.ts';
import { completeResource, completeTypeMeta } from './completeKind.ts';
import type { Completion } from './completion.ts';
import { show } from './explain.ts';
import { type Cursor, cursorAt, schemaOf } from './place.ts';
import { impliedValues } from './schemaNames.ts';

/** What could be written at the cursor. */
export function complete(snapshot: Snapshot, uri: string, offset: number): Completion[] {
  const cursor = cursorAt(snapshot, uri, offset);
  if (!cursor || cursor.spot.at === 'comment') return [];
  const expression = expressionAt(snapshot, cursor);
  if (expression) return inExpression(expression);
  if (isEmptyPlace(cursor)) return completeResource(snapshot, gapRange(cursor));
  const items = isTypeMeta(cursor)
    ? completeTypeMeta(snapshot, cursor, absolute(cursor, cursor.spot.range))
    : bySchema(cursor);
  return cursor.spot.at === 'value' ? items.map((item) => behindColon(cursor, item)) : items;
}

function bySchema(cursor: Cursor): Completion[] {
  const root = schemaOf(cursor);
  if (!root) return [];
  const implied = impliedCompletions(cursor);
  if (implied.length > 0) return implied;
  if (cursor.spot.at === 'key')
    return keys(cursor, root, cursor.path.slice(0, -1), absolute(cursor, cursor.spot.range));
  // A list may hold plain values: after its dash there is no key to write.
  const found = values(cursor, root);
  return found.length > 0 || cursor.spot.at === 'value' ? found : keys(cursor, root, cursor.path, gapRange(cursor));
}

/** A value right behind its key's colon needs a blank before it. */
function behindColon({ file }: Cursor, item: Completion): Completion {
  return file.text[item.range.start - 1] === ':' ? { ...item, text: ` ${item.text}` } : item;
}

/** In a CRD, values that follow from its own schema. */
function impliedCompletions(cursor: Cursor): Completion[] {
  if (cursor.manifest?.role !== 'crd' || (cursor.spot.at !== 'value' && cursor.spot.at !== 'gap')) return [];
  const range = absolute(cursor, cursor.spot.range);
  return impliedValues(cursor.manifest.value, cursor.path).map(({ text, detail }, i) => ({
    label: text,
    kind: 'value',
    ...(detail === '' ? {} : { detail }),
    range,
    text: quoteIfNeeded(text),
    snippet: false,
    order: String(i).padStart(4, '0'),
  }));
}

function isTypeMeta({ spot, path }: Cursor): boolean {
  return path.length === 1 && spot.at === 'value' && (path[0] === 'apiVersion' || path[0] === 'kind');
}

/** A document in which nothing stands yet, or only the word being typed. */
function isEmptyPlace({ placed: { document } }: Cursor): boolean {
  return !document.root || (document.root.kind === 'scalar' && /^\w*$/.test(document.root.value));
}

/** Completions of an expression, at their places in the file. */
function inExpression({ place, offset, toFile }: ExpressionAt): Completion[] {
  return completeRule(place, offset).map((item) => ({ ...item, range: toFile(item.range) }));
}

function absolute({ placed }: Cursor, range: Range): Range {
  return { start: range.start + placed.start, end: range.end + placed.start };
}

/** The word before the cursor, which the completion replaces. */
function gapRange(cursor: Cursor): Range {
  const before = cursor.placed.document.text.slice(0, cursor.offset);
  const word = /[\w.-]*$/.exec(before)![0];
  return absolute(cursor, { start: cursor.offset - word.length, end: cursor.offset });
}

function keys(cursor: Cursor, root: SchemaNode, map: Path, range: Range): Completion[] {
  const node = schemaAt(root, map);
  if (!node) return [];
  const present = valueAt(cursor.manifest!.value, map);
  const used = isMap(present) ? new Set(present.keys()) : new Set<string>();
  // The key under the cursor is being written: it is no reason to leave its own name out.
  if (cursor.spot.at === 'key') used.delete(String(cursor.path.at(-1)));
  const required = requiredNames(node);
  const follow = textAfter(cursor, range);
  return propertyNames(node, map.length === 0)
    .filter((name) => !used.has(name))
    .map((name, i) => {
      const child = stepInto(node, name, map.length === 0);
      const order = `${required.has(name) ? 0 : 1}${String(i).padStart(4, '0')}`;
      return keyCompletion(name, child, required.has(name), order, range, follow);
    });
}

/** Whether a colon stands behind the key already. */
function textAfter(cursor: Cursor, range: Range): boolean {
  return /^\s*:/.test(cursor.file.text.slice(range.end, range.end + 20));
}

function keyCompletion(
  name: string,
  node: SchemaNode | undefined,
  required: boolean,
  order: string,
  range: Range,
  hasColon: boolean,
): Completion {
  const standard = node?.schema.get('default');
  const detail = [
    node ? typeLabel(node) : '',
    required ? 'required' : '',
    standard === undefined ? '' : `default ${show(standard)}`,
  ];
  const documentation = node ? firstSentence(textOf(node, 'description')) : '';
  return {
    label: name,
    kind: 'field',
    detail: detail.filter(Boolean).join(', '),
    ...(documentation === '' ? {} : { documentation }),
    range,
    text: hasColon ? quoteIfNeeded(name) : `${escapeSnippet(quoteIfNeeded(name))}:${valueSnippet(node)}`,
    snippet: !hasColon,
    order,
  };
}

/** What follows a new key's colon: a value to fill in, or the first line of what stands below it. */
function valueSnippet(node: SchemaNode | undefined): string {
  const inner = '\n  ';
  const type = node?.schema.get('type');
  if (node && type === 'object') {
    const children = [...requiredNames(node)].filter(
      (name) => stepInto(node, name, false)?.schema.get('default') === undefined,
    );
    if (children.length === 0) return `${inner}$0`;
    return children.map((name, i) => `${inner}${escapeSnippet(quoteIfNeeded(name))}: \${${i + 1}}`).join('');
  }
  if (type === 'array') return `${inner}- $0`;
  const standard = node?.schema.get('default');
  if (standard !== undefined && !isMap(standard) && !isList(standard))
    return ` \${1:${escapeSnippet(scalarText(standard))}}`;
  return ' $0';
}

function values(cursor: Cursor, root: SchemaNode): Completion[] {
  const node = schemaAt(root, cursor.path);
  if (!node) return [];
  const range = absolute(cursor, cursor.spot.range);
  const standard = node.schema.get('default');
  return [...new Set(choices(node))].map((value, i) => ({
    label: value,
    kind: 'value',
    ...(standard !== undefined && scalarText(standard) === value ? { detail: 'default', preselect: true } : {}),
    range,
    text: value,
    snippet: false,
    order: String(i).padStart(4, '0'),
  }));
}

/** The values that a schema names: its enum, both booleans, its default and example. */
function choices({ schema }: SchemaNode): string[] {
  const named = schema.get('enum');
  const enumerated = isList(named) ? named : schema.get('type') === 'boolean' ? [true, false] : [];
  const single = [schema.get('default'), schema.get('example')].filter((value) => value !== undefined);
  return [...enumerated, ...single].filter((value) => !isMap(value) && !isList(value)).map(scalarText);
}

function scalarText(value: Value): string {
  return typeof value === 'string' ? quoteIfNeeded(value) : show(value);
}

function escapeSnippet(text: string): string {
  return text.replace(/[$}\\]/g, '\\$&');
}
