/** What goyaml.v3 says of keys that are in a map twice. */

import { quote } from '../../gostd/quote.ts';
import { parseDocument } from '../../yaml/document.ts';
import type { Node as YamlNode } from '../../yaml/node.ts';
import { lineCounter } from '../../yaml/place.ts';

export function linesOfKeys(text: string): string[] {
  const document = parseDocument(text);
  const lineOf = lineCounter(text);
  const said: string[] = [];
  const visit = (node: YamlNode, start: number): void => {
    if (node.kind === 'list') for (const item of node.items) visit(item.node, start + item.at + item.nodeAt);
    if (node.kind !== 'map') return;
    const first = new Map<string, number>();
    const before = said.length;
    for (const pair of node.pairs) {
      if (pair.key.kind !== 'scalar') continue;
      const line = lineOf(start + pair.at + pair.keyAt) + 1;
      const known = first.get(pair.key.value);
      if (known === undefined) first.set(pair.key.value, line);
      else said.push(`line ${line}: mapping key ${quote(pair.key.value)} already defined at line ${known}`);
    }
    if (said.length > before) return;
    for (const pair of node.pairs) visit(pair.value, start + pair.at + pair.valueAt);
  };
  if (document.root) visit(document.root, document.rootStart);
  return said;
}
