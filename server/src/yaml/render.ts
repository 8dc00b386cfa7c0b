/** Values as YAML text. */
import { isList, isMap, type Value } from '../base/value.ts';
import { jsonFloat } from '../gostd/float.ts';
import { doubleQuoted, quoteIfNeeded } from './quoting.ts';

/** How a file is written. */
export interface Style {
  readonly eol: string;
  /** How much further in a nested map stands. */
  readonly step: number;
  /** Whether the lists in maps are indented, too. */
  readonly indentLists: boolean;
}

export function renderKey(key: string): string {
  return key === '<<' || key === '' ? doubleQuoted(key) : quoteIfNeeded(key);
}

export function isScalar(value: Value): boolean {
  return isMap(value) ? value.size === 0 : !isList(value) || value.length === 0;
}

/** A value on one line, as it may stand anywhere. */
export function renderFlow(value: Value): string {
  if (isMap(value)) return `{${[...value].map(([key, item]) => `${renderKey(key)}: ${renderFlow(item)}`).join(', ')}}`;
  if (isList(value)) return `[${value.map(renderFlow).join(', ')}]`;
  if (typeof value === 'string') return value === '' ? '""' : quoteIfNeeded(value);
  return typeof value === 'number' ? jsonFloat(value) : String(value);
}

const literalLines =
  /^[^\s\p{Cc}\ufeff\u2028\u2029][^\p{Cc}\ufeff\u2028\u2029]*(?:\n(?:[^\p{Cc}\ufeff\u2028\u2029]*[^\s\p{Cc}\ufeff\u2028\u2029])?)*$/u;

/** Text of several lines as a literal block; undefined where it cannot be one. */
function literal(text: string, indent: number, eol: string): string | undefined {
  const clipped = text.endsWith('\n') ? text.slice(0, -1) : text;
  if (!clipped.includes('\n') || clipped.endsWith('\n') || !literalLines.test(clipped)) return undefined;
  const pad = ' '.repeat(indent);
  const lines = clipped.split('\n').map((line) => (line === '' ? '' : pad + line));
  return [text.endsWith('\n') ? '|' : '|-', ...lines].join(eol);
}

/**
 * A value behind `key:` or `-` at a column, with the space or line break before it. `listColumn` is where the dashes
 * of a list stand.
 */
function renderAfter(value: Value, column: number, listColumn: number, style: Style): string {
  if (isScalar(value)) return ` ${renderScalar(value, column + style.step, style)}`;
  const inner = isMap(value) ? column + style.step : listColumn;
  return style.eol + ' '.repeat(inner) + renderBlock(value, inner, style);
}

export function renderScalar(value: Value, indent: number, style: Style): string {
  return (typeof value === 'string' ? literal(value, indent, style.eol) : undefined) ?? renderFlow(value);
}

/** The lines of a map or list whose first line is already indented. */
export function renderBlock(value: Value, column: number, style: Style): string {
  const pad = style.eol + ' '.repeat(column);
  if (isMap(value) && value.size > 0) {
    return [...value].map(([key, item]) => renderPair(key, item, column, style)).join(pad);
  }
  if (isList(value) && value.length > 0) return value.map((item) => renderItem(item, column, style)).join(pad);
  return renderScalar(value, column + style.step, style);
}

export function renderPair(key: string, value: Value, column: number, style: Style): string {
  const listColumn = style.indentLists ? column + style.step : column;
  return `${renderKey(key)}:${renderAfter(value, column, listColumn, style)}`;
}

export function renderItem(value: Value, column: number, style: Style): string {
  return `- ${renderBlock(value, column + 2, style)}`;
}
