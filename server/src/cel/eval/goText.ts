import { formatFloat } from '../../go/float.ts';
import { unsupported, type Val } from './values.ts';

/** How Go's %v shows a value inside an error. */
export function goText(value: Val): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return formatFloat(value);
  if (typeof value !== 'object') return String(value);
  if (value.kind === 'uint') return String(value.value);
  if (value.kind === 'error') return value.message;
  throw unsupported(`the text of a ${value.kind} in an error`);
}
