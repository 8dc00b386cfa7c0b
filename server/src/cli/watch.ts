import path from 'node:path';
import { kindAt } from '../files/folders.ts';
import { watched } from '../files/watch.ts';
import { withoutDots } from './goPaths.ts';
import { clearScreen, complain, complainOf, isKept } from './terminal.ts';

/** Editors write a file in several steps. */
const pause = 200;

/** Runs something, and runs it again after every change below the paths, until the program is ended. */
export async function watch(paths: readonly string[], run: () => Promise<unknown>): Promise<never> {
  if (isKept()) throw new Error('--output-file goes without --watch');
  const changed = await changesOf(paths);
  for (;;) {
    clearScreen();
    try {
      await run();
    } catch (error) {
      complainOf(error);
    }
    complain('waiting for changes; Ctrl-C ends');
    await changed();
  }
}

/** Gives what waits for the next change below paths; changes while a check runs count. */
async function changesOf(paths: readonly string[]): Promise<() => Promise<void>> {
  let pending = false;
  let wake = () => {};
  const note = () => {
    pending = true;
    wake();
  };
  for (const one of paths) {
    // A glob is watched from its last folder without magic.
    const folder = /[*?]/.test(one) ? path.dirname(`${one.split(/[*?]/)[0]}x`) : withoutDots(one);
    const kind = await kindAt(folder);
    if (kind === undefined) throw new Error(`nothing found at ${one}`);
    const heard = (name: string | null) => {
      if (!name?.split(path.sep).includes('.git')) note();
    };
    const failed = (why: string) => complain(`${one} is not watched any more: ${why}`);
    if (!watched(folder, heard, { recursive: kind === 'folder', failed })) throw new Error(`${one} cannot be watched`);
  }
  return async () => {
    if (!pending) await new Promise<void>((resolve) => (wake = resolve));
    await new Promise((resolve) => setTimeout(resolve, pause));
    pending = false;
  };
}
