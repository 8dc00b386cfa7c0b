import type { Baseline } from '../workspace/baseline/baseline.ts';
import { baselineReader, covers } from '../workspace/baseline/load.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { settingsFor, withBaseline } from '../workspace/snapshot.ts';
import type { BaselineEvents, Baselines, Context } from './context.ts';
import { movedPause, publishPause } from './debounce.ts';

/** Begins to follow version control, where there is one and the user trusts the workspace. */
export function followBaselines(context: Context, { changed, complained }: BaselineEvents): void {
  const { host, session } = context;
  if (!host.history || !session.trusted || context.baselines) return;
  const history = host.history();
  const reader = baselineReader(history, context.files, defaultLimits, (repository) =>
    repository.onMoved(() => host.debounce('moved', movedPause, () => lookUpBaselines(context, 'again'))),
  );
  const close = () => history.close();
  context.baselines = { reader, turn: 0, looked: new Map(), pending: new Map(), waits: 0, changed, complained, close };
}

/** Looks up what is missing of the open files; with `again`, all of it. */
export function lookUpBaselines(context: Context, again?: 'again'): void {
  if (!context.baselines) return;
  if (again) {
    context.baselines.turn++;
    context.baselines.reader.forget();
  }
  for (const uri of context.session.snapshot.open.keys()) lookUpBaseline(context, uri);
}

/** While a name is typed, every key would ask for another object. */
export function lookUpBaselineLater(context: Context, uri: string): void {
  if (isMissing(context, uri))
    context.host.debounce(`baseline ${uri}`, publishPause, () => lookUpBaseline(context, uri));
}

export function lookUpBaseline(context: Context, uri: string): void {
  const { baselines } = context;
  if (!baselines || baselines.pending.has(uri) || !isMissing(context, uri)) return;
  const look = lookUp(context, baselines, uri)
    .catch((error: Error) => context.log(`baseline of ${uri}: ${error.message}`))
    .finally(() => baselines.pending.delete(uri));
  baselines.pending.set(uri, look);
}

function isMissing({ baselines, session: { snapshot } }: Context, uri: string): boolean {
  const file = snapshot.open.get(uri);
  if (!baselines || !file) return false;
  return (
    baselines.looked.get(uri) !== baselines.turn || !covers(snapshot.baselines.get(uri), file, snapshot.definitions)
  );
}

/** A ref that was mistyped or not fetched would look like files without mistakes. */
function complain({ session }: Context, { complained }: Baselines, { ref, unknownRef }: Baseline): void {
  const complaint = `kubeCrd.baseline: git knows no commit ${ref}`;
  const others = session.complaints.filter((one) => one !== complaint);
  if (unknownRef === others.length < session.complaints.length) return;
  session.complaints = unknownRef ? [...others, complaint] : others;
  complained();
}

async function lookUp(context: Context, baselines: Baselines, uri: string): Promise<void> {
  const { session } = context;
  // What was typed or committed meanwhile is looked up in turn.
  while (isMissing(context, uri)) {
    const { snapshot } = session;
    const { turn } = baselines;
    const before = snapshot.baselines.get(uri);
    const { baseline } = settingsFor(snapshot, uri);
    const found = await baselines.reader.load(snapshot.open.get(uri)!, baseline, snapshot.definitions, before);
    baselines.looked.set(uri, turn);
    if (!session.snapshot.open.has(uri)) return;
    session.snapshot = withBaseline(session.snapshot, uri, found);
    complain(context, baselines, found);
    const changed = [...found.objects].some(([key, object]) => object !== before?.objects.get(key));
    if (changed || found.renamed?.size !== (before?.renamed?.size ?? 0)) baselines.changed();
  }
}

/** How long an answer waits for a look that is under way: git answers in less, and if not, the answer comes again. */
const patience = 400;

/** Resolves when the file's baseline is known, or takes too long. */
export async function baselineSettled({ baselines, host }: Context, uri: string): Promise<void> {
  const pending = baselines?.pending.get(uri);
  if (!baselines || !pending) return;
  const name = `wait ${baselines.waits++}`;
  await Promise.race([pending, new Promise<void>((resolve) => host.debounce(name, patience, resolve))]);
}
