import { builtinOf, needsBuiltin, noBuiltin } from '../workspace/builtin.ts';
import { madeOfBuilds } from '../workspace/kustomizations/builds.ts';
import { madeOfCharts } from '../workspace/languages/chart.ts';
import { kindsToLookUp, lookUp, withLookedUp } from '../workspace/lookUp.ts';
import type { DataFile } from '../workspace/packaged.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import type { Context } from './context.ts';
import { isLoading, type Session } from './session.ts';

/** Looks for the kinds of files that nothing defines. Says whether more is known now, or sure to be unknown. */
export async function learnKinds(context: Context, files: readonly SourceFile[]): Promise<boolean> {
  const { session } = context;
  const { library } = session;
  const isRead = await learnBuiltin(context, files);
  const wanted = files.flatMap((file) => kindsToLookUp(session.snapshot, file));
  if (wanted.length === 0) return isRead;
  const found = await lookUp(library, wanted, (name) => dataOf(context, name));
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

const whatIsIn: Readonly<Record<DataFile, string>> = {
  'builtinKinds.json.gz': 'the built-in kinds',
  'crdSources.json.gz': 'where CRDs are published',
  'crossplane.json.gz': "Crossplane's CRD of definitions",
  'kro.json.gz': "kro's CRD of definitions",
  'goLibrary.json.gz': 'the types that come with Go',
};

/** The text of a file of server/data; undefined where it is not there, or cannot be read. */
export async function dataOf({ client, host, files, log }: Context, name: DataFile): Promise<string | undefined> {
  try {
    return await host.data(name, files, client.options.data);
  } catch (error) {
    log(`reading ${whatIsIn[name]}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Reads the file of built-in kinds, unless it was read. */
export async function readBuiltin(context: Context): Promise<boolean> {
  const { session } = context;
  if (session.snapshot.builtin) return false;
  const text = await dataOf(context, 'builtinKinds.json.gz');
  const builtin = text === undefined ? noBuiltin : builtinOf(text);
  session.snapshot = { ...session.snapshot, builtin };
  return true;
}

/**
 * The same for an open file, or all of them, one search at a time; `learned` is called after each that gave something.
 */
export function learnOpenKinds(context: Context, learned: () => void, uri?: string): void {
  const { session } = context;
  if (uri === undefined) session.unlearned = 'all';
  else if (session.unlearned !== 'all') session.unlearned.add(uri);
  if (isLoading(session) || session.learning) return;
  const learn = async () => {
    // What was typed meanwhile is looked for in turn, and everything again where the sources are others by now.
    for (let { library } = session; ; library = session.library) {
      const files = takeUnlearned(session);
      if (await learnKinds(context, files)) learned();
      if (session.library !== library) session.unlearned = 'all';
      if (session.unlearned !== 'all' && session.unlearned.size === 0) return;
    }
  };
  session.learning = learn()
    .catch((error: Error) => context.log(`looking for kinds: ${error.stack ?? error.message}`))
    .finally(() => {
      session.learning = undefined;
    });
}

/** The open files whose kinds are to be looked for. */
function takeUnlearned(session: Session): SourceFile[] {
  const { unlearned, snapshot } = session;
  session.unlearned = new Set();
  const uris = unlearned === 'all' ? snapshot.open.keys() : unlearned;
  return [...uris].flatMap((uri) =>
    [snapshot.open.get(uri) ?? [], madeOfCharts(snapshot, uri), madeOfBuilds(snapshot, uri)].flat(),
  );
}

/** How long an answer waits for a search: local sources answer in less, and if not, the answer comes again. */
const patience = 400;

/** Resolves when the kinds of open files are looked up, or that takes too long. */
export async function kindsSettled({ session, host }: Context): Promise<void> {
  const { learning } = session;
  if (!learning) return;
  const name = `wait for kinds ${session.waits++}`;
  await Promise.race([learning, new Promise<void>((resolve) => host.debounce(name, patience, resolve))]);
}
