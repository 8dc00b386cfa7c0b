import { lineStartBefore, type Range } from '../base/text.ts';
import { isList, isMap, type Path, type Value, valueAt } from '../base/value.ts';
import { keywordDoc } from '../kubernetes/api/editor.ts';
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
import { crdSnippets } from './crdSnippets.ts';
import { type Cursor, cursorAt, schemaOf } from './cursor.ts';
import { descriptionOf, keywordText, show } from './explain.ts';
import { keywordsAt } from './keywordsAt.ts';
import { untrusted } from './markdown.ts';
import { referredNames } from './objectNames.ts';
import { impliedValues } from './schemaNames.ts';
import { escapeSnippet, itemSnippet, newStops, scalarText, valueSnippet } from './skeleton.ts';

/** What could be written at the cursor. */
export function complete(snapshot: Snapshot, uri: string, offset: number): Completion[] {
  const cursor = cursorAt(snapshot, uri, offset);
  if (!cursor || cursor.target.at === 'comment') return [];
  const expression = expressionAt(snapshot, cursor);
  if (expression) return inExpression(expression);
  if (isEmptyPlace(cursor)) return completeResource(snapshot, gapRange(cursor));
  const items = isTypeMeta(cursor)
    ? completeTypeMeta(snapshot, cursor, absolute(cursor, cursor.target.range))
    : bySchema(snapshot, cursor);
  return cursor.target.at === 'value' ? items.map((item) => behindColon(cursor, item)) : items;
}

function bySchema(snapshot: Snapshot, cursor: Cursor): Completion[] {
  const root = schemaOf(cursor);
  if (!root) return [];
  const implied = impliedCompletions(cursor);
  if (implied.length > 0) return implied;
  if (cursor.target.at === 'key')
    return entries(cursor, root, cursor.path.slice(0, -1), absolute(cursor, cursor.target.range));
  // A list may hold plain values: after its dash there is no key to write.
  const found = [...values(cursor, root), ...namedValues(cursor, referred(snapshot, cursor, root))];
  return found.length > 0 || cursor.target.at === 'value'
    ? found
    : entries(cursor, root, cursor.path, gapRange(cursor));
}

/** Keys of a map, larger pieces of a CRD, and on a line of its own an item of a list. */
function entries(cursor: Cursor, root: SchemaNode, map: Path, range: Range): Completion[] {
  if (!canBegin(cursor, range)) return [];
  const { manifest, placed, file } = cursor;
  const pieces = manifest?.role === 'crd' ? crdSnippets(manifest, placed, map, file.text, range) : [];
  return [...keys(cursor, root, map, range), ...items(cursor, root, map, range), ...pieces];
}

/** An entry begins a line, or follows a dash or what opens or goes on with a flow collection; behind a value none can. */
function canBegin({ file }: Cursor, { start }: Range): boolean {
  const line = file.text.slice(lineStartBefore(file.text, start), start);
  return /^\s*(?:[-?]\s+)*["']?$|[[{,?]\s*["']?$/.test(line);
}

/** In a list's own column: a new item. */
function items(cursor: Cursor, root: SchemaNode, list: Path, range: Range): Completion[] {
  const node = schemaAt(root, list);
  const line = cursor.file.text.slice(lineStartBefore(cursor.file.text, range.start), range.start);
  if (node?.schema.get('type') !== 'array' || line.trim() !== '') return [];
  const text = `- ${besideStorage(cursor, list, itemSnippet(node, newStops(), ''))}`;
  return [
    { label: '- item', kind: 'snippet', detail: typeLabel(node).slice(2), range, text, snippet: true, order: '1' },
  ];
}

/** Objects are stored in one version: another one beside it is not. */
function besideStorage({ manifest }: Cursor, list: Path, text: string): string {
  const isVersions = manifest?.role === 'crd' && list.join('.') === 'spec.versions';
  const versions = isVersions ? valueAt(manifest.value, list) : undefined;
  const isStored = isList(versions) && versions.some((one) => valueAt(one, ['storage']) === true);
  return isStored ? text.replace(/^( *storage: )\$\{\d+\|true,false\|\}/m, '$1false') : text;
}

/** A value right behind its key's colon needs a blank before it. */
function behindColon({ file }: Cursor, item: Completion): Completion {
  return file.text[item.range.start - 1] === ':' ? { ...item, text: ` ${item.text}` } : item;
}

/** In a CRD, values that follow from its own schema. */
function impliedCompletions(cursor: Cursor): Completion[] {
  if (cursor.manifest?.role !== 'crd' || (cursor.target.at !== 'value' && cursor.target.at !== 'gap')) return [];
  return namedValues(cursor, impliedValues(cursor.manifest.value, cursor.path));
}

/** In a resource, what a reference of its can name; a schema's own choices go before. */
function referred(snapshot: Snapshot, cursor: Cursor, root: SchemaNode) {
  const isChosen = schemaAt(root, cursor.path)?.schema.has('enum');
  return cursor.manifest?.role === 'crd' || isChosen ? [] : referredNames(snapshot, cursor, root);
}

function namedValues(cursor: Cursor, named: readonly { text: string; detail: string }[]): Completion[] {
  const range = absolute(cursor, cursor.target.range);
  return named.map(({ text, detail }, i) => ({
    label: text,
    kind: 'value',
    ...(detail === '' ? {} : { detail }),
    range,
    text: quoteIfNeeded(text),
    snippet: false,
    order: String(i).padStart(4, '0'),
  }));
}

function isTypeMeta({ target, path }: Cursor): boolean {
  return path.length === 1 && target.at === 'value' && (path[0] === 'apiVersion' || path[0] === 'kind');
}

/** A document in which nothing stands yet, or only the word being typed. */
function isEmptyPlace({ placed: { document } }: Cursor): boolean {
  return !document.root || (document.root.kind === 'scalar' && /^\w*$/.test(document.root.value));
}

/** Completions of an expression, at their places in the file. */
function inExpression({ place, offset, toFile, inStyle }: ExpressionAt): Completion[] {
  return completeRule(place, offset).map((item) => ({ ...item, range: toFile(item.range), text: inStyle(item.text) }));
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
  if (cursor.target.at === 'key') used.delete(String(cursor.path.at(-1)));
  const required = requiredNames(node);
  const follow = textAfter(cursor, range);
  const indent = indentBehindDash(cursor, range);
  const allowed = cursor.manifest?.role === 'crd' ? keywordsAt(map, present) : undefined;
  return (allowed?.names ?? propertyNames(node, map.length === 0))
    .filter((name) => !used.has(name) && !allowed?.without.has(name))
    .map((name, i) => {
      const child = stepInto(node, name, map.length === 0);
      const order = `${required.has(name) ? 0 : 1}${String(i).padStart(4, '0')}`;
      return keyCompletion(
        name,
        child,
        documentation(name, child, node),
        required.has(name),
        order,
        range,
        follow ? undefined : indent,
      );
    });
}

function keySnippet(name: string, node: SchemaNode | undefined, indent: string): string {
  const stops = newStops();
  return `${escapeSnippet(quoteIfNeeded(name))}:${valueSnippet(node, stops, indent)}`;
}

/** Editors indent a snippet's lines as the line it begins on; behind a dash keys stand further in. */
function indentBehindDash({ file }: Cursor, { start }: Range): string {
  const line = file.text.slice(lineStartBefore(file.text, start), start);
  const dashes = /^ *((?:- +)*)$/.exec(line)?.[1] ?? '';
  return ' '.repeat(dashes.length);
}

/** Whether a colon stands behind the key already. */
function textAfter(cursor: Cursor, range: Range): boolean {
  return /^\s*:/.test(cursor.file.text.slice(range.end, range.end + 20));
}

/** A field's first sentence; of a CRD's own fields all that is known. */
function documentation(name: string, node: SchemaNode | undefined, parent: SchemaNode): string {
  if (!node) return '';
  const doc = keywordDoc(parent.schema, name);
  return doc
    ? `${descriptionOf(node, doc)}\n\n${keywordText(doc)}`
    : untrusted(firstSentence(textOf(node, 'description')));
}

function keyCompletion(
  name: string,
  node: SchemaNode | undefined,
  documentation: string,
  required: boolean,
  order: string,
  range: Range,
  indent: string | undefined,
): Completion {
  const standard = node?.schema.get('default');
  const detail = [
    node ? typeLabel(node) : '',
    required ? 'required' : '',
    standard === undefined ? '' : `default ${show(standard)}`,
  ];
  return {
    label: name,
    kind: 'field',
    detail: detail.filter(Boolean).join(', '),
    ...(documentation === '' ? {} : { documentation }),
    range,
    // Without an indentation there is a colon already.
    text: indent === undefined ? quoteIfNeeded(name) : keySnippet(name, node, indent),
    snippet: indent !== undefined,
    order,
  };
}

function values(cursor: Cursor, root: SchemaNode): Completion[] {
  const node = schemaAt(root, cursor.path);
  if (!node) return [];
  const range = absolute(cursor, cursor.target.range);
  const [standard, example] = ['default', 'example'].map((keyword) => node.schema.get(keyword)).map(writtenScalar);
  return [...new Set(choices(node))].map((value, i) => ({
    label: value,
    kind: 'value',
    ...(value === standard ? { detail: 'default', preselect: true } : value === example ? { detail: 'example' } : {}),
    range,
    text: value,
    snippet: false,
    order: String(i).padStart(4, '0'),
  }));
}

function writtenScalar(value: Value | undefined): string | undefined {
  return value === undefined || isMap(value) || isList(value) ? undefined : scalarText(value);
}

/** The values that a schema names: its enum, both booleans, its default and example. */
function choices({ schema }: SchemaNode): string[] {
  const values = schema.get('enum');
  const enumerated = isList(values) ? values : schema.get('type') === 'boolean' ? [true, false] : [];
  const named = [...enumerated, schema.get('default'), schema.get('example')];
  return named.map(writtenScalar).filter((value) => value !== undefined);
}
