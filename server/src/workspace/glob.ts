import { memo } from '../base/memo.ts';
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
  const states = new States(steps);
  return (path) => {
    let now = states.reachable([0]);
    for (const char of path) {
      now = states.reachable(next(now, steps, char));
      if (now.length === 0) return false;
    }
    return now.includes(steps.length);
  };
}

/** The glob in a URI that a pattern was resolved to: there, its `*` and `?` are escaped. */
export function globOfUri(uri: string): Glob {
  return globOf(uri.replaceAll('%2A', '*').replaceAll('%3F', '?'));
}

function stepsOf(pattern: string): Step[] {
  const parts = pattern.match(/\*\*[/\\]|\*\*|\*|\?|[^*?]/gsu) ?? [];
  return parts.map((part) => steps[part] ?? (part.length > 1 && part.startsWith('**') ? 'folders' : { char: part }));
}

const steps: Readonly<Record<string, Step>> = { '**': 'across', '*': 'within', '?': 'one' };

const isSlash = (char: string) => char === '/' || char === '\\';

/** State `i` is before step `i`; inside of `folders` it is `-i - 1`, since only a slash leads out. */
class States {
  readonly #steps: readonly Step[];
  /** By state: the last round in which it was found. */
  readonly #before: Int32Array;
  readonly #inside: Int32Array;
  #round = 0;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#before = new Int32Array(steps.length + 1);
    this.#inside = new Int32Array(steps.length + 1);
  }

  /** The states, each once, with those that are reached without a character. */
  reachable(states: readonly number[]): number[] {
    this.#round++;
    const found: number[] = [];
    for (let state of states) {
      while (this.#isNew(state)) {
        found.push(state);
        const step = state < 0 ? undefined : this.#steps[state];
        if (step !== 'within' && step !== 'across' && step !== 'folders') break;
        state++;
      }
    }
    return found;
  }

  #isNew(state: number): boolean {
    const [rounds, at] = state < 0 ? [this.#inside, -state - 1] : [this.#before, state];
    if (rounds[at] === this.#round) return false;
    rounds[at] = this.#round;
    return true;
  }
}

function next(states: readonly number[], all: readonly Step[], char: string): number[] {
  const found: number[] = [];
  for (const state of states) {
    const at = state < 0 ? -state - 1 : state;
    const step = all[at];
    if (step === undefined) continue;
    if (step === 'folders') found.push(-at - 1);
    if (step === 'across' || (step === 'within' && !isSlash(char))) found.push(at);
    if (step === 'folders' && isSlash(char)) found.push(at + 1);
    if (step === 'one' ? !isSlash(char) : typeof step === 'object' && step.char === char) found.push(at + 1);
  }
  return found;
}

/** Whether one of several globs names a file, or a folder that it is in. One without a slash in front matches anywhere. */
export const isNamedBy = memo((patterns: readonly string[], uri: string): boolean => {
  if (patterns.length === 0) return false;
  const path = decode(uri.replace(/^[a-z][\w+.-]*:(\/\/[^/]*)?/i, ''));
  return compiled(patterns).some(([itself, below]) => itself(path) || below(path));
});

const compiled = memo((patterns: readonly string[]) => patterns.filter(Boolean).map(excluding));

/** A pattern as the globs for what it names and for what is below that. */
function excluding(pattern: string): readonly [itself: Glob, below: Glob] {
  const anywhere = pattern.startsWith('/') ? pattern : `/**/${pattern.replace(/^(\.\/|\*\*\/)+/, '')}`;
  const whole = anywhere.replace(/\/$/, '');
  return [globOf(whole), globOf(`${whole}/**`)];
}
