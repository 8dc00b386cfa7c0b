import type { GoType } from '../kubernetes/builtin/goType.ts';
import type { BuiltinKinds } from '../kubernetes/builtin/kinds.ts';
import { fieldsByName, type Member } from '../kubernetes/builtin/protobuf.ts';
import { isJsonMap, type JsonMap, type JsonValue } from './json.ts';

/** An object of a built-in kind as Go writes what it has read: without what it does not know, or leaves out when it is empty. */
export function asWritten(sent: JsonMap, id: string, kinds: BuiltinKinds): JsonMap {
  return objectAsWritten(sent, id, { kinds, isStored: false });
}

/** The same as it comes out of the store, which has no empty lists and maps: who manages fields is told before that. */
export function asStored(written: JsonMap, id: string, kinds: BuiltinKinds): JsonMap {
  return objectAsWritten(written, id, { kinds, isStored: true });
}

interface Way {
  readonly kinds: BuiltinKinds;
  readonly isStored: boolean;
}

function objectAsWritten(sent: JsonMap, id: string, way: Way): JsonMap {
  const written: JsonMap = {};
  const fields = fieldsByName(way.kinds.object(id));
  for (const [name, value] of Object.entries(sent)) {
    const member = fields.get(name);
    const now = member && fieldAsWritten(value ?? null, member, way);
    if (now !== undefined) written[name] = now;
  }
  // What is not there is no list and no map, for which Go writes null where it writes the field at all.
  for (const [name, { field, zero }] of fields) {
    if (zero === 'always' && isHeap(field.type) && !Object.hasOwn(written, name)) written[name] = null;
  }
  return written;
}

const isHeap = ({ is }: GoType) => is === 'list' || is === 'map';

function fieldAsWritten(value: JsonValue, { field, zero }: Member, way: Way): JsonValue | undefined {
  if (value === null) return undefined;
  const written = valueAsWritten(value, field.type, way);
  const isLost = zero === 'never' || (zero === 'always' && way.isStored);
  if (isHeap(field.type)) return isEmpty(written) && isLost ? undefined : written;
  return zero === 'never' && (written === '' || written === 0 || written === false) ? undefined : written;
}

function isEmpty(value: JsonValue): boolean {
  return Array.isArray(value) ? value.length === 0 : isJsonMap(value) && Object.keys(value).length === 0;
}

function valueAsWritten(value: JsonValue, type: GoType, way: Way): JsonValue {
  if (type.is === 'object') return isJsonMap(value) ? objectAsWritten(value, type.id, way) : value;
  if (type.is === 'list') return Array.isArray(value) ? value.map((item) => valueAsWritten(item, type.of, way)) : value;
  if (type.is !== 'map' || !isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, valueAsWritten(item ?? null, type.of, way)]),
  );
}
