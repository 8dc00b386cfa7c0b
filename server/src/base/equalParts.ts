import { isList, isMap, type Value } from './value.ts';

/**
 * What a list or map is told by, so that equal ones are told by the same. What it holds of lists and maps is told by
 * numbers. Undefined for anything else: only the same one is equal.
 */
export function wordsOf(whole: object, numberOf: (part: object) => number): string | undefined {
  if (Array.isArray(whole)) return `[${whole.map((item) => wordOf(item, numberOf)).join()}`;
  if (!(whole instanceof Map)) return undefined;
  let words = '{';
  for (const [key, one] of whole) words += `${key.length}:${key}${wordOf(one, numberOf)},`;
  return words;
}

function wordOf(part: unknown, numberOf: (part: object) => number): string {
  if (typeof part === 'string') return `"${part.length}:${part}`;
  if (typeof part === 'object' && part !== null) return `#${numberOf(part)}`;
  if (typeof part === 'bigint') return `${part}n`;
  return Object.is(part, -0) ? '-0' : String(part);
}

/** A value in which all lists and maps that are equal are the same object: whoever writes it can write each of them once. */
export function withEqualPartsOnce(value: Value): Value {
  const firsts = new Map<string, Value & object>();
  const numbers = new Map<object, number>();
  const once = (part: Value): Value => {
    if (!isList(part) && !isMap(part)) return part;
    const made = isList(part) ? part.map(once) : new Map([...part].map(([key, one]) => [key, once(one)]));
    const words = wordsOf(made, (inner) => numberOf(inner))!;
    const known = firsts.get(words);
    if (known) return known;
    firsts.set(words, made);
    return made;
  };
  const numberOf = (part: object): number => {
    const known = numbers.get(part) ?? numbers.size;
    numbers.set(part, known);
    return known;
  };
  return once(value);
}
