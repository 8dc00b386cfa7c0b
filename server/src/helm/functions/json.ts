/** Helm's own toJson and fromJson, which take the place of Sprig's. */
import type { DocumentPath } from '../../base/value.ts';
import { type From, Later, loosely, sliceOf } from '../../template/from.ts';
import { traced } from '../../template/functions.ts';
import { fromJsonText, type JsonStyle, jsonCell } from '../../template/json.ts';
import { meterValue } from '../../template/meter.ts';
import { orElse } from '../../template/sprig/encoding.ts';
import { type Cell, cell, GoList, GoMap, type GoValue } from '../../template/value.ts';
import { parseDocument, type YamlDocument } from '../../yaml/parse.ts';
import { nodeAtPath } from '../../yaml/place.ts';
import { jsonMistyped } from './yaml.ts';

const style: JsonStyle = { escapesHtml: true, indent: undefined };

export const jsonFunctions = [
  traced('toJson(any) string', ([one], { from }) =>
    orElse(
      () => jsonCell(one!, style, from),
      () => cell('', from),
    ),
  ),
  traced('mustToJson(any) string', ([one], { from }) => jsonCell(one!, style, from)),
  traced('fromJson(string) map[string]any', ([text], { from }) => {
    const failed = (message: string) => cell(new GoMap(new Map([['Error', cell(message, from)]])), from);
    const read = orElse(
      () => placed(fromJsonText(text!.value as string, from), text!),
      ({ message }) => failed(message),
    );
    if (read.value === null) return cell(new GoMap(new Map(), { isNil: true }), from);
    return read.value instanceof GoMap ? read : failed(jsonMistyped(read.value, 'map[string]interface {}'));
  }),
  traced('fromJsonArray(string) []any', ([text], { from }) => {
    const failed = (message: string) => cell(new GoList([cell(message, from)]), from);
    const read = orElse(
      () => placed(fromJsonText(text!.value as string, from), text!),
      ({ message }) => failed(message),
    );
    if (read.value === null) return cell(new GoList([], '[]interface {}', true), from);
    return read.value instanceof GoList ? read : failed(jsonMistyped(read.value, '[]interface {}'));
  }),
];

/** What was read of a text, with where each part of it is in there; that is found when somebody asks. */
function placed(one: Cell, { value, from }: Cell): Cell {
  const text = value as string;
  let document: YamlDocument | undefined;
  const partAt = (path: DocumentPath, inner: GoValue): From => {
    document ??= parseDocument(text);
    const found = nodeAtPath(document, path);
    if (!found) return from;
    const [start, end] = [found.start, found.start + found.node.length];
    if (typeof inner === 'string' && text.slice(start + 1, end - 1) === inner)
      return sliceOf(text, from, start + 1, end - 1).from;
    return loosely(sliceOf(text, from, start, end).from);
  };
  const walk = (inner: Cell, path: DocumentPath): Cell => {
    meterValue();
    const its = new Later([from], () => partAt(path, inner.value));
    if (inner.value instanceof GoList)
      return cell(new GoList(inner.value.items.map((item, i) => walk(item, [...path, i]))), its);
    if (!(inner.value instanceof GoMap)) return cell(inner.value, its);
    const entries = Array.from(inner.value.all(), ([key, item]) => [key, walk(item, [...path, key])] as const);
    return cell(new GoMap(new Map(entries)), its);
  };
  return walk(one, []);
}
