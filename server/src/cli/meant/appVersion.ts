import type { Files } from '../../workspace/files.ts';
import { baseName } from '../../workspace/uri.ts';
import { joinedLines } from './commands.ts';
import { runInCi } from './linted.ts';

/** Whether a script around a chart, or what runs in CI there, gives it the version of its app: `helm package --app-version`. */
export async function isGivenAppVersion(files: Files, root: string, folders: readonly string[]): Promise<boolean> {
  for await (const text of runInCi(files, `${root}/Chart.yaml`, folders))
    if (givesIt(text, baseName(root))) return true;
  return false;
}

/** In one command, which may go on behind the end of a line, of this chart or of one that only the script knows. */
function givesIt(text: string, folder: string): boolean {
  return joinedLines(text.replace(/^[ \t]*#.*$/gm, '')).some((line) => {
    const [, given] = line.split(/\bhelm package /, 2);
    return given?.includes('--app-version') === true && !isOfOther(given, folder);
  });
}

/** Whether a command names the folder of a chart, and not this one: `charts/cart`, where `.` and `$chart` may be any. */
function isOfOther(given: string, folder: string): boolean {
  const words = given.split(/[;&|]/, 1)[0]!.trim().split(/\s+/);
  const isFlagged = (at: number) => /^--?[\w-]{1,80}$/.test(words[at - 1] ?? '');
  const charts = words.filter((word, at) => !word.startsWith('-') && !isFlagged(at));
  const steps = charts.map((one) => one.replace(/["']/g, '').split('/').filter(Boolean).at(-1) ?? '');
  return steps.length > 0 && steps.every((step) => /^\w[\w.-]*$/.test(step) && step !== folder);
}
