import type { Range, TextEdit } from '../../../base/text.ts';
import type { ListNode } from '../../../yaml/node.ts';
import { nodeAtPath } from '../../../yaml/place.ts';
import type { MakeAssists } from './assist.ts';
import { linesWithComments } from './lines.ts';

/** Puts the names in `required` in alphabetical order; comments beside and above an item move with it. */
export const sortRequired: MakeAssists = ({ manifest, target, placed }) => {
  const index = target.path.lastIndexOf('required');
  if (manifest?.role !== 'crd' || index === -1) return [];
  const found = nodeAtPath(placed.document, target.path.slice(0, index + 1));
  if (!found || found.through || found.node.kind !== 'list') return [];
  const { text } = placed.document;
  const pieces = piecesOf(text, found.node, found.start);
  if (!pieces) return [];
  return [{ title: 'Sort `required` by name', kind: 'refactor.rewrite', edits: permuted(text, pieces) }];
};

interface Piece extends Range {
  readonly name: string;
}

/** What is moved of each item: in braces its own text, else its lines with the comments above. */
function piecesOf(text: string, list: ListNode, start: number): Piece[] | undefined {
  const named = list.items.map(({ at, length, node }) => {
    return { start: start + at, end: start + at + length, name: node.kind === 'scalar' ? node.value : undefined };
  });
  const pieces: Piece[] = [];
  for (const { start: from, end, name } of named) {
    if (name === undefined) return undefined;
    pieces.push(list.style === 'flow' ? { start: from, end, name } : { ...linesWithComments(text, from, end), name });
  }
  const apart = pieces.every((piece, i) => i === 0 || pieces[i - 1]!.end <= piece.start);
  return apart ? pieces : undefined;
}

function permuted(text: string, pieces: readonly Piece[]): TextEdit[] {
  const sorted = [...pieces].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return pieces.flatMap(({ start, end }, i) => {
    const { start: from, end: to } = sorted[i]!;
    return from === start ? [] : [{ range: { start, end }, text: text.slice(from, to) }];
  });
}
