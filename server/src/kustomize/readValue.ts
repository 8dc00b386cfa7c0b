/** The first document of a text as sigs.k8s.io/yaml reads it. */
import { isList, isMap, isString, type Path, type Value } from '../base/value.ts';
import { keyName } from '../yaml/decode.ts';
import { parseDocument, type YamlDocument } from '../yaml/document.ts';
import type { Node } from '../yaml/node.ts';
import { documentVerdict, valueOf } from '../yaml/value.ts';

export type ReadValue =
  | { readonly value: Value; readonly error?: undefined }
  | { readonly error: string; readonly start: number; readonly end: number };

export function readValue(text: string): ReadValue {
  const document = parseDocument(text);
  const { error } = documentVerdict(document);
  if (error === undefined) return { value: unended(document, valueOf(document) ?? null) };
  const range = document.problems[0]?.range ?? { start: 0, end: text.length };
  return { error, start: range.start, end: range.end };
}

/** A block of text that goes to the end of a file without a break has none at its end either. */
function unended(document: YamlDocument, value: Value): Value {
  if (/[\n\r]$/.test(document.text) || !document.root) return value;
  const path: (string | number)[] = [];
  let at: Node = document.root;
  while (at.kind === 'map' || at.kind === 'list') {
    const [step, next] = lastOf(at);
    if (next === undefined) return value;
    path.push(step);
    at = next;
  }
  const isBlock = at.kind === 'scalar' && (at.style === 'literal' || at.style === 'folded');
  return isBlock ? shortenedAt(value, path) : value;
}

function lastOf(node: Extract<Node, { kind: 'map' | 'list' }>): readonly [string | number, Node | undefined] {
  if (node.kind === 'list') return [node.items.length - 1, node.items.at(-1)?.node];
  const pair = node.pairs.at(-1);
  return pair ? [keyName(pair.key), pair.value] : ['', undefined];
}

function shortenedAt(value: Value, [step, ...rest]: Path): Value {
  if (step === undefined) return isString(value) ? value.replace(/\n$/, '') : value;
  if (isList(value)) return value.map((item, i) => (i === step ? shortenedAt(item, rest) : item));
  if (!isMap(value)) return value;
  return new Map([...value].map(([key, item]) => [key, key === step ? shortenedAt(item, rest) : item]));
}
