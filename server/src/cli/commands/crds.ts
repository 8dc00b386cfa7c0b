import { fileURLToPath } from 'node:url';
import { append } from '../../base/append.ts';
import { counted } from '../../base/text.ts';
import { fetchCrds } from '../../fetch/fetch.ts';
import { type Keep, keep, readLock } from '../../fetch/store.ts';
import { restore, takeIn, updatesOf } from '../../fetch/update.ts';
import { type FetchedCrd, FetchFailure, type FetchTools, type Update } from '../../workspace/fetcher.ts';
import { namesKind, type WantedKind } from '../../workspace/kinds.ts';
import { defaultLimits } from '../../workspace/limits.ts';
import { loadWorkspace, withLoaded } from '../../workspace/loader.ts';
import { kindsToLookUp } from '../../workspace/lookUp.ts';
import { emptySnapshot } from '../../workspace/snapshot.ts';
import { type FetchSource, kindOf, lockName, sourceText } from '../../workspace/sources/lock.ts';
import { promptFiles } from '../../workspace/sources/nodeFiles.ts';
import { chartsNamed, withVersionNow } from '../../workspace/sources/places.ts';
import { folderOf } from '../../workspace/uri.ts';
import { leadsAround, localCaches } from '../caches.ts';
import { expandAll, namedSources, readable } from '../inputs.ts';
import { interruptible } from '../interruptible.ts';
import { catalogueNamed, missingCrds } from '../missing.ts';
import { command } from '../table/command.ts';
import { flag, text, texts } from '../table/option.ts';
import { complain, print } from '../terminal.ts';

interface CrdsOptions {
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
  readonly missing: boolean;
  /** The charts that files here name, for what is missing. */
  readonly charts: boolean;
  readonly locked: boolean;
  readonly dryRun: boolean;
}

/** `crds fetch` and `crds update`; gives the exit code. */
async function crds(words: readonly string[], options: CrdsOptions): Promise<number> {
  const [what, ...more] = words;
  const command = new Map([
    ['fetch', options.locked ? fetchLocked : fetch],
    ['update', update],
  ]).get(what ?? '');
  if (!command || more.length > 0) throw new Error('crds takes one of: fetch, update');
  const say = (line: string) => complain(line);
  const network = options.caFile === undefined ? {} : { caFile: options.caFile };
  const catalogue = options.catalogue === undefined ? undefined : catalogueNamed(options.catalogue);
  return interruptible((signal) => command({ ...options, catalogue }, { signal, network, say }));
}

async function fetch(options: CrdsOptions, tools: FetchTools): Promise<number> {
  if (options.missing) return fetchAllMissing(options, tools);
  if (options.charts) throw new Error('--charts goes with --missing; --chart NAME fetches one');
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

function fetchAllMissing({ save, catalogue, url, chart, ...options }: CrdsOptions, tools: FetchTools): Promise<number> {
  if (url !== undefined || chart !== undefined)
    throw new Error('--missing takes --charts, --cluster and --catalogue, alone or together');
  return missingCrds({ ...options, catalogue }, tools, {
    cache: placeFor(false),
    save: save ? placeFor(true) : undefined,
  });
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
  for (const failure of failures) complain(failure);
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
  const loaded = await loadWorkspace(promptFiles, { own: [listing], named: [] }, options);
  const snapshot = withLoaded(emptySnapshot, loaded);
  const used: WantedKind[] = [];
  for await (const file of readable(namedSources(listing.uris), () => {})) append(used, kindsToLookUp(snapshot, file));
  return { used, charts: await chartsNamed(promptFiles, loaded.leads) };
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
export const crdsCommand = command({
  name: 'crds',
  about: 'fetches CRDs from a cluster, a chart or the network, for kinds that nothing here defines',
  inShort:
    'fetches CRDs of kinds that you only use, from a cluster, a chart or the network, and updates them; [docs/crds.md](crds.md)',
  takes: 'fetch|update',
  explains: `Fetches CRDs into your cache, where kinds that nothing nearer defines are looked for. Nothing else uses the network.

fetch takes one of --cluster, --chart, --url, --catalogue and --locked. With --missing it fetches the CRDs of all kinds that \
are used here and have none, from --charts, --cluster and --catalogue, in this order, and says what these could be where none \
of them is given. update asks all sources again, and prints what is different.`,
  options: {
    cluster: text('CONTEXT', 'a cluster, through your kubectl: kubectl config get-contexts lists the names'),
    chart: text(
      'NAME@VERSION',
      `a Helm chart, through your helm if there is one; the version and --repo may be left out where a file here names them, such as a HelmRelease, an Application or a Chart.lock`,
    ),
    repo: text('URL', "the chart's repository"),
    url: text('URL', 'a file of CRDs or a chart archive, over https'),
    catalogue: text(
      'URL',
      'JSON schemas as URL/{group}/{kind}_{version}.json, for the kinds that are used here; public is that of datreeio/CRDs-catalog on GitHub',
    ),
    missing: flag('the CRDs of all kinds that are used here and have none; alone, it lists them and asks nobody'),
    charts: flag('with --missing: from the charts that files here name with a version'),
    locked: flag('what kube-crd.lock names and is not here; fails where a source has something else by now'),
    kind: texts('GLOB', "only kinds such as 'cert-manager.io/*'"),
    save: flag('also into .kube-crd here, noted in kube-crd.lock: without --kind, the kinds that are used here'),
    dryRun: flag('with update: change nothing'),
    caFile: text('FILE', 'certificates that are trusted too; HTTPS_PROXY and NO_PROXY are respected', {
      completes: 'file',
    }),
  },
  examples: [
    'kube-crd crds fetch --cluster staging',
    'kube-crd crds fetch --missing --charts --catalogue public',
    'kube-crd crds fetch --chart cert-manager --save',
    'kube-crd check --locked',
  ],
  completes: ['fetch', 'update'],
  run: ({ kind: kinds, ...values }, words) => crds(words, { ...values, kinds }),
});
