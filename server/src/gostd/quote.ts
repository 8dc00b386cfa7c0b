const escapes = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x0c, '\\f'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x09, '\\t'],
  [0x0b, '\\v'],
  [0x5c, '\\\\'],
]);

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const plain = /^[ !#-[\]-~]*$/;

/** Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isPrint(character: string): boolean {
  return printable.test(character);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

function quotedRune(character: string, mark: string, onlyAscii: boolean): string {
  const code = character.codePointAt(0)!;
  if (character === mark) return `\\${mark}`;
  const escaped = escapes.get(code);
  if (escaped !== undefined) return escaped;
  // A byte that is not UTF-8, as bytes.ts holds it.
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code - 0xdc00, 2)}`;
  if (code >= 0xd800 && code <= 0xdfff) return onlyAscii ? '\\ufffd' : '\ufffd';
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  if (onlyAscii ? code < 0x7f : isPrint(character)) return character;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

/** Go's strconv.Quote, which is %q. */
export function quote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  return `"${Array.from(text, (character) => quotedRune(character, '"', false)).join('')}"`;
}

/** Go's strconv.QuoteToASCII, which is %+q. */
export function quoteToAscii(text: string): string {
  return `"${Array.from(text, (character) => quotedRune(character, '"', true)).join('')}"`;
}

/** Go's strconv.QuoteRune, which is %q of a number. */
export function quoteRune(character: string, onlyAscii = false): string {
  return `'${quotedRune(character, "'", onlyAscii)}'`;
}

/** A character as %#U prints it. */
export function codePoint(character: string): string {
  const name = `U+${hex(character.codePointAt(0)!, 4).toUpperCase()}`;
  return isPrint(character) ? `${name} '${character}'` : name;
}
