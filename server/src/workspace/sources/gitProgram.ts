import { programInPath } from './programs.ts';

/** What git is given of the environment: no hook's repository, no locks, no questions, no fetching of missing objects. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, GIT_OBJECT_DIRECTORY, ...rest } = process.env;
  return {
    ...rest,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
  };
}

let found: string | undefined;

/**
 * What to run as git. Windows looks for a program in the working folder first, which may be anybody's repository: there
 * only the folders of PATH count.
 */
export function gitProgram(): string {
  if (process.platform !== 'win32') return 'git';
  found ??= programInPath('git') ?? 'git-is-not-in-PATH';
  return found;
}

/** How long git may take for one answer before it counts as hung, and is ended. */
export const patienceMs = 20_000;
