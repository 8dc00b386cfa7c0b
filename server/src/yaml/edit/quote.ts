import type { TextEdit } from '../../base/text.ts';
import type { DocumentPath } from '../../base/value.ts';
import { isMissing } from '../node.ts';
import type { YamlDocument } from '../parse.ts';
import { doubleQuoted } from '../quoting.ts';
import { edit, nodeAt } from './entries.ts';

/** Quotes what is written at a path, letter for letter, so that it is the string it looks like. */
export function quoteAt(document: YamlDocument, path: DocumentPath): TextEdit[] {
  const node = nodeAt(document, path)?.node;
  const isPlain =
    node?.kind === 'scalar' && node.style === 'plain' && !isMissing(node) && node.props?.tag === undefined;
  return isPlain ? writeAt(document, path, doubleQuoted(node.value)) : [];
}

/** Puts other text in the place of a scalar's own; what stands before it, such as an anchor, stays. */
export function writeAt(document: YamlDocument, path: DocumentPath, text: string): TextEdit[] {
  const found = nodeAt(document, path);
  if (found?.node.kind !== 'scalar' || isMissing(found.node)) return [];
  const { node, start } = found;
  return [edit(start + (node.props?.bodyAt ?? 0), start + node.length, text)];
}
