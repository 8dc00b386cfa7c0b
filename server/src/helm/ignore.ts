/** `.helmignore`: which files of a chart's folder are none of the chart's. */
import { goPattern } from '../gostd/patterns.ts';

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
  if (pattern.startsWith('/')) return { isNegated, isFolder, fits: goPattern(pattern.slice(1)) };
  const whole = goPattern(pattern);
  if (pattern.includes('/')) return { isNegated, isFolder, fits: whole };
  return { isNegated, isFolder, fits: (path) => whole(path.slice(path.lastIndexOf('/') + 1)) };
}
