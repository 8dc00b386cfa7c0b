import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Runs the built program in a folder. */
export function runProgram(cwd: string, args: readonly string[], input = '') {
  const program = path.resolve('dist/server/main.cjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd, encoding: 'utf8', input });
  return { status, stdout, stderr };
}
