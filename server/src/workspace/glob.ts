import { decode } from './uri.ts';

/** Whether a path fits. */
export type Glob = (path: string) => boolean;

/**
 * One step of a glob. `within` and `across` stand for any number of characters, without or with slashes; `folders` for
 * nothing, or anything that ends with a slash.
 */
type Step = { readonly char: string } | 'one' | 'within' | 'across' | 'folders';

/**
 * What a glob of the settings matches: `**` crosses folders, `*` and `?` stay within a name. All that may follow is kept
 * for each character, so that no glob takes longer than its length times the path's.
 */
export function globOf(pattern: string): Glob {
  const steps = stepsOf(pattern);
  return (path) => {
    let states = reachable(new Set([0]), steps);
    for (const char of path) {
      states = reachable(next(states, steps, char), steps);
      if (states.size === 0) return false;
    }
    return states.has(steps.length);
  };
}

function stepsOf(pattern: string): Step[] {
  const parts = pattern.match(/\*\*[/\\]|\*\*|\*|\?|[^*?]/gsu) ?? [];
  return parts.map((part) => steps[part] ?? (part.length > 1 && part.startsWith('**') ? 'folders' : { char: part }));
}

const steps: Readonly<Record<string, Step>> = { '**': 'across', '*': 'within', '?': 'one' };

const isSlash = (char: string) => char === '/' || char === '\\';

/** State `i` is before step `i`; inside of `folders` it is `-i - 1`, since only a slash leads out. */
function reachable(states: ReadonlySet<number>, all: readonly Step[]): Set<number> {
  const found = new Set<number>();
  for (let state of states) {
    found.add(state);
    for (let step = all[state]; step === 'within' || step === 'across' || step === 'folders'; step = all[state]) {
      state++;
      if (found.has(state)) break;
      found.add(state);
    }
  }
  return found;
}

function next(states: ReadonlySet<number>, all: readonly Step[], char: string): Set<number> {
  const found = new Set<number>();
  for (const state of states) {
    const at = state < 0 ? -state - 1 : state;
    const step = all[at];
    if (step === undefined) continue;
    if (step === 'folders') found.add(-at - 1);
    if (step === 'across' || (step === 'within' && !isSlash(char))) found.add(at);
    if (step === 'folders' && isSlash(char)) found.add(at + 1);
    if (step === 'one' ? !isSlash(char) : typeof step === 'object' && step.char === char) found.add(at + 1);
  }
  return found;
}

/** Whether one of several globs names a file, or a folder that it is in. One without a slash in front matches anywhere. */
export function isNamedBy(patterns: readonly string[], uri: string): boolean {
  if (patterns.length === 0) return false;
  const path = decode(uri.replace(/^[a-z][\w+.-]*:(\/\/[^/]*)?/i, ''));
  return patterns.filter(Boolean).some((pattern) => {
    const [itself, below] = excluding(pattern);
    return itself(path) || below(path);
  });
}

const known = new Map<string, readonly [Glob, Glob]>();
const mostKnown = 1_000;

/** A pattern as the globs for what it names and for what is below that. */
function excluding(pattern: string): readonly [itself: Glob, below: Glob] {
  const found = known.get(pattern);
  if (found) return found;
  const anywhere = pattern.startsWith('/') ? pattern : `/**/${pattern.replace(/^(\.\/|\*\*\/)+/, '')}`;
  const whole = anywhere.replace(/\/$/, '');
  const made = [globOf(whole), globOf(`${whole}/**`)] as const;
  if (known.size >= mostKnown) known.clear();
  known.set(pattern, made);
  return made;
}
