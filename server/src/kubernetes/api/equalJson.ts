import { wordsOf } from '../../base/equalParts.ts';
import type { Json } from '../../gostd/json.ts';

// CRDs repeat themselves: the schema of a Pod's template is in some of them a dozen times, and repositories keep copies of CRDs.
// Of a hundred schemas two are others than all before. Whatever is equal becomes one object here, so that what is known of it, by
// its identity, is known of all of them.

/** Characters of what equal values are told by, after which one begins anew. */
const mostCharacters = 4_000_000;

/** The first of equal values, and a number of its own. */
interface First {
  readonly json: Json & object;
  readonly number: number;
}

const table = { byWords: new Map<string, First>(), characters: 0, last: 0 };

/** Not a memo: each value leads to an object that may have been there before. */
const firsts = new WeakMap<object, First>();

/** The first value that was equal to one, in which all that is equal is the same object. */
export function firstEqual(json: Json & object): Json & object {
  return firstOf(json).json;
}

function firstOf(json: Json & object): First {
  const known = firsts.get(json);
  if (known) return known;
  // An object with a key that is there twice has no words, nor has the text of a number.
  const words = wordsOf(json, numberOf);
  const first = (words === undefined ? undefined : table.byWords.get(words)) ?? { json, number: ++table.last };
  if (words !== undefined && first.json === json) keep(words, first);
  firsts.set(json, first);
  return first;
}

/** What is in a list or map is JSON. */
function numberOf(part: object): number {
  return firstOf(part as Json & object).number;
}

function keep(words: string, first: First): void {
  table.characters += words.length;
  if (table.characters > mostCharacters) {
    table.byWords.clear();
    table.characters = words.length;
  }
  table.byWords.set(words, first);
}
