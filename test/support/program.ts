import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** The built program. */
export const program = path.resolve('dist/server/main.cjs');

/** Runs it in a folder. */
export function runProgram(cwd: string, args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd, encoding: 'utf8', input });
  return { status, stdout, stderr };
}
