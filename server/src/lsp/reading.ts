import { isYaml, setGlobs } from '../workspace/fileNames.ts';
import type { Reader } from '../workspace/languages/language.ts';
import { newReaders, withoutRead } from '../workspace/languages/languages.ts';
import type { Context } from './context.ts';
import { dataOf } from './kinds.ts';
import { DidChangeWatchedFilesNotification } from './library.ts';
import { homesFor } from './session.ts';

// What open files need beside themselves, and what is not looked for as the CRDs of kinds are.

/** Begins anew, with what may be read now: until the workspace is trusted that is nothing outside of it. */
export function startReaders(context: Context): void {
  const { session, files, log } = context;
  session.snapshot = withoutRead(session.snapshot);
  session.readers = newReaders({
    files,
    caches: { ...session.caches, ...(session.trusted ? {} : { goModules: undefined }) },
    homesOf: (folder) => homesFor(session, files)(folder),
    data: (name) => dataOf(context, name),
    snapshot: () => session.snapshot,
    change: (next) => {
      session.snapshot = next(session.snapshot);
    },
    log,
  });
}

/** Begins to read what an open file needs. `then` is called when there is something new. */
export function readMore(context: Context, uri: string, then: () => void): void {
  for (const reader of context.session.readers) {
    const reading = reader.read(uri);
    if (!reading) continue;
    watch(context, reader.watches);
    void reading.then(then, (error: Error) => context.log(error.stack ?? error.message));
  }
}

/** Follows what the ApplicationSets of the workspace read, beside what is followed in any case. */
export function watchForSets(context: Context): void {
  const { patterns } = context.session.snapshot.delivery.setFiles;
  if ([...patterns].some((one) => !isYaml(one)))
    watch(
      context,
      setGlobs.map((glob) => `**/${glob}`),
    );
}

function watch({ session, client, connection }: Context, watches: Reader['watches']): void {
  const more = watches.filter((glob) => !session.watched.has(glob));
  for (const glob of more) session.watched.add(glob);
  if (more.length === 0 || !client.registersWatchers) return;
  const watchers = more.map((globPattern) => ({ globPattern }));
  void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
}

/** Resolves when what an open file needs was read. */
export async function readSettled({ session }: Context, uri: string): Promise<void> {
  for (const reader of session.readers) await reader.settled(uri);
}

/** Files on disk have changed: says whether something of them was read, and has to be read again. */
export function forgetRead({ session }: Context, uris: readonly string[]): boolean {
  const forgotten = uris.flatMap((uri) => session.readers.filter((reader) => reader.forget(uri)));
  return forgotten.length > 0;
}
