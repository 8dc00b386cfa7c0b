const encoder = new TextEncoder();

/** How many bytes a string has in UTF-8, which is Go's len. */
export function byteLength(text: string): number {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return encoder.encode(text).length;
  return text.length;
}

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** How many characters a string has, as Go's utf8.RuneCount counts. */
export function runeCount(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const pair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    if (pair) i++;
    count++;
  }
  return count;
}

/** Go's texts may hold any bytes: here, one that is not UTF-8 is a lone half of a pair, from 0xdc80 to 0xdcff. */
const strayByte = /[\udc80-\udcff]/u;
const strayBase = 0xdc00;

/** The bytes of a text as Go holds it. */
export function goBytes(text: string): Uint8Array {
  if (!strayByte.test(text)) return encoder.encode(text);
  const parts = Array.from(text, (char) =>
    strayByte.test(char) ? [char.charCodeAt(0) - strayBase] : encoder.encode(char),
  );
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of any bytes. */
export function goText(bytes: Uint8Array): string {
  const whole = strictly(bytes);
  if (whole !== undefined) return whole;
  let out = '';
  for (let at = 0; at < bytes.length; ) {
    const length = runeLength(bytes[at]!);
    const rune = at + length <= bytes.length ? strictly(bytes.subarray(at, at + length)) : undefined;
    out += rune ?? String.fromCharCode(strayBase + bytes[at]!);
    at += rune === undefined ? 1 : length;
  }
  return out;
}

function strictly(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch (failure) {
    if (!(failure instanceof TypeError)) throw failure;
    return undefined;
  }
}

function runeLength(first: number): number {
  if (first < 0xc0) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** How many bytes a text has as Go holds it. */
export function goLength(text: string): number {
  return strayByte.test(text) ? goBytes(text).length : byteLength(text);
}

/** The offset of a text's byte, where a character begins there; undefined where it is within one. */
export function offsetOfByte(text: string, byte: number): number | undefined {
  let bytes = 0;
  let at = 0;
  while (bytes < byte && at < text.length) {
    const point = text.codePointAt(at)!;
    bytes +=
      strayByte.test(text[at]!) && point < 0x10000 ? 1 : point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    at += point < 0x10000 ? 1 : 2;
  }
  return bytes === byte ? at : undefined;
}
