import { lineStartBefore, type TextEdit } from '../../base/text.ts';
import type { DocumentPath } from '../../base/value.ts';
import { isBreak } from '../chars.ts';
import { isMissing } from '../node.ts';
import type { YamlDocument } from '../parse.ts';
import type { Found } from '../place.ts';
import { edit, nodeAt, trimmedEnd } from './entries.ts';
import { replaceNode } from './set.ts';

/** Makes what is written at a path the only item of a list, letter for letter. */
export function wrapInList(document: YamlDocument, path: DocumentPath): TextEdit[] {
  const found = nodeAt(document, path);
  // An anchor would from then on stand for the list.
  if (!found || isMissing(found.node) || found.node.props !== undefined || found.node.kind === 'list') return [];
  const { node, start } = found;
  if (node.kind === 'map' && node.style === 'block') return dashed(document, found);
  const source = document.text.slice(start, trimmedEnd(document.text, { start, end: start + node.length }));
  if (/[\r\n]/.test(source))
    return node.kind === 'map' ? [edit(start, start, '['), edit(start + node.length, start + node.length, ']')] : [];
  return replaceNode(document, path, (column) => (column < 0 ? `[${source}]` : `- ${source}`), false);
}

/** The lines of a block map, further in and behind a dash. */
function dashed({ text }: YamlDocument, { node, start }: Found): TextEdit[] {
  const edits = [edit(start, start, '- ')];
  const end = trimmedEnd(text, { start, end: start + node.length });
  for (let at = start; at < end; at++) {
    const isLineStart = at > start && lineStartBefore(text, at) === at;
    if (isLineStart && !isBreak(text.charCodeAt(at))) edits.push(edit(at, at, '  '));
  }
  return edits;
}
