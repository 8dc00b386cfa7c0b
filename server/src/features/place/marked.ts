import { lineStartBefore, type Range } from '../../base/text.ts';
import { isMap, type Value } from '../../base/value.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { isMissing } from '../../yaml/node.ts';
import { documentAt, type PlacedDocument, parseStream, type YamlDocument } from '../../yaml/parse.ts';
import { nodeAtPath, pathAt } from '../../yaml/place.ts';
import { type Cursor, objectAt } from './cursor.ts';

// What an item at the cursor would be is found out by putting a mark there and reading the document again. Where the
// mark would break the document, or take in what follows it, no item can be right.

const mark = 'k8s-mark';

/** What is put at a place: a key without value, a value, or an item of a list. */
export type Form = 'key' | 'value' | 'item';

const written: Readonly<Record<Form, string>> = { key: `${mark}: `, value: mark, item: `- ${mark}` };

/** Where the mark has come to stand. */
export interface Marked {
  /** The cursor as if the mark was what is being typed: its path ends in the mark's key, or is that of the value. */
  readonly cursor: Cursor;
  /** Around it stand brackets or braces: nothing there can go over lines. */
  readonly flow: boolean;
}

/** Puts a mark in place of a range of the file. */
export function marked(
  snapshot: Snapshot,
  cursor: Cursor,
  range: Range,
  form: Form,
  { lead = '', behind = '' }: { readonly lead?: string; readonly behind?: string } = {},
): Marked | undefined {
  const { stream } = cursor.file;
  const { text } = stream;
  const put = lead + written[form] + behind;
  const after = parseStream(text.slice(0, range.start) + put + text.slice(range.end), stream);
  const at = range.start + put.indexOf(mark);
  const placed = documentAt(after, at);
  if (!placed || isBroken(placed, cursor, range)) return undefined;
  return markedAt(snapshot, cursor, placed, at - placed.start, form);
}

/** An error that is there without the mark, and the dashes before it, as well says nothing about it. */
function isBroken({ document, start }: PlacedDocument, { file }: Cursor, range: Range): boolean {
  if (!errorOf(document)) return false;
  const { text } = file.stream;
  const lineStart = lineStartBefore(text, range.start);
  const from = /^[ \t]*(?:-[ \t]+)+$/.test(text.slice(lineStart, range.start)) ? lineStart : range.start;
  const without = parseStream(text.slice(0, from) + text.slice(range.end), file.stream);
  const before = documentAt(without, start)?.document;
  return !before || errorOf(before) !== errorOf(document);
}

/** Why a text is refused, or read only in part. */
function errorOf({ readerError, problems }: YamlDocument): string | undefined {
  return readerError?.text ?? problems.find(({ code }) => code === 'yaml/ignored')?.code;
}

function markedAt(
  snapshot: Snapshot,
  cursor: Cursor,
  placed: PlacedDocument,
  at: number,
  form: Form,
): Marked | undefined {
  const { document } = placed;
  const place = pathAt(document, at + 1);
  const { node, path } = place;
  if (node?.kind !== 'scalar' || node.value !== mark || place.where !== (form === 'key' ? 'key' : 'value'))
    return undefined;
  if (form === 'key' && !isMissing(nodeAtPath(document, path)?.node ?? node)) return undefined;
  const around = nodeAtPath(document, path.slice(0, -1))?.node;
  const range = { start: at, end: at + mark.length };
  const target = { path, at: form === 'key' ? ('key' as const) : ('value' as const), range };
  return {
    cursor: { ...cursor, placed, offset: at, target, ...objectAt(snapshot, cursor.file.uri, document, path) },
    flow: around !== undefined && around.kind !== 'scalar' && around.kind !== 'alias' && around.style !== 'block',
  };
}

/** The keys of a map, without the mark. */
export function keysBeside(map: Value | undefined): ReadonlySet<string> {
  return new Set(isMap(map) ? [...map.keys()].filter((key) => key !== mark) : []);
}
