import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Commits a folder as it is, as a repository of its own. */
export function commitAll(folder, message) {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const git = (...args) => execFileSync('git', ['-C', folder, ...identity, ...args], { stdio: 'ignore' });
  if (!existsSync(path.join(folder, '.git'))) git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}
