/**
 * Whether JavaScript's own engine matches a pattern exactly as RE2 does, and in a time that grows with the text alone:
 * ASCII characters and classes of them from the start of the text on, in groups that may be left out, with at most one
 * part that repeats without end, so that there is little to go back to. Many patterns of schemas are of this kind.
 */
export function isPlainPattern(pattern: string): boolean {
  if (!pattern.startsWith('^')) return false;
  const end = pattern.endsWith('$') && !pattern.endsWith('\\$') ? pattern.length - 1 : pattern.length;
  const counts = { open: 0, endless: 0, optional: 0 };
  for (let at = 1; at < end; ) {
    const next = readPart(pattern, at, counts);
    if (next === undefined) return false;
    at = next;
  }
  return counts.open === 0 && counts.endless <= 1 && counts.optional <= mostOptional;
}

/** Each may double the ways to go back. */
const mostOptional = 3;

interface Counts {
  open: number;
  endless: number;
  optional: number;
}

const opening = /\((?:\?:)?/y;
const closing = /\)(\?(?![?+*]))?(?![+*{])/y;
const atom = /(?:[A-Za-z0-9_/:@-]|\\[./-]|\[-?(?:[A-Za-z0-9_](?!-)|[.]|a-z|A-Z|0-9)+-?\])([+*?](?![?+*{]))?(?![+*?{])/y;

/** The end of the part that starts here; undefined where it is none of the plain ones. */
function readPart(pattern: string, at: number, counts: Counts): number | undefined {
  const part = matchAt(opening, pattern, at);
  if (part) {
    counts.open++;
    return at + part[0].length;
  }
  const closed = matchAt(closing, pattern, at);
  if (closed) {
    counts.open--;
    if (closed[1]) counts.optional++;
    return counts.open < 0 ? undefined : at + closed[0].length;
  }
  const found = matchAt(atom, pattern, at);
  if (!found) return undefined;
  if (found[1] === '?') counts.optional++;
  else if (found[1]) counts.endless++;
  return at + found[0].length;
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}
