/** Texts without a line break at their end, as whoever reads them as they are has them: kubectl's reader ends the last line itself. */
import { isList, isMap, isString, type Path, type Value } from '../base/value.ts';
import { keyName } from './decode.ts';
import type { YamlDocument } from './document.ts';
import type { Node, PlacedNode } from './node.ts';
import { valueOf } from './value.ts';

/** The value of a document whose last block of text has no line break at its end where the file has none. */
export function valueAsWritten(document: YamlDocument): Value | undefined {
  const { root, rootStart, text } = document;
  const value = valueOf(document);
  if (value === undefined || !root || isEnded(text)) return value;
  const path: (string | number)[] = [];
  let last: PlacedNode | undefined = { node: root, start: rootStart };
  for (let next = lastIn(last); next; next = lastIn(last)) {
    path.push(next.step);
    last = next;
  }
  return isUnended(text, last.node, last.start) ? shortenedAt(value, path) : value;
}

/** Whether a node is a block of text that goes on to the end of a text without a line break there. */
export function isUnended(text: string, node: Node, start: number): boolean {
  if (node.kind !== 'scalar' || (node.style !== 'literal' && node.style !== 'folded')) return false;
  return start + node.length >= text.length && !isEnded(text);
}

function isEnded(text: string): boolean {
  return /[\n\r]$/.test(text.slice(-1));
}

/** What a block of text has without the line break that nobody wrote. */
export function withoutBreak(text: string): string {
  return text.replace(/\n$/, '');
}

function lastIn({ node, start }: PlacedNode): (PlacedNode & { readonly step: string | number }) | undefined {
  if (node.kind === 'list') {
    const item = node.items.at(-1);
    return item && { step: node.items.length - 1, node: item.node, start: start + item.at + item.nodeAt };
  }
  const pair = node.kind === 'map' ? node.pairs.at(-1) : undefined;
  return pair && { step: keyName(pair.key), node: pair.value, start: start + pair.at + pair.valueAt };
}

function shortenedAt(value: Value, [step, ...rest]: Path): Value {
  if (step === undefined) return isString(value) ? withoutBreak(value) : value;
  if (isList(value)) return value.map((item, i) => (i === step ? shortenedAt(item, rest) : item));
  if (!isMap(value)) return value;
  return new Map([...value].map(([key, item]) => [key, key === step ? shortenedAt(item, rest) : item]));
}
