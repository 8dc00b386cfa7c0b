import { EqualParts, type Equals } from '../../base/equalParts.ts';
import type { Json } from '../../gostd/json.ts';

// CRDs repeat themselves: the schema of a Pod's template is in some of them a dozen times, and repositories keep copies of CRDs.
// Of a hundred schemas two are others than all before. Whatever is equal becomes one object here, so that what is known of it, by
// its identity, is known of all of them.

/** Numbers and characters of what is told apart, after which it begins anew. */
const mostCharacters = 4_000_000;

const parts = new EqualParts<DecodedSchema>(mostCharacters);

/** What a schema decodes to, where unknown fields are told and where they are not: kept by what decodes it. */
interface DecodedSchema {
  strict?: object;
  own?: object;
}

/**
 * Those that are equal to a value, with the first of them, in which all that is equal is the same object. One with a key that
 * is there twice, or with the text of a number, is equal to itself alone.
 */
export function equalTo(json: Json & object): Equals<DecodedSchema> {
  return parts.equalsOf(json);
}
