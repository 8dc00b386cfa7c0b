import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { isProgramNow } from '../files/folders.ts';

/**
 * Where a program is. Only folders of PATH with a whole name count: the working folder may be anybody's repository, and
 * Windows looks there first. Undefined where it is not installed.
 */
export function programInPath(name: string): string | undefined {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, file)).find((one) => isProgramNow(one));
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
