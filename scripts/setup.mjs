// Installs what package-lock.json names, once; every task calls it, so that no step comes before it.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export function setup() {
  const lock = path.join(root, 'package-lock.json');
  const installed = path.join(root, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  console.error('installing dependencies …');
  // Standard output belongs to the task (ask writes answers there), so npm writes to standard error.
  // Whoever installs the package from a repository for all users hands that wish on, but means this folder.
  run(
    'npm',
    ['ci', '--no-global', '--include=dev', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'],
    { stdio: ['ignore', 2, 2] },
  );
}

/** Runs a program in the repository and ends this one if it fails. */
export function run(command, args, options = {}) {
  const shell = process.platform === 'win32';
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell, ...options });
  if (result.error) console.error(`cannot run ${command}: ${result.error.message}`);
  if (result.status !== 0) process.exit(result.status ?? 1);
}
