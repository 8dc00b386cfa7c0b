import { timestampText } from '../../server/src/cel/eval/convert.ts';
import { itemsOfList, type Tagged, type Val } from '../../server/src/cel/eval/values.ts';
import { runtimeText } from '../../server/src/cel/types.ts';
import { formatGoDuration } from '../../server/src/gostd/duration.ts';
import { compareStrings } from '../../server/src/gostd/jsonPrint.ts';
import { encode } from './protocol.ts';

/** A value of CEL as the oracle writes it: JSON that keeps its type. */
export function typed(value: Val): unknown {
  switch (typeof value) {
    case 'boolean':
      return { bool: value };
    case 'bigint':
      return { int: String(value) };
    case 'string':
      return { string: value };
    case 'number':
      return { double: Number.isFinite(value) ? value : goSpecial(value) };
    default:
      return value === null ? { null: true } : typedTagged(value);
  }
}

function goSpecial(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function typedTagged(value: Tagged): unknown {
  switch (value.kind) {
    case 'uint':
      return { uint: String(value.value) };
    case 'bytes':
      return { bytes: Array.from(value.bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') };
    case 'duration':
      return { duration: formatGoDuration(value.nanos) };
    case 'timestamp':
      return { timestamp: timestampText({ ...value, zone: 0 }) };
    case 'type':
      return { type: runtimeText(value.type) };
    case 'optional':
      return { optional: value.value === undefined ? null : typed(value.value) };
    case 'list':
      return { list: itemsOfList(value).map(typed) };
    case 'map':
      return typedMap(value);
    case 'opaque':
      return { other: `${value.type.name} ${value.goType}` };
    case 'preserved':
      return { other: 'unknown *common.unknownPreserved' };
    case 'error':
      return { other: 'error *types.Err' };
    case 'textInPart':
    case 'sizeInPart':
      throw new Error('nothing is unknown to the oracle');
  }
}

function typedMap(value: Extract<Tagged, { kind: 'map' }>): unknown {
  const pairs = value.keys().map((key) => [typed(key), typed(value.find(key) ?? null)]);
  if (pairs.length === 0) return { map: null };
  return {
    map: pairs
      .map((pair) => ({ pair, text: goPrint(pair) }))
      .sort((a, b) => compareStrings(a.text, b.text))
      .map(({ pair }) => pair),
  };
}

/** Go's %v of decoded JSON, by which the oracle sorts a map's entries. */
function goPrint(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  if (typeof value !== 'object') return typeof value === 'string' ? value : encode(value);
  return `map[${Object.entries(value)
    .map(([key, item]) => `${key}:${goPrint(item)}`)
    .join(' ')}]`;
}
