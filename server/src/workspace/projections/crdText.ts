import { memo } from '../../base/memo.ts';
import { isList, isMap, type Value, type ValueMap } from '../../base/value.ts';
import { goYaml } from '../../yaml/goYaml.ts';
import { isScalar, renderItem, renderKey, renderPair } from '../../yaml/render.ts';

const style = { eol: '\n', step: 2, indentLists: false };

/** A generated CRD as controller-gen writes it, without the line that starts the document. */
export function crdText(value: ValueMap): string {
  return goYaml(value);
}

/** The CRD in the order that it was made in; what is as it was before a change is not written again. */
export function plainText(value: ValueMap): string {
  return `${mapText(value, 0)}\n`;
}

const mapText = memo((value: ValueMap, column: number): string => {
  const pad = `\n${' '.repeat(column)}`;
  const pair = (key: string, item: Value): string => {
    if (isScalar(item)) return renderPair(key, item, column, style);
    const inner = isMap(item) ? column + style.step : column;
    const head = `${renderKey(key)}:\n${' '.repeat(inner)}`;
    return head + (isMap(item) ? mapText(item, inner) : listText(item, column));
  };
  return put(
    Array.from(value, ([key, item]) => pair(key, item)),
    pad,
  );
});

/** Put behind each other, texts share their characters with the one that comes of them; `join` would copy them at each level. */
function put(parts: readonly string[], between: string): string {
  let text = '';
  for (const [i, part] of parts.entries()) text += i === 0 ? part : between + part;
  return text;
}

function listText(value: Value, column: number): string {
  const items = isList(value) ? value : [value];
  const item = (one: Value) =>
    isMap(one) && !isScalar(one) ? `- ${mapText(one, column + 2)}` : renderItem(one, column, style);
  return put(items.map(item), `\n${' '.repeat(column)}`);
}
