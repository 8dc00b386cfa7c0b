import type { Files } from '../../workspace/files.ts';
import { runInCi } from './linted.ts';

/** Whether a script around a chart, or what runs in CI there, gives it the version of its app: `helm package --app-version`. */
export async function isGivenAppVersion(files: Files, root: string, folders: readonly string[]): Promise<boolean> {
  for await (const text of runInCi(files, `${root}/Chart.yaml`, folders)) if (givesIt(text)) return true;
  return false;
}

/** In one command, which may go on behind the end of a line. */
function givesIt(text: string): boolean {
  const lines = text.replace(/\\\r?\n/g, ' ').split('\n');
  return lines.some((line) => line.includes('helm package ') && line.includes('--app-version'));
}
