import type { ExecuteCommandParams } from 'vscode-languageserver';
import { append } from '../base/append.ts';
import { counted } from '../base/text.ts';
import { type CrdFetcher, type FetchedCrd, FetchFailure, type Update } from '../workspace/fetcher.ts';
import { isAddress } from '../workspace/files.ts';
import { type Absent, keyOfWanted, namesKind, type WantedKind, wantedKind, wantedOf } from '../workspace/kinds.ts';
import { kindsToLookUp } from '../workspace/lookUp.ts';
import { settingsFor, withoutBroughtIn } from '../workspace/snapshot.ts';
import { type FetchSource, kindOf, type LockRow, lockName, sourceText } from '../workspace/sources/lock.ts';
import { chartsNamed, isLock, withVersionNow } from '../workspace/sources/places.ts';
import { publicCatalogue } from '../workspace/sources/published.ts';
import { shownUri } from '../workspace/sources/shown.ts';
import { folderOf, isInside } from '../workspace/uri.ts';
import { asked, type Choice, picked, tell, typed, withProgress } from './asking.ts';
import { checkAllLater, objects } from './checkWorkspace.ts';
import { chosenContext } from './clusters.ts';
import type { Context } from './context.ts';
import { learnKinds } from './kinds.ts';
import { MessageType } from './library.ts';
import { fetchCommand, updateCommand } from './protocol.ts';
import { lookForKinds, refresh } from './reporting.ts';
import { filesThat, reload, renewLibrary } from './session.ts';

// Commands that bring CRDs in. They are the only way to the network and to other programs than git, they are the user's
// own, and each says what it will do before it does it.

/** What a fix asks for: a source, or one of a kind that the user is to choose. */
type Asked = FetchSource | { readonly from: 'cluster' } | AllMissing | undefined;

/** The CRDs of all kinds that have none, from wherever the user chooses. */
interface AllMissing {
  readonly from: 'missing';
}

export async function executeFetch(context: Context, { command, arguments: args = [] }: ExecuteCommandParams) {
  const { host, session } = context;
  const run = new Map([
    [fetchCommand, fetchCrds],
    [updateCommand, updateCrds],
  ]).get(command);
  if (!run) return null;
  const fails = (why: string) => tell(context, MessageType.Error, why);
  if (!host.fetcher) fails('CRDs cannot be fetched here: that takes a machine to run programs on.');
  else if (!session.trusted) fails('CRDs are fetched only in a workspace that you trust.');
  else {
    const [asked, uri] = args as readonly unknown[];
    const work = run(context, host.fetcher, readAsked(asked), typeof uri === 'string' ? uri : undefined);
    await work.catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      if (why !== cancelledText) fails(`No CRDs were fetched: ${why}.`);
      if (!(error instanceof FetchFailure)) throw error;
    });
  }
  return null;
}

/** What a fetch says that the user has ended. */
const cancelledText = 'cancelled';

/** A client sends back what it was given, but anybody may send anything. */
function readAsked(sent: unknown): Asked {
  if (typeof sent !== 'object' || sent === null) return undefined;
  const text = (name: string) => {
    const value = (sent as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? value : '';
  };
  const [from, url, context] = [text('from'), text('url'), text('context')];
  if (from === 'missing') return { from };
  if (from === 'cluster') return context === '' ? { from } : { from, context };
  if (from === 'url' || from === 'catalogue') return { from, url };
  const [chart, repository, version] = [text('chart'), text('repository'), text('version')];
  return from === 'chart' ? { from, chart, repository, version } : undefined;
}

async function fetchCrds(context: Context, fetcher: CrdFetcher, asked: Asked, uri: string | undefined): Promise<void> {
  if (asked?.from === 'missing') return await fetchAllMissing(context, fetcher, uri);
  const source = await chosenSource(context, fetcher, asked);
  const place = source && (await chosenPlace(context, sourceText(source), uri));
  if (!source || !place) return;
  const found = await withProgress(context, `Fetching CRDs from ${sourceText(source)}`, async (tools) => {
    const used = await usedKinds(context);
    const crds = await fetcher.fetch(source, used, tools);
    await fetcher.keep(crds, source, undefined);
    const saved = ofKinds(crds, used);
    if (place.folder !== undefined) await fetcher.keep(saved, source, place.folder);
    return { crds, used: saved.length };
  });
  await takeInFetched(context, place.folder);
  const { crds, used } = found;
  const saved = place.folder === undefined ? '' : ` What is used is in .kube-crd now, noted in ${lockName}.`;
  tell(
    context,
    MessageType.Info,
    `Fetched from ${sourceText(source)}: ${counted(crds.length, 'CRD')}, of which ${used} used here.${saved}`,
  );
}

async function fetchAllMissing(context: Context, fetcher: CrdFetcher, uri: string | undefined): Promise<void> {
  const missing = await withProgress(context, 'Looking for kinds without a CRD', () => missingKinds(context));
  if (missing.size === 0) return tell(context, MessageType.Info, 'All kinds that are used here have a CRD.');
  const sources = await sourcesOfMissing(context, fetcher, missing);
  const place = sources && (await chosenPlace(context, sources.map(sourceText).join(', '), uri));
  if (!sources || !place) return;
  const title = `Fetching the CRDs of ${counted(missing.size, 'kind')}`;
  const { brought, left, failures } = await withProgress(context, title, async (tools) => {
    const found = await fetcher.missing(sources, [...missing.keys()].map(wantedOf), tools);
    for (const { crds, source } of found.brought) await fetcher.keep(crds, source, place.folder);
    return found;
  });
  await takeInFetched(context, place.folder);
  for (const failure of failures) context.connection.console.warn(failure);
  const fetched = brought.reduce((sum, { crds }) => sum + crds.length, 0);
  const rest =
    left.length === 0 ? '' : ` ${counted(left.length, 'kind')} still without: ${firstFew(left.map(kindOf))}.`;
  const why = failures.length === 0 ? '' : ` ${failures[0]}${failures.length > 1 ? ' (the log has more)' : ''}.`;
  const type = failures.length === 0 ? MessageType.Info : MessageType.Warning;
  tell(context, type, `${counted(fetched, 'CRD')} fetched.${rest}${why}`);
}

function firstFew(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
}

/** The kinds of all files that nothing on this machine defines, by their keys, with what may hold their CRDs. */
async function missingKinds(context: Context): Promise<Map<string, readonly Absent[]>> {
  const { session, files } = context;
  const missing = new Map<string, readonly Absent[]>();
  for await (const file of filesThat(session, files, (text) => objects.test(text))) {
    if (file.template) continue;
    await learnKinds(context, [file]);
    const { knownKinds } = settingsFor(session.snapshot, file.uri);
    for (const wanted of file.manifests.flatMap((manifest) => wantedKind(manifest) ?? [])) {
      const absent = session.snapshot.missing.get(keyOfWanted(wanted));
      if (absent && !namesKind(knownKinds, wanted.group, wanted.kind)) missing.set(keyOfWanted(wanted), absent);
    }
  }
  return missing;
}

async function sourcesOfMissing(
  context: Context,
  fetcher: CrdFetcher,
  missing: ReadonlyMap<string, readonly Absent[]>,
): Promise<readonly FetchSource[] | undefined> {
  const named = [...missing.values()].flatMap((all) => all.flatMap(({ fetch }) => fetch ?? []));
  const charts = [...new Map(named.map((one) => [JSON.stringify(one), one])).values()];
  const open: FetchSource = { from: 'catalogue', url: publicCatalogue };
  const own = cataloguesIn(context).map((url) => ({ from: 'catalogue', url }) as const);
  const cluster = async () => {
    const source = await chosenCluster(context, fetcher);
    return source && [source];
  };
  const fromCharts = `The ${counted(charts.length, 'chart')} that files here name`;
  const rows: Choice<readonly FetchSource[] | undefined>[] = [
    ...(charts.length > 0
      ? [
          { label: fromCharts, detail: firstFew(charts.map(sourceText)), gives: () => charts },
          {
            label: `${fromCharts}, then the public catalogue`,
            detail: publicCatalogue,
            gives: () => [...charts, open],
          },
        ]
      : []),
    { label: 'A cluster…', detail: 'Through your kubectl', gives: cluster },
    ...own.map((source) => ({ label: sourceText(source), gives: () => [source] })),
    { label: 'The public catalogue', detail: `${publicCatalogue} is told the names of the kinds`, gives: () => [open] },
  ];
  const kinds = firstFew([...missing.keys()].map((key) => kindOf(wantedOf(key))).sort());
  return picked(context, `Fetch the CRDs of ${kinds} from`, rows);
}

function cataloguesIn({ session }: Context): string[] {
  const { all, folders } = session.snapshot.settings;
  return [...new Set([all, ...folders.values()].flatMap(({ crds }) => crds.filter(isAddress)))];
}

function ofKinds(crds: readonly FetchedCrd[], used: readonly WantedKind[]): FetchedCrd[] {
  const names = new Set(used.map(kindOf));
  return crds.filter((crd) => names.has(kindOf(crd)));
}

/** Everything is looked for again, now that there is more. Not every client tells of a lock file that has come. */
async function takeInFetched(context: Context, folder: string | undefined): Promise<void> {
  if (folder === undefined) renewLibrary(context.session, context.files);
  else await reload(context.session, context.files, [`${folder}/${lockName}`]);
  lookForKinds(context);
  refresh(context);
  checkAllLater(context);
}

async function chosenSource(
  context: Context,
  fetcher: CrdFetcher,
  asked: Exclude<Asked, AllMissing>,
): Promise<FetchSource | undefined> {
  if (asked) return asked.from === 'cluster' && !('context' in asked) ? chosenCluster(context, fetcher) : asked;
  const { session, files, client } = context;
  const direct: FetchSource[] = [
    ...(await chartsNamed(files, session.leads)),
    ...[...cataloguesIn(context), publicCatalogue].map((url) => ({ from: 'catalogue', url }) as const),
  ];
  const rows: Choice<FetchSource | undefined>[] = [
    { label: 'A cluster…', detail: 'Through your kubectl', gives: () => chosenCluster(context, fetcher) },
    ...direct.map((source) => ({ label: sourceText(source), gives: () => source })),
  ];
  if (client.options.picks) {
    const address = async (from: 'url' | 'catalogue', example: string) => {
      const url = await typed(context, 'Its address', example);
      return url === undefined ? undefined : { from, url };
    };
    const url = () => address('url', 'https://example.com/crds.yaml');
    const catalogue = () => address('catalogue', 'https://example.com/catalogue');
    rows.push(
      { label: 'A file…', detail: 'CRDs in YAML or JSON, or a chart archive, over https', gives: url },
      { label: 'A catalogue…', detail: 'JSON schemas as {group}/{kind}_{version}.json, over https', gives: catalogue },
    );
  }
  return picked(context, 'Fetch CRDs from', rows);
}

async function chosenCluster(context: Context, fetcher: CrdFetcher): Promise<FetchSource | undefined> {
  const chosen = await chosenContext(context, fetcher, 'Fetch the CRDs of which cluster?', fetcher.clusterCommand);
  return chosen === undefined ? undefined : { from: 'cluster', context: chosen };
}

interface KeepIn {
  /** The folder of the workspace that gets them as well. */
  readonly folder: string | undefined;
}

/** Where a user keeps what is fetched: asked for in a workspace on disk only. */
async function chosenPlace(context: Context, from: string, uri: string | undefined): Promise<KeepIn | undefined> {
  const folder = folderFor(context, uri);
  if (folder === undefined) return { folder };
  return picked<KeepIn | undefined>(context, `Keep the CRDs of ${from}`, [
    { label: 'On this machine', detail: 'In your cache, for all workspaces', gives: () => ({ folder: undefined }) },
    {
      label: 'In this workspace too',
      detail: `In .kube-crd, noted in ${lockName}, to be committed`,
      gives: () => ({ folder }),
    },
  ]);
}

/** The folder with the lock file that counts for a file, or that would get one. */
function folderFor({ session: { folders, leads } }: Context, uri: string | undefined): string | undefined {
  const root = folders.find((folder) => uri !== undefined && isInside(uri, folder)) ?? folders[0];
  const at = uri ?? `${root}/`;
  const around = leads.workspace
    .filter(isLock)
    .map(folderOf)
    .filter((folder) => isInside(at, folder));
  const [nearest = root] = around.sort((a, b) => b.length - a.length);
  return nearest?.startsWith('file:') ? nearest : undefined;
}

/** The kinds of the workspace's resources that the workspace itself does not define. */
async function usedKinds({ session, files }: Context): Promise<WantedKind[]> {
  const own = withoutBroughtIn(session.snapshot);
  const used: WantedKind[] = [];
  for await (const file of filesThat(session, files, (text) => objects.test(text)))
    append(used, kindsToLookUp(own, file));
  return [...new Map(used.map((one) => [`${kindOf(one)}/${one.version}`, one])).values()];
}

async function updateCrds(context: Context, fetcher: CrdFetcher, _: Asked, uri: string | undefined): Promise<void> {
  const own = folderFor(context, uri);
  const locked = own === undefined ? [] : await fetcher.rows(own);
  const folder = locked.length > 0 ? own : undefined;
  const rows = locked.length > 0 ? locked : await fetcher.rows(undefined);
  if (rows.length === 0) throw new FetchFailure('nothing was fetched before');
  // Anybody may have written the lock file of a workspace.
  if (folder !== undefined && !(await mayBeAsked(context, rows))) return;
  const { updates, failures } = await withProgress(context, 'Asking for changes of the fetched CRDs', async (tools) => {
    const charts = await chartsNamed(context.files, context.session.leads);
    return fetcher.updates(rows, (source) => withVersionNow(source, charts), folder, tools);
  });
  for (const failure of failures) tell(context, MessageType.Warning, failure);
  const changed = updates.filter(({ changes }) => changes.length > 0);
  if (changed.length > 0 && !(await isWanted(context, changed))) return;
  await fetcher.takeIn(updates, folder);
  await takeInFetched(context, folder);
  tell(
    context,
    MessageType.Info,
    changed.length === 0
      ? 'None of the fetched CRDs has changed.'
      : `${changed.filter(({ crd }) => crd).length} of ${counted(updates.length, 'CRD')} updated.`,
  );
}

/** Shows which sources a lock file names: what would be asked, and through which programs. */
async function mayBeAsked(context: Context, rows: readonly LockRow[]): Promise<boolean> {
  const sources = [...new Set(rows.map(({ source }) => sourceText(source)))];
  const more = sources.length > 5 ? ` and ${sources.length - 5} more` : '';
  const question = `Ask again what ${lockName} names: ${sources.slice(0, 5).join(', ')}${more}?`;
  return (await asked(context, question, 'Ask')) === 'Ask';
}

/** Shows what is different, and asks whether to take it in. */
async function isWanted(context: Context, changed: readonly Update[]): Promise<boolean> {
  const { connection, session } = context;
  const kinds = changed.map(({ row }) => row.kind);
  const names = kinds.length > 5 ? `${kinds.slice(0, 5).join(', ')} and ${kinds.length - 5} more` : kinds.join(', ');
  const [take, show] = ['Update', 'Show changes'];
  for (;;) {
    const question = `${changed.length === 1 ? 'A CRD has' : `${changed.length} CRDs have`} changed: ${names}.`;
    const answer = await asked(context, question, take, show);
    if (answer !== show) return answer === take;
    const text = changed.flatMap(({ row, source, changes }) => [
      `# ${kindOf(row)}, ${sourceText(source)}`,
      ...changes,
      '',
    ]);
    session.changes = { uri: shownUri(`${++session.results}`, 'changes-of-crds.diff'), text: text.join('\n') };
    if (context.client.options.shown) await connection.window.showDocument({ uri: session.changes.uri });
    else connection.console.info(session.changes.text);
  }
}
