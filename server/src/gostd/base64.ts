const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digits = new Map([...alphabet].map((letter, i) => [letter.charCodeAt(0), i]));
const padding = 0x3d;

export type Base64 = { readonly bytes: Uint8Array } | { readonly corruptAt: number };

function isBreak(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}

interface Quantum {
  readonly values: readonly number[];
  readonly next: number;
  readonly last: boolean;
}

/** What Go checks after the first `=`: its partner, and that nothing but line breaks follows. */
function afterPadding(source: Uint8Array, at: number, have: number): { next: number } | { corruptAt: number } {
  if (have < 2) return { corruptAt: at - 1 };
  let next = at;
  if (have === 2) {
    while (isBreak(source[next])) next++;
    if (next === source.length) return { corruptAt: source.length };
    if (source[next] !== padding) return { corruptAt: next - 1 };
    next++;
  }
  while (isBreak(source[next])) next++;
  return next < source.length ? { corruptAt: next } : { next };
}

function quantum(source: Uint8Array, from: number): Quantum | { corruptAt: number } {
  const values: number[] = [];
  let at = from;
  while (values.length < 4) {
    const byte = source[at];
    if (byte === undefined) {
      return values.length === 0 ? { values, next: at, last: true } : { corruptAt: at - values.length };
    }
    at++;
    const digit = digits.get(byte);
    if (digit !== undefined) values.push(digit);
    else if (byte === padding) {
      const end = afterPadding(source, at, values.length);
      return 'corruptAt' in end ? end : { values, next: end.next, last: true };
    } else if (!isBreak(byte)) return { corruptAt: at - 1 };
  }
  return { values, next: at, last: false };
}

function bytesOf(values: readonly number[]): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = values;
  const word = (a << 18) | (b << 12) | (c << 6) | d;
  return [word >> 16, (word >> 8) & 0xff, word & 0xff].slice(0, Math.max(0, values.length - 1));
}

/** Go's base64.StdEncoding: line breaks are skipped, padding is required; an error names the byte Go names. */
export function decodeBase64(source: Uint8Array): Base64 {
  const out: number[] = [];
  for (let at = 0; ; ) {
    const part = quantum(source, at);
    if ('corruptAt' in part) return part;
    out.push(...bytesOf(part.values));
    if (part.last) return { bytes: Uint8Array.from(out) };
    at = part.next;
  }
}

export function encodeBase64(bytes: Uint8Array): string {
  let out = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const have = Math.min(3, bytes.length - at);
    const word = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const letters = [18, 12, 6, 0].slice(0, have + 1).map((shift) => alphabet[(word >> shift) & 63]);
    out += letters.join('').padEnd(4, '=');
  }
  return out;
}
