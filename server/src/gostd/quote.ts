const escapes = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x0c, '\\f'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x09, '\\t'],
  [0x0b, '\\v'],
  [0x22, '\\"'],
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

function quotedRune(character: string): string {
  const code = character.codePointAt(0)!;
  const escaped = escapes.get(code);
  if (escaped !== undefined) return escaped;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (isPrint(character)) return character;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

/** Go's strconv.Quote, which is %q. */
export function quote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let out = '"';
  for (const character of text) out += quotedRune(character);
  return `${out}"`;
}
