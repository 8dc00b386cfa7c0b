import { memo } from '../base/memo.ts';
import type { Value } from '../base/value.ts';
import { decode } from './decode.ts';
import type { Node } from './node.ts';
import type { YamlDocument } from './parse.ts';
import { asValue, valueOf } from './value.ts';

/** The document's value as far as it can be made out: what completion works on while a line is half typed. */
export function tolerantValueOf(document: YamlDocument): Value | undefined {
  const exact = valueOf(document);
  return exact === undefined && document.root ? recovered(document.root, document.hasAlias) : exact;
}

const recovered = memo((root: Node, hasAlias: boolean): Value | undefined => decode(root, hasAlias, asValue).value);
