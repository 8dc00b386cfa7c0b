import type { Range, TextEdit } from '../../../base/text.ts';
import { keyName } from '../../../yaml/decode.ts';
import { nodeAtPath } from '../../../yaml/place.ts';
import type { MakeAssists } from './assist.ts';
import { linesWithComments } from './lines.ts';

/** A property of a schema changes places with the one above or below; comments go with it. */
export const moveProperty: MakeAssists = ({ manifest, target, placed }) => {
  const { path } = target;
  if (manifest?.role !== 'crd' || target.at !== 'key' || path.at(-2) !== 'properties') return [];
  const found = nodeAtPath(placed.document, path.slice(0, -1));
  if (!found || found.through || found.node.kind !== 'map' || found.node.style !== 'block') return [];
  const { text } = placed.document;
  const { pairs } = found.node;
  const own = pairs.findIndex(({ key }) => keyName(key) === path.at(-1));
  const place = (i: number): Range | undefined => {
    const pair = pairs[i];
    const start = found.start + (pair?.at ?? 0);
    return pair && linesWithComments(text, start, start + pair.length);
  };
  return [
    { title: `Move \`${path.at(-1)}\` up`, kind: 'refactor.move', edits: swapped(text, place(own - 1), place(own)) },
    { title: `Move \`${path.at(-1)}\` down`, kind: 'refactor.move', edits: swapped(text, place(own), place(own + 1)) },
  ];
};

function swapped(text: string, first: Range | undefined, second: Range | undefined): TextEdit[] {
  if (!first || !second || first.end > second.start) return [];
  return [
    { range: first, text: text.slice(second.start, second.end) },
    { range: second, text: text.slice(first.start, first.end) },
  ];
}
