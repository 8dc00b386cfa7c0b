import { append } from '../base/append.ts';
import { changesAgainstBaseline, type Placed, resourcesOf } from '../features/crdChanges.ts';
import { decode, isInside } from '../workspace/uri.ts';
import { lookUpBaseline } from './baselines.ts';
import type { Context } from './context.ts';
import { filesUsing } from './handlers.ts';
import type { Changes } from './protocol.ts';

/** What changes in the CRDs of a file since the commit, with what becomes of the workspace's resources. */
export async function answerChanges(context: Context, { uri }: Changes): Promise<string | null> {
  await context.session.loaded;
  lookUpBaseline(context, uri);
  await context.baselines?.pending.get(uri);
  const { session } = context;
  const known = [...session.snapshot.definitions.values()].flat().filter(({ file }) => file.uri === uri);
  const resources: Placed[] = [];
  for (const definition of known) {
    const wanted = { definition, field: undefined, version: undefined };
    for await (const file of filesUsing(context, wanted)) append(resources, resourcesOf(file, definition));
  }
  return changesAgainstBaseline(session.snapshot, uri, resources, nameIn(session.folders)) ?? null;
}

/** What a file is called in its folder. */
const nameIn = (folders: readonly string[]) => (uri: string) => {
  const folder = folders.find((one) => isInside(uri, one));
  return decode(folder === undefined ? uri : uri.slice(folder.length).replace(/^\//, ''));
};
