/** Helm's own toJson and fromJson, which take the place of Sprig's. */
import { traced } from '../../template/functions.ts';
import { fromJsonText, type JsonStyle, jsonCell } from '../../template/json.ts';
import { orElse } from '../../template/sprig/encoding.ts';
import { cell, GoList, GoMap } from '../../template/value.ts';
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
      () => fromJsonText(text!.value as string, from),
      ({ message }) => failed(message),
    );
    if (read.value === null) return cell(new GoMap(new Map(), { isNil: true }), from);
    return read.value instanceof GoMap ? read : failed(jsonMistyped(read.value, 'map[string]interface {}'));
  }),
  traced('fromJsonArray(string) []any', ([text], { from }) => {
    const failed = (message: string) => cell(new GoList([cell(message, from)]), from);
    const read = orElse(
      () => fromJsonText(text!.value as string, from),
      ({ message }) => failed(message),
    );
    if (read.value === null) return cell(new GoList([], '[]interface {}', true), from);
    return read.value instanceof GoList ? read : failed(jsonMistyped(read.value, '[]interface {}'));
  }),
];
