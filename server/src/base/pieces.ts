/**
 * A text of which only pieces are known, in their order: anything may be between each and the next, nothing included. The
 * first is what it begins with and the last what it ends with, both perhaps empty; a text that is known is one piece.
 */
export type Pieces = readonly string[];

const isWhole = (pieces: Pieces) => pieces.length === 1;
const beginOf = (pieces: Pieces) => pieces[0]!;
const endOf = (pieces: Pieces) => pieces.at(-1)!;

/** Whether a text may be the one of which the pieces are known. */
export function mayBe(pieces: Pieces, text: string): boolean {
  if (isWhole(pieces)) return text === pieces[0];
  const [begin, end] = [beginOf(pieces), endOf(pieces)];
  if (text.length < begin.length + end.length || !text.startsWith(begin) || !text.endsWith(end)) return false;
  return hasInOrder(text.slice(begin.length, text.length - end.length), pieces.slice(1, -1));
}

/** Taking each piece where it comes first leaves the most for those behind it. */
function hasInOrder(text: string, pieces: Pieces): boolean {
  let at = 0;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return true;
}

/** Whether two texts may be the same. */
export function mayBeSame(a: Pieces, b: Pieces): boolean {
  if (isWhole(a)) return mayBe(b, a[0]!);
  if (isWhole(b)) return mayBe(a, b[0]!);
  return !differAtBegin(a, b) && !differAtEnd(a, b);
}

function differAtBegin(a: Pieces, b: Pieces): boolean {
  return !beginOf(a).startsWith(beginOf(b)) && !beginOf(b).startsWith(beginOf(a));
}

function differAtEnd(a: Pieces, b: Pieces): boolean {
  return !endOf(a).endsWith(endOf(b)) && !endOf(b).endsWith(endOf(a));
}

// What is sure of two texts; undefined where it depends on what is not known.

export function startsWith(text: Pieces, part: Pieces): boolean | undefined {
  if (isWhole(part) && beginOf(text).startsWith(part[0]!)) return true;
  return differAtBegin(text, part) || isTooLong(part, text) ? false : undefined;
}

export function endsWith(text: Pieces, part: Pieces): boolean | undefined {
  if (isWhole(part) && endOf(text).endsWith(part[0]!)) return true;
  return differAtEnd(text, part) || isTooLong(part, text) ? false : undefined;
}

export function includes(text: Pieces, part: Pieces): boolean | undefined {
  if (isWhole(part) && text.some((piece) => piece.includes(part[0]!))) return true;
  return isWhole(text) && !hasInOrder(text[0]!, part) ? false : undefined;
}

/** A text that is known has no part that is longer. */
function isTooLong(part: Pieces, text: Pieces): boolean {
  return isWhole(text) && part.join('').length > text[0]!.length;
}

/** Two texts of which the order is that of their beginnings. */
export function beginningsThatDiffer(a: Pieces, b: Pieces): readonly [string, string] | undefined {
  return differAtBegin(a, b) ? [beginOf(a), beginOf(b)] : undefined;
}

export function joined(a: Pieces, b: Pieces): Pieces {
  return [...a.slice(0, -1), endOf(a) + beginOf(b), ...b.slice(1)];
}
