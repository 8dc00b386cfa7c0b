import { append } from '../../base/append.ts';
import type { Value, ValueMap } from '../../base/value.ts';
import { compareStrings } from '../../gostd/jsonPrint.ts';
import type { DecodeError } from '../decode.ts';
import { rootPath } from '../field.ts';
import { dropNulls } from '../schema/default.ts';
import { coerceEmbedded } from '../schema/embedded.ts';
import { prune, type UnknownField } from '../schema/prune.ts';
import type { Structural } from '../schema/structural.ts';
import type { ServedVersion } from './served.ts';

interface Formed {
  readonly value: ValueMap;
  readonly unknown: readonly UnknownField[];
}

export interface Forming {
  /** It is from the store: what cannot be decoded of embedded resources is dropped. */
  readonly drop?: boolean;
  /** It is applied, which drops no nulls. */
  readonly keepNulls?: boolean;
}

/** What a version without a schema has. */
export const noSchema: Structural = {
  type: '',
  title: '',
  description: '',
  nullable: false,
  extensions: {
    preserveUnknownFields: false,
    embeddedResource: false,
    intOrString: false,
    listMapKeys: [],
    validations: [],
  },
};

/** An object with no fields that are known. */
export const noFields: Structural = { ...noSchema, type: 'object' };

/**
 * Drops unknown fields and stray nulls, and brings embedded resources into form, as the schema of a version wants it.
 */
export function form(
  object: ValueMap,
  served: ServedVersion,
  { drop = false, keepNulls = false }: Forming = {},
): Formed | { readonly error: DecodeError } {
  const { structural, kubernetes } = served;
  let value: Value = object;
  const unknown: UnknownField[] = [];
  if (!served.preserveUnknownFields) {
    const pruned = prune(value, structural ?? noSchema, true);
    append(unknown, sorted(pruned.unknown));
    value = keepNulls ? pruned.value : dropNulls(pruned.value, structural);
  }
  if (structural) {
    const coerced = coerceEmbedded(value, structural, rootPath, { isRoot: false, drop, version: kubernetes });
    if (coerced.error) {
      const { field, message, path } = coerced.error;
      return { error: { message: `${field}: ${message}`, path } };
    }
    append(unknown, sorted(coerced.unknown));
    value = coerced.value;
  }
  return { value: value as ValueMap, unknown };
}

/** In the order in which the API server names them. */
function sorted(unknown: readonly UnknownField[]): UnknownField[] {
  return [...unknown].sort((a, b) => compareStrings(a.text, b.text));
}
