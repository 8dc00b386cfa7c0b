import { lineStartBefore, type TextEdit } from '../../base/text.ts';
import { isChartValues } from '../../workspace/fileNames.ts';
import { schemaAt } from '../../workspace/schemaNode.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { type Cursor, cursorAt, schemaOf } from '../place/cursor.ts';
import { emptyKeyAbove, indentUnit } from '../place/entryLine.ts';
import { type Form, marked } from '../place/marked.ts';
import { ownSchema } from '../place/ownSchemas.ts';

/**
 * What Enter leaves to be done: editors put the cursor into the column of the line above, but what belongs to a key
 * stands further in, and so do the other keys of an item behind its dash.
 */
export function onEnter(snapshot: Snapshot, uri: string, offset: number): TextEdit[] {
  const cursor = cursorAt(snapshot, uri, offset);
  if (!cursor) return [];
  const { text } = cursor.file.stream;
  const start = lineStartBefore(text, offset);
  const isBlank =
    /^ *$/.test(text.slice(start, offset)) && /^[ \t]*(?:[\r\n]|$)/.test(text.slice(offset, offset + 200));
  if (!isBlank || !saysSomething(text, start)) return [];
  const column = offset - start;
  const columns = [
    ...columnsBelow(text, offset, start),
    ...columnOfText(text, start),
    ...columnBehindDash(text, start),
  ];
  const wanted = columns.find(
    (one) => one.at > column && isRight(snapshot, cursor, offset, one.at - column, one.forms),
  );
  if (wanted === undefined) return [];
  return [{ range: { start: offset, end: offset }, text: ' '.repeat(wanted.at - column) }];
}

/** A column that the cursor may go to, and what would be written there: a key, an item, or else any text. */
interface Column {
  readonly at: number;
  readonly forms: readonly Form[];
}

/** Whoever goes on from an empty line has left the key above it. */
function saysSomething(text: string, lineStart: number): boolean {
  const end = endBefore(text, lineStart);
  return end > 0 && text.slice(lineStartBefore(text, end), end).trim() !== '';
}

/** Where the line above a line ends. */
function endBefore(text: string, lineStart: number): number {
  return lineStart - (text.startsWith('\r\n', lineStart - 2) ? 2 : 1);
}

/** The column of what stands below already, or by which the file indents; of lists in this file's style the key's own. */
function* columnsBelow(text: string, offset: number, lineStart: number): Generator<Column> {
  const key = emptyKeyAbove(text, lineStart);
  if (!key || offset - lineStart > key.column) return;
  const forms: readonly Form[] = ['key', 'item'];
  const below = /^\s*[\r\n]( *)[^\s#]/.exec(text.slice(offset))?.[1]?.length ?? 0;
  if (below > key.column) yield { at: below, forms };
  yield { at: key.column + indentUnit(text).length, forms };
}

/** The column of the key behind the dashes of the line above. */
function columnBehindDash(text: string, lineStart: number): Column[] {
  const { lead, rest } = lineAbove(text, lineStart);
  return lead.includes('-') && /^[^\s#]/.test(rest) ? [{ at: lead.length, forms: ['key'] }] : [];
}

/** The column of a text of several lines, below the `|` or `>` that begins it. */
function columnOfText(text: string, lineStart: number): Column[] {
  const { lead, rest } = lineAbove(text, lineStart);
  if (rest.startsWith('#') || !/:[ \t]{1,9}[|>][-+\d]{0,2}$/.test(rest.trimEnd())) return [];
  return [{ at: lead.length + indentUnit(text).length, forms: [] }];
}

/** What is before the first key of the line above, and the rest of it. */
function lineAbove(text: string, lineStart: number): { readonly lead: string; readonly rest: string } {
  const end = endBefore(text, lineStart);
  const line = text.slice(lineStartBefore(text, end), end);
  const lead = /^ *(?:- +)*/.exec(line)![0];
  return { lead, rest: line.slice(lead.length) };
}

const typeOf: Readonly<Record<Form, string>> = { key: 'object', item: 'array', value: 'string' };

/** Whether a file without objects is written for us all the same, or for a chart. */
function isOurs(uri: string): boolean {
  return ownSchema(uri) !== undefined || isChartValues(uri);
}

/** Whether a key or an item can stand so much further in, by the document and by the schema, if there is one. */
function isRight(snapshot: Snapshot, cursor: Cursor, offset: number, further: number, forms: readonly Form[]): boolean {
  const lead = ' '.repeat(further);
  if (forms.length === 0) return cursor.manifest !== undefined || isOurs(cursor.file.uri);
  return forms.some((form) => {
    const found = marked(snapshot, cursor, { start: offset, end: offset }, form, { lead });
    const isKnown = found?.cursor.manifest !== undefined || isOurs(cursor.file.uri);
    if (!found || !isKnown) return false;
    const root = schemaOf(found.cursor);
    const schema = root && schemaAt(root, found.cursor.path.slice(0, -1))?.schema;
    if (!schema) return true;
    const own = schema.get('type');
    if (own === undefined) return schema.get('x-kubernetes-int-or-string') !== true;
    return own === typeOf[form] || (form === 'key' && schema.has('properties'));
  });
}
