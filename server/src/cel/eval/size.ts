import { runeCount } from '../../gostd/bytes.ts';
import { isKind, sizeOfList, type Val } from './values.ts';
import { spendText } from './work.ts';

/** The size of what has one: code points, bytes, items, entries. */
export function sizeOf(value: Val): number | undefined {
  if (typeof value === 'string') {
    spendText(value.length);
    return runeCount(value);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  switch (value.kind) {
    case 'list':
      return sizeOfList(value);
    case 'map':
      return value.size;
    case 'bytes':
      return value.bytes.length;
    case 'opaque':
      return value.size;
    default:
      return undefined;
  }
}

/** The size that costs are counted by: 1 for what has none. */
export function actualSize(value: Val): number {
  const size = sizeOf(value);
  if (size !== undefined) return size;
  return isKind(value, 'optional') && value.value !== undefined ? actualSize(value.value) : 1;
}
