import type { Value } from '../base/value.ts';
import { decode } from './decode.ts';
import type { YamlDocument } from './parse.ts';
import { asValue, valueOf } from './value.ts';

const memo = new WeakMap<YamlDocument, { readonly value: Value | undefined }>();

/** The document's value as far as it can be made out: what completion works on while a line is half typed. */
export function tolerantValueOf(document: YamlDocument): Value | undefined {
  const exact = valueOf(document);
  if (exact !== undefined || !document.root) return exact;
  let known = memo.get(document);
  if (!known) {
    const { value } = decode(document.root, document.hasAlias, asValue);
    known = { value };
    memo.set(document, known);
  }
  return known.value;
}
