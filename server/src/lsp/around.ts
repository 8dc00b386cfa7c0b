import { configName } from '../workspace/fileNames.ts';
import type { Files } from '../workspace/files.ts';
import { folderOf, isInside, withFolders } from '../workspace/uri.ts';
import type { Context } from './context.ts';
import { loadWorkspace, watchAround } from './lifecycle.ts';
import { judgedAlone, lookForKinds } from './reporting.ts';
import { isAlone } from './session.ts';

// Files that are opened without a folder: the repository that one is in counts as the workspace, as for `check FILE`.

/** Reads the repository that a file is in, if it was opened alone. Without trust nothing beside it is read. */
export async function readAround(context: Context, uri: string): Promise<void> {
  const { session, host } = context;
  if (!session.trusted || !host.disk || !isAlone(session, uri)) return;
  const reading = lookAround(context, uri);
  const loaded = Promise.allSettled([session.loaded, reading]);
  session.loaded = loaded.then(() => {});
  return await reading;
}

async function lookAround(context: Context, uri: string): Promise<void> {
  const { session, files } = context;
  // Nothing is said to be missing that may be there.
  session.looking++;
  const root = await rootAround(files, folderOf(uri)).finally(() => session.looking--);
  const isStillAlone = isAlone(session, uri);
  if (root !== undefined && isStillAlone) return await take(context, root);
  if (isStillAlone) context.connection.console.info(`${uri}: ${judgedAlone}`);
  lookForKinds(context, uri);
}

async function take(context: Context, root: string): Promise<void> {
  const { session } = context;
  // The repository of a file that was closed is not read again.
  const used = session.around.filter((folder) => [...session.documents.keys()].some((uri) => isInside(uri, folder)));
  session.around = [...used, root];
  session.folders = session.around;
  watchAround(context, root);
  await loadWorkspace(context);
}

/** The nearest folder upwards that is a repository, or says how it is to be judged. */
async function rootAround(files: Files, folder: string): Promise<string | undefined> {
  const marks = [configName, '.git'];
  for (const at of withFolders(folder))
    if ((await files.entries(at, marks)).some(({ name }) => marks.includes(name))) return at;
  return undefined;
}
