import { movedRange, type Range, runAtEnd } from '../../base/text.ts';
import { isList, type Path, valueAt } from '../../base/value.ts';
import { isBuiltinOn } from '../../workspace/builtin.ts';
import { isTestFile } from '../../workspace/fileNames.ts';
import { schemaAt, typeLabel } from '../../workspace/schemaNode.ts';
import { fileAt, type Snapshot } from '../../workspace/snapshot.ts';
import { quoteIfNeeded } from '../../yaml/quoting.ts';
import { type Cursor, contentOf, cursorAt, schemaOf } from '../place/cursor.ts';
import { type EntryLine, emptyKeyAbove, entryLine, indentUnit } from '../place/entryLine.ts';
import { type ExpressionAt, expressionAt } from '../place/expressionAt.ts';
import { type Form, keysBeside, type Marked, marked } from '../place/marked.ts';
import { ownSchema } from '../place/ownSchemas.ts';
import { completeDirectives } from './completeDirectives.ts';
import { fieldsOf, keyCompletion, keySnippet } from './completeFields.ts';
import { completeResource, completeTypeMetaKeys, completeTypeMetaNames } from './completeKind.ts';
import { completeRule } from './completeRule.ts';
import { completeTests } from './completeTests.ts';
import { valuesAt } from './completeValues.ts';
import type { Completion } from './completion.ts';
import { crdSnippets } from './crdSnippets.ts';
import { usesOfNames } from './ruleNames.ts';
import { itemSnippet, newStops } from './skeleton.ts';

/** What could be written at the cursor. */
export function complete(snapshot: Snapshot, uri: string, offset: number): Completion[] {
  const cursor = cursorAt(snapshot, uri, offset);
  const directives = !cursor || cursor.target.at === 'comment' ? completeDirectives(snapshot, uri, offset) : undefined;
  if (directives) return directives;
  if (!cursor) return fileAt(snapshot, uri) ? inEmptyFile(snapshot, uri, { start: offset, end: offset }) : [];
  const expression = expressionAt(snapshot, cursor);
  if (expression) return inExpression(cursor, expression);
  if (cursor.target.at === 'comment') return [];
  if (isEmptyPlace(cursor) && !ownSchema(uri)) return inEmptyDocument(snapshot, uri, gapRange(cursor));
  const tests = isTestFile(uri) ? completeTests(snapshot, cursor) : undefined;
  if (tests?.isAll) return [...tests.items];
  return [...(tests?.items ?? []), ...byPlace(snapshot, cursor)];
}

function byPlace(snapshot: Snapshot, cursor: Cursor): Completion[] {
  const line = entryLine(cursor);
  return line ? onEntryLine(snapshot, cursor, line) : besideOthers(snapshot, cursor);
}

function inEmptyFile(snapshot: Snapshot, uri: string, range: Range): Completion[] {
  const own = ownSchema(uri);
  if (!own) return inEmptyDocument(snapshot, uri, range);
  const fields = fieldsOf({ manifest: undefined }, own, [], new Set());
  return fields.map((field) => keyCompletion(field, range, keySnippet(field, '', false), true));
}

function inEmptyDocument(snapshot: Snapshot, uri: string, range: Range): Completion[] {
  return [...completeTypeMetaKeys(snapshot, uri, undefined, range), ...completeResource(snapshot, uri, range)];
}

/** Whether kinds are to choose from here, and those that Kubernetes has built in are not known yet. */
export function wantsBuiltin(snapshot: Snapshot, uri: string, offset: number): boolean {
  const isAsked = snapshot.builtin === undefined && isBuiltinOn(snapshot, uri);
  return isAsked && !ownSchema(uri) && cursorAt(snapshot, uri, offset)?.manifest === undefined;
}

/** A line of its own: a key, an item, or the value of a key above. */
function onEntryLine(snapshot: Snapshot, cursor: Cursor, { indent, dashes, word }: EntryLine): Completion[] {
  // Behind a tab nothing can be right, whatever is put there.
  if (indent.includes('\t')) return [];
  const put = (form: Form) => marked(snapshot, cursor, word, form);
  const at: Writing = { range: word, lead: '', indent: ' '.repeat(dashes.length) };
  const below = dashes === '' ? belowEmptyKey(snapshot, cursor, indent, word) : [];
  const beside = [
    ...valuesAt(snapshot, put('value'), word),
    ...keysAt(snapshot, put('key'), at),
    ...(dashes === '' ? itemsAt(put('item'), at) : []),
  ];
  if (below.length === 0) return beside;
  const others = beside.filter(({ label }) => below.every((item) => item.label !== label));
  return [...below, ...others.map((item) => ({ ...item, order: `9${item.order}` }))];
}

/**
 * Editors leave the cursor in the column of the key above when that has no value yet: what belongs below it brings its
 * own indentation.
 */
function belowEmptyKey(snapshot: Snapshot, cursor: Cursor, indent: string, word: Range): Completion[] {
  const { text } = cursor.file.stream;
  const key = emptyKeyAbove(text, word.start - indent.length);
  if (!key || (indent.length !== key.column && indent.length !== key.lineColumn)) return [];
  const lead = ' '.repeat(key.column - indent.length) + indentUnit(text);
  const at: Writing = { range: word, lead, indent: lead };
  return [
    ...keysAt(snapshot, marked(snapshot, cursor, word, 'key', { lead }), at),
    ...itemsAt(marked(snapshot, cursor, word, 'item', { lead }), at),
  ];
}

/** Between other things on a line: a value behind its key, a key that has a colon, something in brackets or braces. */
function besideOthers(snapshot: Snapshot, cursor: Cursor): Completion[] {
  const range = absolute(cursor, cursor.target.range);
  if (cursor.target.at === 'value') {
    const lead = cursor.file.text[range.start - 1] === ':' ? ' ' : '';
    const found = valuesAt(snapshot, marked(snapshot, cursor, range, 'value', { lead }), range);
    return found.map((item) => ({ ...item, text: lead + item.text }));
  }
  const hasColon = /^[ \t]*:/.test(cursor.file.text.slice(range.end, range.end + 20));
  if (cursor.target.at === 'key' && hasColon) return namesOf(cursor, range);
  const gap = gapRange(cursor);
  const values = marked(snapshot, cursor, gap, 'value');
  const at: Writing = { range: gap, lead: '', indent: '' };
  return [
    ...(values?.flow ? valuesAt(snapshot, values, gap) : []),
    ...keysAt(snapshot, marked(snapshot, cursor, gap, 'key'), at),
  ];
}

/** Other names for a key that has its colon already. */
function namesOf(cursor: Cursor, range: Range): Completion[] {
  const { path } = cursor;
  const root = schemaOf(cursor);
  const own = String(path.at(-1));
  if (!root) return path.length === 1 ? completeTypeMetaNames(cursor, range) : [];
  const map = path.slice(0, -1);
  const present = valueAt(contentOf(cursor), map);
  const used = new Set([...keysBeside(present)].filter((key) => key !== own));
  return fieldsOf(cursor, root, map, used).map((field) =>
    keyCompletion(field, range, quoteIfNeeded(field.name), false),
  );
}

/** Where and how an entry is written: what it brings before itself, and how far its further lines stand in. */
interface Writing {
  readonly range: Range;
  readonly lead: string;
  readonly indent: string;
}

/** Keys of the map that a mark stands in, and larger pieces of a CRD. */
function keysAt(snapshot: Snapshot, found: Marked | undefined, { range, lead, indent }: Writing): Completion[] {
  if (!found) return [];
  const { cursor, flow } = found;
  const root = schemaOf(cursor);
  if (!root) return cursor.path.length === 1 ? completeTypeMetaKeys(snapshot, cursor.file.uri, cursor, range) : [];
  const map = cursor.path.slice(0, -1);
  const used = keysBeside(valueAt(contentOf(cursor), map));
  const fields = fieldsOf(cursor, root, map, used).map((field) => {
    const snippet = keySnippet(field, indent, flow);
    const text = field.name === 'storage' ? besideStorage(cursor, map.slice(0, -1), snippet) : snippet;
    return keyCompletion(field, range, lead + text, true);
  });
  const isList = schemaAt(root, map)?.schema.get('type') === 'array';
  const pieces =
    cursor.manifest?.role === 'crd' && !flow && !isList ? crdSnippets(cursor, map, { range, lead, indent }) : [];
  return [...fields, ...pieces];
}

/** Objects are stored in one version: another one beside it is not. */
function besideStorage({ manifest }: Cursor, list: Path, text: string): string {
  const isVersions = manifest?.role === 'crd' && list.join('.') === 'spec.versions';
  const versions = isVersions ? valueAt(manifest.value, list) : undefined;
  const isStored = isList(versions) && versions.some((one) => valueAt(one, ['storage']) === true);
  return isStored ? text.replace(/^( *storage: )\$\{\d+\|true,false\|\}/m, '$1false') : text;
}

/** New items of the list that a mark stands in. */
function itemsAt(found: Marked | undefined, { range, lead, indent }: Writing): Completion[] {
  const root = found && schemaOf(found.cursor);
  const { cursor } = found ?? {};
  if (!root || !cursor || found.flow) return [];
  const list = cursor.path.slice(0, -1);
  const node = schemaAt(root, list);
  if (node?.schema.get('type') !== 'array') return [];
  const text = `${lead}- ${besideStorage(cursor, list, itemSnippet(node, newStops(), indent))}`;
  const item: Completion = {
    label: '- item',
    kind: 'snippet',
    detail: typeLabel(node).slice(2),
    range,
    text,
    snippet: true,
    order: '1',
  };
  const pieces = cursor.manifest?.role === 'crd' ? crdSnippets(cursor, list, { range, lead, indent }) : [];
  return [item, ...pieces];
}

/** A document in which nothing stands yet, or only the word being typed. */
function isEmptyPlace({ placed: { document } }: Cursor): boolean {
  const lines = document.text.split(/[\r\n]+/).map((line) => line.trim());
  const said = lines.filter((line, i) => line !== '' && !line.startsWith('#') && !(i === 0 && line.startsWith('---')));
  return said.length === 0 || (said.length === 1 && /^\w*$/.test(said[0]!));
}

/** Completions of an expression, at their places in the file. */
function inExpression(cursor: Cursor, { place, offset, toFile, inStyle }: ExpressionAt): Completion[] {
  const { manifest, placed } = cursor;
  const uses = manifest && usesOfNames(manifest.value, place, manifest.at.length);
  const here = cursor.offset + placed.start;
  return completeRule(place, offset, uses).map((item) => {
    const { start, end } = item.range;
    // Where nothing is replaced, what is put stands at the cursor: the rule's own text may lie on the line above.
    const range = start === end ? { start: here, end: here } : toFile(item.range);
    return { ...item, range, text: inStyle(item.text) };
  });
}

function absolute({ placed }: Cursor, range: Range): Range {
  return movedRange(range, placed.start);
}

/** The word before the cursor, which the completion replaces. */
function gapRange(cursor: Cursor): Range {
  const start = runAtEnd(cursor.placed.document.text, /[\w.-]/, cursor.offset);
  return absolute(cursor, { start, end: cursor.offset });
}
