import { columnOf, type TextEdit } from '../../base/text.ts';
import type { DocumentPath, Value } from '../../base/value.ts';
import { isBreak } from '../chars.ts';
import { isMissing } from '../node.ts';
import type { YamlDocument } from '../parse.ts';
import type { Found } from '../place.ts';
import { isScalar, renderBlock, renderFlow, renderScalar, type Style } from '../render.ts';
import { edit, nodeAt, trimmedEnd } from './entries.ts';
import { styleOf } from './style.ts';

/** Gives what stands at a path another value. */
export function setValue(document: YamlDocument, path: DocumentPath, value: Value): TextEdit[] {
  if (!document.root && path.length === 0) {
    return [
      edit(
        document.text.length,
        document.text.length,
        `${renderBlock(value, 0, styleOf(document))}${styleOf(document).eol}`,
      ),
    ];
  }
  const style = styleOf(document);
  return replaceNode(
    document,
    path,
    (column) => (column < 0 ? renderFlow(value) : renderInPlace(value, column, style)),
    isScalar(value),
  );
}

/** A value that starts at a column; nested lines stand at that column or further in. */
function renderInPlace(value: Value, column: number, style: Style): string {
  return isScalar(value) ? renderScalar(value, column, style) : renderBlock(value, column, style);
}

/**
 * Replaces a node. `render` gets the column that lines after the first must keep to, -1 for text on one line. Short
 * text goes behind the colon or dash; a block gets lines of its own.
 */
export function replaceNode(
  document: YamlDocument,
  path: DocumentPath,
  render: (column: number) => string,
  short: boolean,
): TextEdit[] {
  const found = nodeAt(document, path);
  if (!found) return [];
  const { text } = document;
  const { node, start } = found;
  const anchor = node.props?.anchor === undefined ? '' : `&${node.props.anchor} `;
  if (inFlow(document, path) || ((node.kind === 'map' || node.kind === 'list') && node.style !== 'block' && short)) {
    const lead = isMissing(node) && found.pair ? (found.pair.pair.colonAt < 0 ? ': ' : ' ') : '';
    return [edit(start, start + node.length, lead + anchor + render(-1))];
  }
  const end = trimmedEnd(text, { start, end: start + node.length });
  const indicator = indicatorEnd(found);
  const gap = indicator === -1 ? '' : text.slice(indicator, start);
  const { eol, step, indentLists } = styleOf(document);
  const tail = trailingComment(text, end);
  if (indicator === -1 || gap.includes('#'))
    return overLines(start, end, anchor + render(columnOf(text, start)), tail, eol);
  const outer = columnOf(text, found.pair?.start ?? found.item?.start ?? start);
  const colon = found.pair && found.pair.pair.colonAt < 0 ? ':' : '';
  const last = Math.max(end, indicator);
  if (short) return overLines(indicator, last, `${colon} ${anchor}${render(outer + step)}`, tail, eol);
  if (found.item) return overLines(indicator, last, ` ${anchor}${render(outer + 2)}`, tail, eol);
  const inner = outer + (indentLists || !render(0).startsWith('- ') ? step : 0);
  const head = `${colon}${anchor === '' ? '' : ` ${anchor.trim()}`}`;
  return overLines(indicator, last, `${head}${eol}${' '.repeat(inner)}${render(inner)}`, tail, eol);
}

/** Whether a node stands inside braces or brackets. */
function inFlow(document: YamlDocument, path: DocumentPath): boolean {
  for (let length = path.length - 1; length >= 0; length--) {
    const node = nodeAt(document, path.slice(0, length))?.node;
    if ((node?.kind === 'map' || node?.kind === 'list') && node.style !== 'block') return true;
  }
  return false;
}

/** A comment behind the old value stays on the first line of the new one: behind its last it might become text. */
function overLines(start: number, end: number, text: string, tail: string, eol: string): TextEdit[] {
  const firstEnd = text.indexOf(eol);
  if (tail === '' || firstEnd === -1) return [edit(start, end, text)];
  return [edit(start, end + tail.length, text.slice(0, firstEnd) + tail + text.slice(firstEnd))];
}

/** A comment behind a value on its line, which stays on the line of the key when the value moves below it. */
function trailingComment(text: string, end: number): string {
  if (end > 0 && isBreak(text.charCodeAt(end - 1))) return '';
  return /^[ \t]+#[^\r\n\x85\u2028\u2029]*/.exec(text.slice(end, end + 2000))?.[0] ?? '';
}

/** Where the colon or dash before a node ends; -1 at the root. */
function indicatorEnd({ pair, item }: Found): number {
  if (item) return item.start + 1;
  if (!pair) return -1;
  const { colonAt, keyAt, key } = pair.pair;
  return pair.start + (colonAt < 0 ? keyAt + key.length : colonAt + 1);
}
