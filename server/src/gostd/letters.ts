/** Go's unicode cases, character by character: a letter never becomes several, and none looks at its neighbours. */

/** Letters of which JavaScript makes several or another one than Go's tables say. */
function mapped(character: string, changed: string): string {
  return [...changed].length === 1 ? changed : character;
}

const odd: ReadonlyMap<string, string> = new Map(Object.entries<string>({ İ: 'i' }));

export function upperOf(character: string): string {
  return mapped(character, character.toUpperCase());
}

export function lowerOf(character: string): string {
  return odd.get(character) ?? mapped(character, character.toLowerCase());
}

const titles: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    Ǆ: 'ǅ',
    ǆ: 'ǅ',
    Ǉ: 'ǈ',
    ǉ: 'ǈ',
    Ǌ: 'ǋ',
    ǌ: 'ǋ',
    Ǳ: 'ǲ',
    ǳ: 'ǲ',
    ǅ: 'ǅ',
    ǈ: 'ǈ',
    ǋ: 'ǋ',
    ǲ: 'ǲ',
  }),
);

export function titleOf(character: string): string {
  return titles.get(character) ?? upperOf(character);
}

/** What is written rune by rune has no bytes any more that are not UTF-8. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

const ascii = /^[\0-\x7f]*$/;

export function toUpper(text: string): string {
  return ascii.test(text) ? text.toUpperCase() : Array.from(wellFormed(text), upperOf).join('');
}

export function toLower(text: string): string {
  return ascii.test(text) ? text.toLowerCase() : Array.from(wellFormed(text), lowerOf).join('');
}

export function isUpper(character: string): boolean {
  return /^\p{Lu}$/u.test(character);
}

export function isLower(character: string): boolean {
  return /^\p{Ll}$/u.test(character);
}

export function isSpace(character: string): boolean {
  return /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/.test(character);
}

/** Go's strings.Title: the first letter of each word, where words end at what is neither a letter, digit nor `_`. */
export function titleCase(text: string): string {
  let before = ' ';
  let out = '';
  for (const character of wellFormed(text)) {
    out += isSeparator(before) ? titleOf(character) : character;
    before = character;
  }
  return out;
}

function isSeparator(character: string): boolean {
  if (character.charCodeAt(0) < 0x80) return !/\w/.test(character);
  return !/^[\p{L}\p{Nd}]$/u.test(character) && isSpace(character);
}
