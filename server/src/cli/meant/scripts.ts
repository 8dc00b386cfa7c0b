import { isScript } from '../../workspace/fileNames.ts';
import type { Files } from '../../workspace/files.ts';
import { foldersWithin } from '../../workspace/uri.ts';
import { textsIn } from './beside.ts';

/** Scripts around one file; the nearest come first. */
const mostScripts = 60;

const ofScripts = ['', '/scripts', '/hack'];

interface Script {
  /** Where it is, or the folder for scripts that it is in. */
  readonly folder: string;
  readonly text: string;
}

/** The scripts beside a file and around it, as far as its folder is in one that is checked, also those in folders for scripts. */
export async function* scriptsAround(
  files: Files,
  uri: string,
  folders: readonly string[],
): AsyncGenerator<string, void, undefined> {
  for await (const { text } of scriptsByFolder(files, uri, folders)) yield text;
}

/** The same with the folders that their ways most likely begin in. */
export async function* scriptsByFolder(
  files: Files,
  uri: string,
  folders: readonly string[],
): AsyncGenerator<Script, void, undefined> {
  let left = mostScripts;
  for (const at of foldersWithin(uri, folders)) {
    for (const below of ofScripts) {
      if (left === 0) return;
      for await (const text of textsIn(files, at + below, isScript, left)) {
        left--;
        yield { folder: at, text };
      }
    }
  }
}

/** A way below wherever a script is by then. */
export function stepsOf(way: string): string {
  const steps = way.split('/').filter((step) => !['', '.', '..'].includes(step));
  return steps.join('/');
}
