import { watch as watchPath } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { withoutDots } from './goPaths.ts';
import { complain } from './report.ts';

/** Editors write a file in several steps. */
const pause = 200;

/** Runs something, and runs it again after every change below the paths, until the program is ended. */
export async function watch(paths: readonly string[], run: () => Promise<unknown>): Promise<never> {
  const changed = await changesOf(paths);
  for (;;) {
    if (process.stdout.isTTY) process.stdout.write('\u001bc');
    try {
      await run();
    } catch (error) {
      complain(error instanceof Error ? error.message : String(error));
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
    const found = await stat(folder).catch(() => undefined);
    if (!found) throw new Error(`nothing found at ${one}`);
    const watcher = watchPath(folder, { recursive: found.isDirectory() }, (_, name) => {
      if (!name?.split(path.sep).includes('.git')) note();
    });
    watcher.on('error', (error) => complain(`${one} is not watched any more: ${error.message}`));
  }
  return async () => {
    if (!pending) await new Promise<void>((resolve) => (wake = resolve));
    await new Promise((resolve) => setTimeout(resolve, pause));
    pending = false;
  };
}
