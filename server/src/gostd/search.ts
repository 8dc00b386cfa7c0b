/**
 * Where a part stands in a text from an index on, or -1: in time that grows with the sum of their lengths, where
 * JavaScript's own search grows with their product on texts made for it.
 */
export function searchText(text: string, part: string, from: number): number {
  if (isShort(part.length, text.length - from)) return text.indexOf(part, from);
  const borders = bordersOf(part);
  let matched = 0;
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1]!;
    if (part.charCodeAt(matched) === unit) matched++;
    if (matched === part.length) return i + 1 - matched;
  }
  return -1;
}

/** The same from an index back. */
export function searchTextBack(text: string, part: string, from: number): number {
  if (isShort(part.length, from + 1)) return text.lastIndexOf(part, from);
  const end = Math.min(text.length, from + part.length);
  const found = searchText(reversed(text.slice(0, end)), reversed(part), 0);
  return found < 0 ? -1 : end - found - part.length;
}

function isShort(part: number, text: number): boolean {
  return part <= 16 || part * text <= 1_000_000;
}

/** For each start of a text, how long its longest border is: what it both begins and ends with. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let length = 0;
  for (let i = 1; i < part.length; i++) {
    while (length > 0 && part.charCodeAt(i) !== part.charCodeAt(length)) length = borders[length - 1]!;
    if (part.charCodeAt(i) === part.charCodeAt(length)) length++;
    borders[i] = length;
  }
  return borders;
}

/** Code unit by code unit: both halves of a pair change places in text and part alike. */
function reversed(text: string): string {
  let out = '';
  for (let i = text.length - 1; i >= 0; i--) out += text[i];
  return out;
}
