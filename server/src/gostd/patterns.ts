/** Patterns of paths, as Go and git read them. */

/** Go's path.Match: an asterisk stays within a folder. Looks back no further than to the last asterisk. */
export function goPattern(pattern: string): (path: string) => boolean {
  const parts = partsOf(pattern, isNoSlash);
  return (path) => matches(parts, [...path], isNoSlash);
}

/** What git makes of a path with wildcards: they stand for slashes as well, and a folder for all that is in it. */
export function gitPattern(pattern: string): (path: string) => boolean {
  const parts = partsOf(pattern, isAny);
  const folder = pattern.endsWith('/') ? pattern : `${pattern}/`;
  return (path) => pattern === '.' || path.startsWith(folder) || matches(parts, [...path], isAny);
}

/** As globs of gobwas without separators: wildcards stand for slashes as well, and what is in braces for one of several. */
export function flatPattern(pattern: string): (path: string) => boolean {
  const all = withoutBraces(pattern).map((one) => partsOf(one, isAny));
  return (path) => all.some((parts) => matches(parts, [...path], isAny));
}

/** Alternatives in braces of one pattern. */
const mostAlternatives = 100;

function withoutBraces(pattern: string): readonly string[] {
  let all: readonly string[] = [pattern];
  for (let i = 0; i < all.length; ) {
    const [whole, inside] = /\{([^{}]*)\}/.exec(all[i]!) ?? [];
    const ways = inside?.split(',', mostAlternatives + 1) ?? [];
    const isOpen = whole !== undefined && all.length + ways.length <= mostAlternatives;
    if (isOpen) all = all.flatMap((one, nth) => (nth === i ? ways.map((way) => one.replace(whole, () => way)) : [one]));
    else i++;
  }
  return all;
}

type Takes = (one: string) => boolean;

/** What a wildcard stands for. */
const isNoSlash: Takes = (one) => one !== '/';
const isAny: Takes = () => true;

function partsOf(pattern: string, wild: Takes): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; ) at = addPart(pattern, at, parts, wild);
  return parts;
}

type Part = '*' | Takes;

/** Takes in the part of a pattern that begins at a place; gives where the next one does. */
function addPart(pattern: string, at: number, parts: Part[], wild: Takes): number {
  const text = String.fromCodePoint(pattern.codePointAt(at)!);
  if (text === '*') {
    if (parts.at(-1) !== '*') parts.push('*');
    return at + 1;
  }
  if (text === '?') {
    parts.push(wild);
    return at + 1;
  }
  const end = text === '[' ? pattern.indexOf(']', at + 2) : -1;
  if (end !== -1) {
    parts.push(classOf(pattern.slice(at + 1, end), wild));
    return end + 1;
  }
  const isEscaped = text === '\\' && at + 1 < pattern.length;
  const wanted = isEscaped ? String.fromCodePoint(pattern.codePointAt(at + 1)!) : text;
  parts.push((one) => one === wanted);
  return at + wanted.length + (isEscaped ? 1 : 0);
}

function classOf(list: string, wild: Takes): Takes {
  const isNegated = list.startsWith('^') || (wild === isAny && list.startsWith('!'));
  const ranges = [...list.slice(isNegated ? 1 : 0).matchAll(/\\?(.)(?:-\\?(.))?/gsu)];
  return (one) => wild(one) && ranges.some(([, low, high]) => one >= low! && one <= (high ?? low!)) !== isNegated;
}

function matches(parts: readonly Part[], path: readonly string[], wild: Takes): boolean {
  let part = 0;
  let at = 0;
  let star: { part: number; at: number } | undefined;
  while (at < path.length) {
    const next = parts[part];
    if (next === '*') star = { part: part++, at };
    else if (next?.(path[at]!)) {
      part++;
      at++;
    } else if (star && wild(path[star.at]!)) {
      part = star.part + 1;
      at = ++star.at;
    } else return false;
  }
  return parts.slice(part).every((one) => one === '*');
}
