import type { Range } from '../../server/src/base/text.ts';
import type { DocumentPath } from '../../server/src/base/value.ts';
import { keyName } from '../../server/src/yaml/decode.ts';
import type { Node } from '../../server/src/yaml/node.ts';
import { parseDocument, type YamlDocument } from '../../server/src/yaml/parse.ts';

/** An entry of a document: a key with its value, or an item of a list. */
export interface Entry {
  readonly path: DocumentPath;
  /** The key; of an item nothing, where its value starts. */
  readonly key: Range;
  readonly value: Range;
  readonly node: Node;
  readonly isItem: boolean;
}

/** Every entry of a document, outer ones first. */
export function entriesOf(text: string): Entry[] {
  const document = parseDocument(text);
  return document.root ? [...below(document, document.root, document.rootStart, [])] : [];
}

function* below(document: YamlDocument, node: Node, start: number, path: DocumentPath): Generator<Entry> {
  const rangeAt = (at: number, length: number): Range => ({ start: at, end: at + length });
  for (const pair of node.kind === 'map' ? node.pairs : []) {
    const at = start + pair.at;
    const own = [...path, keyName(pair.key)];
    const value = rangeAt(at + pair.valueAt, pair.value.length);
    yield { path: own, key: rangeAt(at + pair.keyAt, pair.key.length), value, node: pair.value, isItem: false };
    yield* below(document, pair.value, value.start, own);
  }
  for (const [i, item] of node.kind === 'list' ? node.items.entries() : []) {
    const at = start + item.at + item.nodeAt;
    const own = [...path, i];
    yield { path: own, key: rangeAt(at, 0), value: rangeAt(at, item.node.length), node: item.node, isItem: true };
    yield* below(document, item.node, at, own);
  }
}
