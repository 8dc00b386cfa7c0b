import { lineStartBefore, type TextEdit } from '../../base/text.ts';
import { schemaAt } from '../../workspace/schemaNode.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { type Cursor, cursorAt, schemaOf } from '../place/cursor.ts';
import { emptyKeyAbove, indentUnit } from '../place/entryLine.ts';
import { type Form, marked } from '../place/marked.ts';

/**
 * What Enter leaves to be done: editors put the cursor into the column of the line above, but what belongs to a key
 * stands further in.
 */
export function onEnter(snapshot: Snapshot, uri: string, offset: number): TextEdit[] {
  const cursor = cursorAt(snapshot, uri, offset);
  if (!cursor) return [];
  const { text } = cursor.file.stream;
  const start = lineStartBefore(text, offset);
  const isBlank =
    /^ *$/.test(text.slice(start, offset)) && /^[ \t]*(?:[\r\n]|$)/.test(text.slice(offset, offset + 200));
  const key = isBlank && saysSomething(text, start) ? emptyKeyAbove(text, start) : undefined;
  const column = offset - start;
  if (!key || column > key.column) return [];
  const wanted = [...columnsBelow(text, offset, key.column)].find((one) =>
    isRight(snapshot, cursor, offset, one - column),
  );
  if (wanted === undefined || wanted <= column) return [];
  return [{ range: { start: offset, end: offset }, text: ' '.repeat(wanted - column) }];
}

/** Whoever goes on from an empty line has left the key above it. */
function saysSomething(text: string, lineStart: number): boolean {
  const end = lineStart - (text.startsWith('\r\n', lineStart - 2) ? 2 : 1);
  return end > 0 && text.slice(lineStartBefore(text, end), end).trim() !== '';
}

/** The column of what stands below already, or by which the file indents; of lists in this file's style the key's own. */
function* columnsBelow(text: string, offset: number, keyColumn: number): Generator<number> {
  const below = /^\s*[\r\n]( *)[^\s#]/.exec(text.slice(offset))?.[1]?.length ?? 0;
  if (below > keyColumn) yield below;
  yield keyColumn + indentUnit(text).length;
}

/** Whether a key or an item can stand so much further in, by the document and by the schema, if there is one. */
function isRight(snapshot: Snapshot, cursor: Cursor, offset: number, further: number): boolean {
  const lead = ' '.repeat(Math.max(0, further));
  const takes = (form: Form, type: string) => {
    const found = marked(snapshot, cursor, { start: offset, end: offset }, form, { lead });
    if (!found?.cursor.manifest) return false;
    const root = schemaOf(found.cursor);
    const node = root && schemaAt(root, found.cursor.path.slice(0, -1));
    const own = node?.schema.get('type');
    return own === type || (own === undefined && node?.schema.get('x-kubernetes-int-or-string') !== true);
  };
  return takes('key', 'object') || takes('item', 'array');
}
