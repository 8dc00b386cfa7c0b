import type { Range } from '../../base/text.ts';
import type { DocumentPath } from '../../base/value.ts';
import { isMissing } from '../../yaml/node.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { type PlaceAt, pathAt } from '../../yaml/place.ts';

/** What a completion or hover at an offset is about. */
export interface CursorTarget {
  /** Of a key or value its own path; in a gap that of the map or list which a new entry would belong to. */
  readonly path: DocumentPath;
  readonly at: 'key' | 'value' | 'gap' | 'comment';
  /** The key or value; in a gap empty. */
  readonly range: Range;
}

export function cursorTargetAt(document: YamlDocument, offset: number): CursorTarget {
  const here = { start: offset, end: offset };
  if (document.comments.some(({ start, end }) => offset > start && offset <= end))
    return { path: [], at: 'comment', range: here };
  const place = pathAt(document, offset);
  const { node, path } = place;
  if (place.where === 'key') return { path, at: 'key', range: nodeRange(place) };
  if (!node || (node.kind !== 'scalar' && node.kind !== 'alias')) return { path, at: 'gap', range: here };
  const sameLine = keyOnSameLine(document, place.start);
  if (isMissing(node))
    return sameLine && keyOnSameLine(document, offset)
      ? { path, at: 'value', range: here }
      : { path, at: 'gap', range: here };
  if (place.where !== 'value') return { path, at: 'gap', range: here };
  // Between a colon and its value there is nothing to say and no room to write.
  if (offset < place.start) return { path: [], at: 'comment', range: here };
  const halfKey = halfTypedKey(document, place, sameLine);
  return halfKey ?? { path, at: 'value', range: nodeRange(place) };
}

function nodeRange({ start, node }: PlaceAt): Range {
  return { start, end: start + (node?.length ?? 0) };
}

/** Whether there is a colon, or a list's dash after nothing else, before an offset on its line. */
function keyOnSameLine({ text }: YamlDocument, offset: number): boolean {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /[:,[{](\s|$)/.test(`${text.slice(lineStart, offset)} `) || /[[{]/.test(text.slice(lineStart, offset));
}

/** A single word on a line of its own under a key is, as long as no colon follows, a key that is being typed. */
function halfTypedKey({ text }: YamlDocument, place: PlaceAt, sameLine: boolean): CursorTarget | undefined {
  const { node, start, path } = place;
  if (sameLine || node?.kind !== 'scalar' || node.style !== 'plain') return undefined;
  const word = text.slice(start, start + node.length);
  return /^[\w./-]+$/.test(word) ? { path: [...path, word], at: 'key', range: nodeRange(place) } : undefined;
}
