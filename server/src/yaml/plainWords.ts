import { ownText } from '../base/text.ts';
import type { ScalarNode } from './node.ts';

// Most scalars of a manifest are words that it has many times: keys, types. A node of one serves all of them, since a node
// knows nothing of its place.

/** Longer ones are seldom the same. */
const longest = 32;

/** How many are known at a time, a power of two: one that comes takes the place of another. Not a memo: it keeps them. */
const places = 2048;

const known: (ScalarNode | undefined)[] = new Array(places).fill(undefined);

/** The scalar that is a part of a text as it stands. */
export function plainWord(text: string, start: number, end: number): ScalarNode {
  const length = end - start;
  if (length > longest) return nodeOf(text, start, end);
  const at = placeOf(text, start, end);
  const found = known[at];
  if (found?.length === length && text.startsWith(found.value, start)) return found;
  const node = nodeOf(text, start, end);
  known[at] = node;
  return node;
}

function nodeOf(text: string, start: number, end: number): ScalarNode {
  const value = ownText(text.slice(start, end));
  return { kind: 'scalar', length: end - start, props: undefined, style: 'plain', value, indent: 0 };
}

/** Some of the characters tell most words apart. */
function placeOf(text: string, start: number, end: number): number {
  const middle = text.charCodeAt((start + end) >> 1);
  const sum = text.charCodeAt(start) + 31 * middle + 557 * text.charCodeAt(end - 2) + 1117 * text.charCodeAt(end - 1);
  return (sum + 97 * (end - start)) & (places - 1);
}
