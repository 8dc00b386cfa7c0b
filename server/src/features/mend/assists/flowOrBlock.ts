import { columnOf, runAtEnd } from '../../../base/text.ts';
import { styleOf } from '../../../yaml/edit.ts';
import type { ListNode, MapNode, Node, PlacedNode } from '../../../yaml/node.ts';
import { isMissing } from '../../../yaml/node.ts';
import type { YamlDocument } from '../../../yaml/parse.ts';
import { nodeAtPath } from '../../../yaml/place.ts';
import type { Assist, MakeAssists } from './assist.ts';

type Collection = MapNode | ListNode;

/** Turns `{a: 1}` and `[a]` behind a key into lines of their own, and such lines back. Values stay as they are written. */
export const flowOrBlock: MakeAssists = ({ target, placed: { document } }) => {
  const found = target.at === 'key' || target.at === 'gap' ? nodeAtPath(document, target.path) : undefined;
  if (!found?.pair || found.through || found.node.props) return [];
  const { node, start } = found;
  if (node.kind !== 'map' && node.kind !== 'list') return [];
  const placed = { node, start };
  if (hasComment(document, keyEnd(found.pair), start + node.length)) return [];
  const keyStart = found.pair.start + found.pair.pair.keyAt;
  return node.style === 'block' ? toFlow(document, placed, keyEnd(found.pair)) : toBlock(document, placed, keyStart);
};

interface PlacedCollection extends PlacedNode {
  readonly node: Collection;
}

/** Between two places; a comment may also be above the first entry, behind the key. */
function hasComment({ comments }: YamlDocument, start: number, end: number): boolean {
  return comments.some((comment) => comment.start >= start && comment.start < end);
}

/** Behind the colon of a pair. */
function keyEnd({ pair, start }: { readonly pair: { readonly colonAt: number }; readonly start: number }): number {
  return start + pair.colonAt + 1;
}

// To lines

function toBlock(document: YamlDocument, { node, start }: PlacedCollection, keyStart: number): Assist[] {
  const { text } = document;
  const column = columnOf(text, keyStart);
  // A key that is inside braces itself cannot be followed by lines.
  if (/[{[,]\s*$/.test(text.slice(0, keyStart)) || sizeOf(node) === 0) return [];
  const style = styleOf(document);
  const lines = linesOf(text, node, start);
  if (!lines) return [];
  const indent = node.kind === 'list' && !style.indentLists ? column : column + style.step;
  const range = { start: runAtEnd(text, /[ \t]/, start), end: start + node.length };
  const put = lines.map((line) => `${style.eol}${' '.repeat(indent)}${line}`).join('');
  return [{ title: 'Write it on several lines', kind: 'refactor.rewrite', edits: [{ range, text: put }] }];
}

const sizeOf = (node: Collection) => (node.kind === 'map' ? node.pairs.length : node.items.length);

/** Each entry on a line of its own; undefined where one goes over several. */
function linesOf(text: string, node: Collection, start: number): string[] | undefined {
  const slice = (from: number, length: number) => text.slice(start + from, start + from + length);
  const lines =
    node.kind === 'list'
      ? node.items.map((item) => `- ${slice(item.at + item.nodeAt, item.node.length)}`)
      : node.pairs.map(({ at, keyAt, key, valueAt, value }) => {
          const after = isMissing(value) ? '' : ` ${slice(at + valueAt, value.length)}`;
          return `${slice(at + keyAt, key.length)}:${after}`;
        });
  return lines.some((line) => /[\r\n]/.test(line)) ? undefined : lines;
}

// To one line

const widest = 100;

function toFlow(document: YamlDocument, { node, start }: PlacedCollection, colonEnd: number): Assist[] {
  const { text } = document;
  const flow = flowText(text, { node, start });
  if (flow === undefined || columnOf(text, colonEnd) + flow.length > widest) return [];
  const range = { start: colonEnd, end: start + node.length };
  return [{ title: 'Write it on one line', kind: 'refactor.rewrite', edits: [{ range, text: ` ${flow}` }] }];
}

/** A node as it can be written inside braces; undefined for block scalars, aliases and what has an anchor or a tag. */
function flowText(text: string, { node, start }: PlacedNode): string | undefined {
  const own = text.slice(start, start + node.length);
  if (node.props || node.kind === 'alias') return undefined;
  if (node.kind === 'scalar') return flowScalar(node, own);
  if (node.style !== 'block') return /[\r\n]/.test(own) ? undefined : own;
  const parts =
    node.kind === 'list'
      ? node.items.map(({ at, nodeAt, node: item }) => flowText(text, { node: item, start: start + at + nodeAt }))
      : node.pairs.map(({ at, keyAt, key, valueAt, value }) => {
          const name = flowText(text, { node: key, start: start + at + keyAt });
          const held = isMissing(value) ? '' : flowText(text, { node: value, start: start + at + valueAt });
          return name === undefined || held === undefined ? undefined : held === '' ? `${name}:` : `${name}: ${held}`;
        });
  if (parts.includes(undefined)) return undefined;
  return node.kind === 'list' ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`;
}

function flowScalar(node: Node & { kind: 'scalar' }, own: string): string | undefined {
  if (/[\r\n]/.test(own) || node.style === 'literal' || node.style === 'folded') return undefined;
  // Outside of braces their own signs are part of a text.
  return node.style === 'plain' && (own === '' || /[,[\]{}?]/.test(own)) ? undefined : own;
}
