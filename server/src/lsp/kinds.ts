import { needsBuiltin, noBuiltin, unpackBuiltin } from '../workspace/builtin.ts';
import { kindsToLookUp, lookUp, withLookedUp } from '../workspace/lookUp.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import type { Context } from './context.ts';

/** Looks for the kinds of files that nothing defines. Says whether more is known now, or sure to be unknown. */
export async function learnKinds(context: Context, files: readonly SourceFile[]): Promise<boolean> {
  const { session } = context;
  const { library } = session;
  const isRead = await learnBuiltin(context, files);
  const wanted = files.flatMap((file) => kindsToLookUp(session.snapshot, file));
  if (wanted.length === 0) return isRead;
  const found = await lookUp(library, wanted);
  // The workspace was read anew meanwhile, and with it what names the sources.
  if (session.library !== library) return false;
  session.snapshot = withLookedUp(session.snapshot, found);
  return true;
}

/** Reads the file of built-in kinds where one of them is met. */
async function learnBuiltin(context: Context, files: readonly SourceFile[]): Promise<boolean> {
  for (const file of files) if (needsBuiltin(context.session.snapshot, file)) return await readBuiltin(context);
  return false;
}

/** Reads the file of built-in kinds, unless it was read. */
export async function readBuiltin({ session, client, host, files, log }: Context): Promise<boolean> {
  if (session.snapshot.builtin) return false;
  const builtin = await host
    .builtinKinds(files, client.options.builtinKinds)
    .then((bytes) => (bytes ? unpackBuiltin(bytes) : noBuiltin))
    .catch((error: Error) => {
      log(`reading the built-in kinds: ${error.message}`);
      return noBuiltin;
    });
  session.snapshot = { ...session.snapshot, builtin };
  return true;
}

/** The same for all open files, one search at a time; `learned` is called after each that gave something. */
export function learnOpenKinds(context: Context, learned: () => void): void {
  const { session } = context;
  if (session.loading || session.learning) return;
  const learn = async () => {
    // What was typed meanwhile is looked for in turn, and everything again where the sources are others by now.
    for (let library: unknown; library !== session.library; ) {
      library = session.library;
      while (await learnKinds(context, [...session.snapshot.open.values()])) learned();
    }
  };
  session.learning = learn()
    .catch((error: Error) => context.log(`looking for kinds: ${error.stack ?? error.message}`))
    .finally(() => {
      session.learning = undefined;
    });
}

/** How long an answer waits for a search: local sources answer in less, and if not, the answer comes again. */
const patience = 400;

let waits = 0;

/** Resolves when the kinds of open files are looked up, or that takes too long. */
export async function kindsSettled({ session: { learning }, host }: Context): Promise<void> {
  if (!learning) return;
  const name = `wait for kinds ${waits++}`;
  await Promise.race([learning, new Promise<void>((resolve) => host.debounce(name, patience, resolve))]);
}
