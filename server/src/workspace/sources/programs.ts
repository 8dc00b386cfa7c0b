import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Where a program is. Only folders of PATH with a whole name count: the working folder may be anybody's repository, and
 * Windows looks there first. Undefined where it is not installed.
 */
export function programInPath(name: string): string | undefined {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, file)).find((one) => isProgram(one));
}

function isProgram(file: string): boolean {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  // There the name says what is a program.
  if (process.platform === 'win32') return true;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

const children = new Set<ChildProcess>();

/** A program that hangs must not outlive us. */
export function endWithUs(child: ChildProcess): void {
  if (children.size === 0) process.once('exit', endAll);
  children.add(child);
  child.once('close', () => {
    children.delete(child);
    if (children.size === 0) process.off('exit', endAll);
  });
}

function endAll(): void {
  for (const child of children) child.kill('SIGKILL');
}
