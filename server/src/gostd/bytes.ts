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
