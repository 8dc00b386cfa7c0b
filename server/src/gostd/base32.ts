/** Go's base32.StdEncoding. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const padding = 0x3d;

export function encodeBase32(bytes: Uint8Array): string {
  let out = '';
  for (let at = 0; at < bytes.length; at += 5) {
    const part = bytes.subarray(at, at + 5);
    const word = [0, 1, 2, 3, 4].reduce((sum, i) => (sum << 8n) | BigInt(part[i] ?? 0), 0n);
    const count = Math.ceil((part.length * 8) / 5);
    for (let i = 0; i < 8; i++) out += i < count ? alphabet[Number((word >> BigInt(35 - 5 * i)) & 31n)] : '=';
  }
  return out;
}

export type Base32 = { readonly bytes: Uint8Array } | { readonly corruptAt: number };

/** Line breaks are skipped; an error names the byte that Go names. */
export function decodeBase32(source: Uint8Array): Base32 {
  const text = source.filter((byte) => byte !== 0x0a && byte !== 0x0d);
  const out: number[] = [];
  for (let at = 0; at < text.length; at += 8) {
    const values: number[] = [];
    for (let i = 0; i < 8; i++) {
      const byte = text[at + i];
      if (byte === undefined) return { corruptAt: at + i - ((at + i) % 8) };
      if (byte === padding && i >= 2 && at + 8 >= text.length) {
        const end = paddingEnd(text, at, i);
        if (end !== undefined) return { corruptAt: end };
        break;
      }
      const value = alphabet.indexOf(String.fromCharCode(byte));
      if (value === -1) return { corruptAt: at + i };
      values.push(value);
    }
    for (const byte of bytesOf(values)) out.push(byte);
  }
  return { bytes: Uint8Array.from(out) };
}

/** What is wrong with the padding of the last eight characters, by its offset. */
function paddingEnd(text: Uint8Array, at: number, have: number): number | undefined {
  if (text.length - at < 8) return text.length;
  for (let i = have; i < 8; i++) if (text[at + i] !== padding) return at + i - 1;
  return have === 3 || have === 6 || have === 1 ? at + have : undefined;
}

function bytesOf(values: readonly number[]): number[] {
  const word = values.reduce((sum, value, i) => sum | (BigInt(value) << BigInt(35 - 5 * i)), 0n);
  const count = Math.floor((values.length * 5) / 8);
  return Array.from({ length: count }, (_, i) => Number((word >> BigInt(32 - 8 * i)) & 255n));
}
