import type { Val } from './values.ts';

const names: Readonly<Record<string, string>> = {
  uint: 'types.Uint',
  bytes: 'types.Bytes',
  duration: 'types.Duration',
  timestamp: 'types.Timestamp',
  type: '*types.Type',
  optional: '*types.Optional',
  error: '*types.Err',
  textInPart: 'types.String',
  sizeInPart: 'types.Int',
  map: '*types.baseMap',
  preserved: '*common.unknownPreserved',
};

/** Go's name for the type that holds a value, as some errors show it. */
export function goType(value: Val): string {
  switch (typeof value) {
    case 'bigint':
      return 'types.Int';
    case 'number':
      return 'types.Double';
    case 'string':
      return 'types.String';
    case 'boolean':
      return 'types.Bool';
    default:
      if (value === null) return 'types.Null';
  }
  if (value.kind === 'list') return value.habits?.goType ?? '*types.baseList';
  if (value.kind === 'map' && value.raw !== undefined) return '*common.unstructuredMap';
  return value.kind === 'opaque' ? value.goType : names[value.kind]!;
}
