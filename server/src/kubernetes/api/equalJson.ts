import { isJsonList, type Json } from '../../gostd/json.ts';

// CRDs repeat themselves: the schema of a Pod's template is in some of them a dozen times, and repositories keep copies of CRDs.
// Of a hundred schemas two are others than all before. Whatever is equal becomes one object here, so that what is known of it, by
// its identity, is known of all of them.

/** Characters of what equal values are told by, after which one begins anew. */
const mostCharacters = 4_000_000;

const table = { byWords: new Map<string, object>(), characters: 0, last: 0 };

/** Not a memo: each value leads to an object that may have been there before. */
const firsts = new WeakMap<object, object>();
const numbers = new WeakMap<object, number>();

/** The first value that was equal to one, in which all that is equal is the same object. */
export function firstEqual(json: Json & object): Json & object {
  const known = firsts.get(json);
  if (known) return known as Json & object;
  const words = wordsOf(json);
  const first = words === undefined ? json : (table.byWords.get(words) ?? json);
  if (words !== undefined && first === json) keep(words, json);
  firsts.set(json, first);
  firsts.set(first, first);
  if (!numbers.has(first)) numbers.set(first, ++table.last);
  return first as Json & object;
}

function keep(words: string, json: object): void {
  table.characters += words.length;
  if (table.characters > mostCharacters) {
    table.byWords.clear();
    table.characters = words.length;
  }
  table.byWords.set(words, json);
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
  if (typeof json === 'object' && json !== null) return `#${numbers.get(firstEqual(json))}`;
  if (typeof json === 'bigint') return `${json}n`;
  return Object.is(json, -0) ? '-0' : String(json);
}
