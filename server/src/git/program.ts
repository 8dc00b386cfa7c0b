import os from 'node:os';
import { programInPath } from '../programs/programs.ts';

/** What git is given of the environment: no hook's repository, no locks, no questions, and nothing that is fetched. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, GIT_OBJECT_DIRECTORY, ...rest } = process.env;
  return {
    ...rest,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    // Before 2.45 git knows nothing of the line above. With no protocol allowed, what it would fetch with is not started.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_PAGER: 'cat',
  };
}

/**
 * What a configuration could name a program with, or more, that one of our commands would start: whoever made a folder made
 * its `.git/config`, or a bare repository in it that git takes for the one around. A test sets every such key of git's.
 */
const overruled: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': os.devNull,
  'core.alternateRefsCommand': 'false',
  'core.sshCommand': 'false',
  'core.gitProxy': '',
  'core.askPass': '',
  'credential.helper': '',
  'protocol.allow': 'never',
  'safe.bareRepository': 'explicit',
  'log.showSignature': 'false',
};

/** The arguments of a command of git's in a folder. */
export function gitArguments(folder: string, args: readonly string[]): string[] {
  const settings = Object.entries(overruled).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  return ['-C', folder, '--no-pager', ...settings, ...args];
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
