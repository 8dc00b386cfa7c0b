/** Outline and folding of templates: what they define, their blocks, their objects. */
import { lineStartBefore } from '../../base/text.ts';
import type { Fold } from '../navigate/folding.ts';
import type { OutlineSymbol } from '../navigate/symbols.ts';
import { scopedOf } from './scopes.ts';
import type { Seen } from './seen.ts';

interface Piece extends OutlineSymbol {
  readonly children: Piece[];
}

export function outlineTemplate({ file }: Seen): OutlineSymbol[] {
  const { text } = file;
  const blocks = scopedOf(file).blocks.map((block): Piece => {
    const { action, name, word, end } = block;
    const range = { start: action.start, end };
    const inner = text.slice(action.inner.start, action.inner.end).replace(/\s+/g, ' ').trim();
    const isDefinition = name !== undefined && (word === 'define' || word === 'block');
    return {
      name: isDefinition ? name.text : inner,
      detail: isDefinition ? word : '',
      kind: isDefinition ? 'property' : 'rule',
      range,
      selection: { start: action.start, end: action.end },
      children: [],
    };
  });
  return nested([...blocks, ...objectsIn(text)]);
}

/** Each in the smallest that holds it. */
function nested(all: readonly Piece[]): Piece[] {
  const sorted = [...all].sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end);
  const roots: Piece[] = [];
  const open: Piece[] = [];
  for (const piece of sorted) {
    while (open.length > 0 && open.at(-1)!.range.end < piece.range.end) open.pop();
    (open.at(-1)?.children ?? roots).push(piece);
    open.push(piece);
  }
  return roots;
}

/** Objects, by the `kind` at the start of a line and the `name` behind it. */
function objectsIn(text: string): Piece[] {
  const starts = [...text.matchAll(/^---/gm)].map(({ index }) => index);
  return [0, ...starts].flatMap((start, i): Piece[] => {
    const end = starts[i] ?? text.length;
    const kind = /^kind:[ \t]*(\S.*)$/m.exec(text.slice(start, end));
    if (!kind) return [];
    const at = start + kind.index;
    const line = { start: at, end: at + kind[0].trimEnd().length };
    const name = /^[ ]{1,8}name:[ \t]*(\S.*)$/m.exec(text.slice(at, end))?.[1]?.trim() ?? '';
    return [{ name: kind[1]!.trim(), detail: name, kind: 'kind', range: line, selection: line, children: [] }];
  });
}

/** Blocks from the line that opens them to the one before their `else` or end, and comments. */
export function foldsTemplate({ file }: Seen): Fold[] {
  const { text } = file;
  const { actions, blocks } = scopedOf(file);
  const found = blocks.flatMap(({ action, middles, last, end }): Fold[] => {
    const stops = [action, ...middles, ...(last ? [last] : [])].map(({ start }) => start);
    if (!last) stops.push(end);
    return stops.slice(1).map((stop, i) => ({ start: stops[i]!, end: beforeLine(text, stop), comment: false }));
  });
  const comments = actions
    .filter(({ isComment }) => isComment)
    .map(({ start, end }) => ({ start, end, comment: true }));
  const isLong = ({ start, end }: Fold) => end > start && text.slice(start, end).includes('\n');
  return [...comments, ...found].filter(isLong).sort((a, b) => a.start - b.start || b.end - a.end);
}

/** The end of the line above, where nothing else is on the line of an action. */
function beforeLine(text: string, offset: number): number {
  const start = lineStartBefore(text, offset);
  return text.slice(start, offset).trim() === '' ? Math.max(0, start - 1) : offset;
}
