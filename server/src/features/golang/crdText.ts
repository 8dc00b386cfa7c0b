import { isList, isMap, type Value, type ValueMap } from '../../base/value.ts';
import { renderBlock } from '../../yaml/render.ts';

const style = { eol: '\n', step: 2, indentLists: false };

/** A generated CRD as controller-gen writes it: with its keys in the order of their names. */
export function crdText(value: ValueMap): string {
  return plainText(sorted(value));
}

export function plainText(value: Value): string {
  return `${renderBlock(value, 0, style)}\n`;
}

function sorted(value: Value): Value {
  if (isList(value)) return value.map(sorted);
  if (!isMap(value)) return value;
  return new Map([...value].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]));
}
