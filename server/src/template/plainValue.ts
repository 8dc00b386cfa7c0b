/** Values of templates as plain ones, on their way through encoding/json. */
import type { Value } from '../base/value.ts';
import { encodeBase64 } from '../gostd/base64.ts';
import { goBytes } from '../gostd/bytes.ts';
import { meterValue } from './meter.ts';
import {
  type Cell,
  GoError,
  GoFunc,
  GoList,
  GoMap,
  GoStruct,
  type GoValue,
  Int,
  OpenMap,
  openText,
  textOfBytes,
} from './value.ts';

/** As JSON has it, on its way to YAML or not. Throws a GoError where it cannot hold something. */
export function plainOf(value: GoValue): Value {
  meterValue();
  if (value === null || value === undefined) return null;
  if (value instanceof Int) return value.value;
  if (value instanceof GoFunc) throw new GoError('json: unsupported type: func()');
  if (value instanceof GoStruct) return value.json ? plainOf(value.json()) : entriesOf(value.fields);
  if (value instanceof GoMap) return value.isNil ? null : entriesOf(value.all());
  if (value instanceof GoList) return listOf(value);
  if (typeof value === 'string') return value.replace(/\p{Cs}/gu, '\ufffd');
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new GoError(`json: unsupported value: ${word(value)}`);
  return value;
}

/** A part of a value: of one of which nobody knows what it is, a text stands there. */
function partOf({ value }: Cell): Value {
  return value instanceof OpenMap && value.isBare ? openText : plainOf(value);
}

function listOf(list: GoList): Value {
  if (list.type === '[]uint8') return encodeBase64(goBytes(textOfBytes(list)));
  return list.isNil ? null : list.items.map(partOf);
}

function entriesOf(entries: Iterable<[string, Cell]>): Map<string, Value> {
  return new Map(Array.from(entries, ([key, one]) => [key, partOf(one)]));
}

function word(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

/** Whether some part of a value may be something else in another run. */
export function isUnknown({ value, from }: Cell): boolean {
  meterValue();
  if (from.isUnknown) return true;
  if (value instanceof GoMap) return some(value.all());
  if (value instanceof GoStruct) return some(value.fields);
  return value instanceof GoList && value.type !== '[]uint8' && value.items.some(isUnknown);
}

function some(entries: Iterable<[string, Cell]>): boolean {
  for (const [, one] of entries) if (isUnknown(one)) return true;
  return false;
}
