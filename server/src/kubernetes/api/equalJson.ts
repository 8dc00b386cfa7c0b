import { isJsonList, type Json } from '../../gostd/json.ts';

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
  const words = wordsOf(json);
  const first = (words === undefined ? undefined : table.byWords.get(words)) ?? { json, number: ++table.last };
  if (words !== undefined && first.json === json) keep(words, first);
  firsts.set(json, first);
  return first;
}

function keep(words: string, first: First): void {
  table.characters += words.length;
  if (table.characters > mostCharacters) {
    table.byWords.clear();
    table.characters = words.length;
  }
  table.byWords.set(words, first);
}

/** What equal values have in common; undefined where only the same one is equal. */
function wordsOf(json: Json & object): string | undefined {
  if (isJsonList(json)) return `[${json.map(wordOf).join()}`;
  // A key that is there twice, or the text of a number.
  if (!(json instanceof Map)) return undefined;
  let words = '{';
  for (const [key, one] of json) words += `${key.length}:${key}${wordOf(one)},`;
  return words;
}

function wordOf(json: Json): string {
  if (typeof json === 'string') return `"${json.length}:${json}`;
  if (typeof json === 'object' && json !== null) return `#${firstOf(json).number}`;
  if (typeof json === 'bigint') return `${json}n`;
  return Object.is(json, -0) ? '-0' : String(json);
}
