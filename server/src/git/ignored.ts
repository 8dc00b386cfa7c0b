import { spawnSync } from 'node:child_process';
import { answered } from '../files/answers.ts';
import { gitArguments, gitEnvironment, gitProgram, patienceMs } from './program.ts';

/**
 * Which of some files git ignores; undefined where it did not answer in time. Git is asked, since only it reads all that
 * says what it ignores. Without git or a repository nothing is ignored.
 */
export function ignoredByGit(
  folder: string,
  files: readonly string[],
  patience = patienceMs,
): ReadonlySet<string> | undefined {
  if (files.length === 0) return new Set();
  // The paths come from standard input, and check-ignore refuses to run where pathspecs are to be literal.
  const { GIT_LITERAL_PATHSPECS: _, ...env } = gitEnvironment();
  const { stdout, signal } = spawnSync(gitProgram(), gitArguments(folder, ['check-ignore', '-z', '--stdin']), {
    input: files.map((file) => `${file}\0`).join(''),
    env,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: patience,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  const output = signal === null ? (stdout ?? '') : undefined;
  answered(output, (text) => text, 'ignored', folder, ...files);
  return output === undefined ? undefined : new Set(output.split('\0').filter(Boolean));
}
