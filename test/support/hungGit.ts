import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * A git that says where a repository is, and to every other question nothing: it does not end either, not even when it
 * is asked to.
 */
export interface HungGit {
  /** The value of PATH with which it is the git that runs. */
  readonly path: string;
  /** Waits until every one that began has ended, and gives their ids; fails if they go on. */
  ended(): Promise<readonly number[]>;
  /** Waits until one has begun. */
  begun(): Promise<void>;
  remove(): void;
}

export function hungGit(repository: string): HungGit {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hung-git-')));
  const began = path.join(folder, 'began');
  const place = [repository, `${repository}/.git`, `${repository}/.git`, ''].map((line) => `'${line}'`).join(' ');
  const script = `#!/bin/sh
case "$*" in
  *show-toplevel*) printf '%s\\n' ${place}; exit ;;
esac
trap '' TERM
echo $$ >> '${began}'
while :; do sleep 0.1; done
`;
  writeFileSync(path.join(folder, 'git'), script);
  chmodSync(path.join(folder, 'git'), 0o755);
  const pids = () => (existsSync(began) ? readFileSync(began, 'utf8').split('\n').filter(Boolean).map(Number) : []);
  return {
    path: `${folder}${path.delimiter}${process.env.PATH}`,
    ended: async () => {
      await until(() => !pids().some(isAlive));
      return pids();
    },
    begun: () => until(() => pids().length > 0),
    remove: () => {
      for (const pid of pids().filter(isAlive)) process.kill(pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const patienceMs = 15_000;

async function until(holds: () => boolean): Promise<void> {
  const start = performance.now();
  while (!holds()) {
    if (performance.now() - start > patienceMs) throw new Error('waited for git in vain');
    await setTimeout(20);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
