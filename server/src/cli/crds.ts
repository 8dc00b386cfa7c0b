import { fileURLToPath } from 'node:url';
import { append } from '../base/append.ts';
import { printable } from '../base/printable.ts';
import { fetchCrds } from '../fetch/fetch.ts';
import { type Keep, keep, readLock } from '../fetch/store.ts';
import { restore, takeIn, updatesOf } from '../fetch/update.ts';
import { type FetchedCrd, FetchFailure, type FetchTools, type Update } from '../workspace/fetcher.ts';
import { namesKind, type WantedKind } from '../workspace/kinds.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { loadWorkspace, withLoaded } from '../workspace/loader.ts';
import { kindsToLookUp } from '../workspace/lookUp.ts';
import { emptySnapshot } from '../workspace/snapshot.ts';
import { type FetchSource, kindOf, lockName, sourceText } from '../workspace/sources/lock.ts';
import { nodeFiles } from '../workspace/sources/nodeFiles.ts';
import { chartsNamed, withVersionNow } from '../workspace/sources/places.ts';
import { folderOf } from '../workspace/uri.ts';
import { leadsAround, localCaches } from './caches.ts';
import { expandAll, namedSources, readable } from './inputs.ts';
import { complain } from './report.ts';

export interface CrdsOptions {
  readonly cluster: string | undefined;
  readonly url: string | undefined;
  readonly catalogue: string | undefined;
  /** NAME or NAME@VERSION. */
  readonly chart: string | undefined;
  readonly repo: string | undefined;
  readonly caFile: string | undefined;
  /** Globs of `group/Kind`. */
  readonly kinds: readonly string[];
  /** Into the folder that this runs in as well. */
  readonly save: boolean;
  readonly locked: boolean;
  readonly dryRun: boolean;
}

/** `crds fetch` and `crds update`; gives the exit code. */
export async function crds(words: readonly string[], options: CrdsOptions): Promise<number> {
  const [what, ...more] = words;
  const command = new Map([
    ['fetch', options.locked ? fetchLocked : fetch],
    ['update', update],
  ]).get(what ?? '');
  if (!command || more.length > 0) throw new Error('crds takes one of: fetch, update');
  const ended = new AbortController();
  const end = () => ended.abort();
  process.once('SIGINT', end);
  try {
    const say = (line: string) => complain(printable(line));
    const network = options.caFile === undefined ? {} : { caFile: options.caFile };
    return await command(options, { signal: ended.signal, network, say });
  } finally {
    process.off('SIGINT', end);
  }
}

async function fetch(options: CrdsOptions, tools: FetchTools): Promise<number> {
  const workspace = await here();
  const source = sourceOf(options, workspace.charts);
  const used = workspace.used.filter((kind) => isAsked(kind, options));
  const found = (await fetchCrds(source, used, tools)).filter((crd) => isAsked(crd, options));
  await keep(found, source, placeFor(false));
  print(`${counted(found.length, 'CRD')} fetched from ${sourceText(source)}`);
  if (!options.save) return found.length === 0 ? 1 : 0;
  const saved = options.kinds.length > 0 ? found : ofKinds(found, used);
  await keep(saved, source, placeFor(true));
  const unused = saved.length === 0 ? '; nothing here is of their kinds, and --kind names others' : '';
  print(`${counted(saved.length, 'CRD')} saved in .kube-crd${unused}`);
  return saved.length === 0 ? 1 : 0;
}

async function fetchLocked(_: CrdsOptions, tools: FetchTools): Promise<number> {
  const keep = placeFor(true);
  const rows = await readLock(keep.workspace!);
  if (rows.length === 0) throw new FetchFailure('there is no kube-crd.lock here that names any CRD');
  const brought = await restore(rows, keep, tools);
  print(`${counted(rows.length, 'CRD')} of ${lockName}: ${brought} fetched, ${rows.length - brought} here already`);
  return 0;
}

async function update({ dryRun }: CrdsOptions, tools: FetchTools): Promise<number> {
  const own = placeFor(true);
  const locked = await readLock(own.workspace!);
  const where = locked.length > 0 ? own : placeFor(false);
  const rows = locked.length > 0 ? locked : await readLock(where.cache);
  if (rows.length === 0) throw new FetchFailure('nothing was fetched yet');
  const { charts } = await here();
  const { updates, failures } = await updatesOf(rows, (source) => withVersionNow(source, charts), where, tools);
  for (const one of updates) printUpdate(one);
  for (const failure of failures) complain(printable(failure));
  if (!dryRun) await takeIn(updates, where);
  const changed = updates.filter(({ changes }) => changes.length > 0).length;
  print(`${changed} of ${counted(updates.length, 'CRD')} ${dryRun ? 'would change' : 'changed'}`);
  return failures.length > 0 ? 2 : 0;
}

function printUpdate({ row, source, changes }: Update): void {
  if (changes.length === 0) return;
  print(`${kindOf(row)}, ${sourceText(source)}`);
  for (const line of changes) print(`  ${line}`);
}

/** Where things are kept: in the user's cache, and in the folder with the lock file around this one, or this one. */
function placeFor(workspace: boolean): Keep {
  const { fetched } = localCaches();
  if (fetched === undefined) throw new FetchFailure('the folder of the cache has to be an absolute path');
  const cache = fileURLToPath(fetched);
  if (!workspace) return { cache };
  const lock = leadsAround(process.cwd()).find((uri) => uri.endsWith(`/${lockName}`));
  return { cache, workspace: lock === undefined ? process.cwd() : fileURLToPath(folderOf(lock)) };
}

/** What is used below this folder and not defined there, and the charts that are named. */
async function here(): Promise<{ used: WantedKind[]; charts: Awaited<ReturnType<typeof chartsNamed>> }> {
  const listing = await expandAll(['.']).catch(() => undefined);
  if (!listing) return { used: [], charts: [] };
  const options = { limits: defaultLimits, cancelled: () => false };
  const loaded = await loadWorkspace(nodeFiles, { own: [listing], named: [] }, options);
  const snapshot = withLoaded(emptySnapshot, loaded);
  const used: WantedKind[] = [];
  for await (const file of readable(namedSources(listing.uris), () => {})) append(used, kindsToLookUp(snapshot, file));
  return { used, charts: await chartsNamed(nodeFiles, loaded.leads) };
}

function sourceOf(options: CrdsOptions, charts: readonly FetchSource[]): FetchSource {
  const { cluster, url, catalogue, chart } = options;
  const sources: FetchSource[] = [
    ...(cluster === undefined ? [] : [{ from: 'cluster', context: cluster } as const]),
    ...(url === undefined ? [] : [{ from: 'url', url } as const]),
    ...(catalogue === undefined ? [] : [{ from: 'catalogue', url: catalogue } as const]),
    ...(chart === undefined ? [] : [chartNamed(chart, options.repo, charts)]),
  ];
  const [source, ...more] = sources;
  if (!source || more.length > 0) throw new Error('crds fetch takes one of --cluster, --chart, --url and --catalogue');
  return source;
}

/** What the command line leaves out, the workspace may tell. */
function chartNamed(text: string, repo: string | undefined, charts: readonly FetchSource[]): FetchSource {
  const [, chart = '', given] = /^([^@]*)(?:@(.+))?$/.exec(text) ?? [];
  const named = charts.flatMap((one) => (one.from === 'chart' && one.chart === chart ? [one] : []));
  const version = given ?? named[0]?.version;
  const repository = repo ?? (named.find((one) => one.version === version) ?? named[0])?.repository;
  if (version === undefined) throw new Error(`nothing here names a version of ${chart}: --chart ${chart}@VERSION`);
  if (repository === undefined) throw new Error(`nothing here says where ${chart} is fetched from: --repo URL`);
  return { from: 'chart', chart, repository, version };
}

type Kind = Pick<WantedKind, 'group' | 'kind'>;

const isAsked = ({ group, kind }: Kind, { kinds }: CrdsOptions) => kinds.length === 0 || namesKind(kinds, group, kind);

function ofKinds(crds: readonly FetchedCrd[], used: readonly Kind[]): FetchedCrd[] {
  const names = new Set(used.map(kindOf));
  return crds.filter((crd) => names.has(kindOf(crd)));
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

function print(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}
