/** `.helmignore`: which files of a chart's folder are none of the chart's. */

interface Rule {
  readonly isNegated: boolean;
  readonly isFolder: boolean;
  readonly fits: (path: string) => boolean;
}

/** Helm itself leaves out files in `templates` that begin with a dot. */
const always = 'templates/.?*';

export function ignoring(text: string): (path: string, isFolder: boolean) => boolean {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const rules = [...lines, always]
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(ruleOf);
  return (path, isFolder) => isIgnored(rules, path, isFolder);
}

function isIgnored(rules: readonly Rule[], path: string, isFolder: boolean): boolean {
  for (const { isNegated, isFolder: wantsFolder, fits } of rules) {
    // Whatever a rule with an exclamation mark does not name is left out, and the rules behind it say nothing more.
    if (isNegated) {
      if ((wantsFolder && !isFolder) || !fits(path)) return true;
    } else if ((!wantsFolder || isFolder) && fits(path)) return true;
  }
  return false;
}

function ruleOf(line: string): Rule {
  const isNegated = line.startsWith('!');
  const named = isNegated ? line.slice(1) : line;
  const isFolder = named.endsWith('/');
  const pattern = isFolder ? named.slice(0, -1) : named;
  if (pattern.startsWith('/')) return { isNegated, isFolder, fits: matcher(pattern.slice(1)) };
  const whole = matcher(pattern);
  if (pattern.includes('/')) return { isNegated, isFolder, fits: whole };
  return { isNegated, isFolder, fits: (path) => whole(path.slice(path.lastIndexOf('/') + 1)) };
}

/** Go's filepath.Match: an asterisk stays within a folder. Looks back no further than to the last asterisk. */
function matcher(pattern: string): (path: string) => boolean {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; ) at = addPart(pattern, at, parts);
  return (path) => matches(parts, [...path]);
}

type Part = '*' | ((one: string) => boolean);

/** Takes in the part of a pattern that begins at a place; gives where the next one does. */
function addPart(pattern: string, at: number, parts: Part[]): number {
  const text = String.fromCodePoint(pattern.codePointAt(at)!);
  if (text === '*') {
    if (parts.at(-1) !== '*') parts.push('*');
    return at + 1;
  }
  if (text === '?') {
    parts.push((one) => one !== '/');
    return at + 1;
  }
  const end = text === '[' ? pattern.indexOf(']', at + 2) : -1;
  if (end !== -1) {
    parts.push(classOf(pattern.slice(at + 1, end)));
    return end + 1;
  }
  const isEscaped = text === '\\' && at + 1 < pattern.length;
  const wanted = isEscaped ? String.fromCodePoint(pattern.codePointAt(at + 1)!) : text;
  parts.push((one) => one === wanted);
  return at + wanted.length + (isEscaped ? 1 : 0);
}

function classOf(list: string): Part {
  const isNegated = list.startsWith('^');
  const ranges = [...list.slice(isNegated ? 1 : 0).matchAll(/\\?(.)(?:-\\?(.))?/gsu)];
  return (one) => one !== '/' && ranges.some(([, low, high]) => one >= low! && one <= (high ?? low!)) !== isNegated;
}

function matches(parts: readonly Part[], path: readonly string[]): boolean {
  let part = 0;
  let at = 0;
  let star: { part: number; at: number } | undefined;
  while (at < path.length) {
    const next = parts[part];
    if (next === '*') star = { part: part++, at };
    else if (next?.(path[at]!)) {
      part++;
      at++;
    } else if (star && path[star.at] !== '/') {
      part = star.part + 1;
      at = ++star.at;
    } else return false;
  }
  return parts.slice(part).every((one) => one === '*');
}
