import { isArchive } from '../fileNames.ts';
import type { Files } from '../files.ts';
import { defaultLimits, type SourceLimits, sourceLimits } from '../limits.ts';
import { type LocalSource, localSources, type Origin } from '../origin.ts';
import { textOf } from '../scan.ts';
import { sourceFile } from '../sourceFile.ts';
import { baseName, decode, folderOf, isInside, resolve } from '../uri.ts';
import { archiveNames, chartOf, type Named, type NamedChart, namedBy, nothingNamed as nothing } from './charts.ts';
import { cacheLock, cachePlace, lockPlace, workspaceLock } from './fetched.ts';
import { goModules, moduleFolder, moduleName } from './goModules.ts';
import { type FetchSource, lockName } from './lock.ts';
import type { Place } from './place.ts';
import { schemaFilePlace } from './schemaFile.ts';
import type { Shelf } from './shelf.ts';

/** The addresses of folders outside the workspace in which other programs keep what they fetched. */
export interface Caches {
  readonly goModules: string | undefined;
  readonly helm: string | undefined;
  /** What this program fetched on a user's command. */
  readonly fetched: string | undefined;
}

/** What leads to CRDs beside the files that are read anyway. */
export interface Leads {
  /** Files of the workspace: archives, go.mod, Chart.lock, and manifests that name charts. */
  readonly workspace: readonly string[];
  /** Archives and catalogues that the settings name. */
  readonly settings: readonly string[];
  readonly catalogues: readonly string[];
}

export interface LibraryOptions {
  /** Undefined where nothing outside of the workspace may be read. */
  readonly caches: Caches | undefined;
  readonly folders: readonly string[];
  readonly off: ReadonlySet<LocalSource>;
  readonly limits?: SourceLimits;
}

/** Each is unpacked to find a kind that none of them may know. */
function withFewArchives(leads: Leads, { archives: most }: SourceLimits, note: (what: string) => void): Leads {
  const archives = leads.workspace.filter(isArchive);
  if (archives.length <= most) return leads;
  note(`the workspace has more than ${most} archives; the rest were not read`);
  const kept = new Set(archives.slice(0, most));
  return { ...leads, workspace: leads.workspace.filter((uri) => kept.has(uri) || !isArchive(uri)) };
}

/** All places, those of one source together, in the order of their precedence. */
export async function allPlaces(
  files: Files,
  all: Leads,
  options: LibraryOptions,
  shelf: Shelf,
  note: (what: string) => void,
): Promise<readonly (readonly Place[])[]> {
  const { limits = sourceLimits } = options;
  const leads = withFewArchives(all, limits, note);
  const bySource = new Map<LocalSource, Place[]>();
  const read = await leadsRead(files, leads.workspace, note);
  const context = { ...options, note, files, shelf, repositories: repositoriesIn(read) };
  for (const one of read) {
    for (const place of placesOf(one, context).slice(0, limits.named)) {
      const source = place.origin.source as LocalSource;
      const known = bySource.get(source);
      if (known) known.push(place);
      else bySource.set(source, [place]);
    }
  }
  if (options.caches?.fetched !== undefined)
    bySource.set('userCache', [cachePlace(cacheLock(files, options.caches.fetched, note))]);
  const order = (Object.keys(localSources) as LocalSource[]).filter((source) => !options.off.has(source));
  return [namedPlaces(leads, shelf), ...order.map((source) => bySource.get(source) ?? [])];
}

export const isLock = (uri: string) => baseName(uri) === lockName;

/** A file that leads to CRDs: its text, or what it names. */
interface Lead {
  readonly uri: string;
  readonly text: string;
  readonly named: Named;
}

async function leadsRead(files: Files, uris: readonly string[], note: (what: string) => void): Promise<Lead[]> {
  const leads: Lead[] = [];
  for (const uri of uris) {
    try {
      const isOther = isArchive(uri) || isLock(uri);
      const text = isOther ? '' : textOf(await files.read(uri, defaultLimits.fileBytes));
      const isManifest = !isOther && baseName(uri) !== 'go.mod';
      if (text !== undefined) leads.push({ uri, text, named: isManifest ? namedBy(sourceFile(uri, text)) : nothing });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      note(`${uri} could not be read: ${error.message}`);
    }
  }
  return leads;
}

const repositoriesIn = (leads: readonly Lead[]) => new Map(leads.flatMap(({ named }) => [...named.repositories]));

/** The charts that files of the workspace name, with where they are fetched from. */
export async function chartsNamed(files: Files, { workspace }: Leads): Promise<ChartSource[]> {
  const uris = workspace.filter((uri) => !isArchive(uri) && !isLock(uri) && baseName(uri) !== 'go.mod');
  const read = await leadsRead(files, uris, () => {});
  const repositories = repositoriesIn(read);
  return read.flatMap(({ named }) => named.charts.flatMap((chart) => sourceOf(chart, repositories) ?? []));
}

/** A chart that was fetched, in the version that the workspace names by now. */
export function withVersionNow(source: FetchSource, charts: readonly ChartSource[]): FetchSource {
  if (source.from !== 'chart') return source;
  const named = charts.filter(({ chart, repository }) => chart === source.chart && repository === source.repository);
  return named.some(({ version }) => version === source.version) ? source : (named[0] ?? source);
}

type ChartSource = Extract<FetchSource, { readonly from: 'chart' }>;

/** Addresses are shown before they are asked: they are to be on one line. */
const repositoryAddress = /^(?:https|oci):\/\/[!-~]{1,300}$/;

function sourceOf(chart: NamedChart, repositories: ReadonlyMap<string, string>): ChartSource | undefined {
  const repository = chart.repository ?? repositories.get(chart.repositoryName ?? '');
  if (repository === undefined || !repositoryAddress.test(repository)) return undefined;
  return { from: 'chart', chart: chart.name, repository, version: chart.version };
}

/** What the settings name beside files of CRDs: archives of either kind, and catalogues. */
function namedPlaces({ settings, catalogues }: Leads, shelf: Shelf): Place[] {
  const archives = settings.flatMap((uri) => {
    const origin: Origin = { text: `${chartOf(uri)}, named in kubeCrd.crds`, source: 'settings' };
    return [shelf.archive(uri, [uri], origin), shelf.catalogue(uri, true)];
  });
  return [...archives, ...catalogues.map((uri) => shelf.catalogue(uri, false))];
}

interface PlacesContext extends LibraryOptions {
  readonly files: Files;
  readonly shelf: Shelf;
  readonly repositories: ReadonlyMap<string, string>;
  note(what: string): void;
}

/** What one file of the workspace holds or names. */
function placesOf({ uri, text, named }: Lead, context: PlacesContext): Place[] {
  const { caches, folders, shelf, files, note } = context;
  if (isArchive(uri)) {
    const origin = { text: `${chartOf(uri)}, from ${shown(uri, folders)}`, source: 'archives', namedBy: uri } as const;
    return [shelf.archive(chartOf(uri).split(' ')[0]!, [uri], origin)];
  }
  if (isLock(uri)) return [lockPlace(workspaceLock(files, uri, caches?.fetched, note), uri, shown(uri, folders))];
  // Everything that a file names is elsewhere.
  if (caches === undefined) return [];
  if (baseName(uri) === 'go.mod') return modulePlaces(uri, text, caches, folders, shelf);
  const { charts, crds, chartFolders, schemas } = named;
  const beside = (path: string) => {
    const at = resolve(folderOf(uri), path);
    return !path.startsWith('/') && isWhole(at) ? [at] : [];
  };
  const origin = { text: `named in ${shown(uri, folders)}`, source: 'kustomize', namedBy: uri } as const;
  return [
    ...charts.flatMap((chart) => chartPlace(uri, chart, context)),
    ...chartFolders.flatMap(beside).map((at) => shelf.folder(at, at, origin)),
    ...crds.flatMap(beside).map((at) => shelf.file(at, origin)),
    ...schemas.flatMap(beside).map((at) => schemaFilePlace(files, at, origin)),
  ];
}

/** A chart that a file names, in Helm's cache; where it is not there, it may be fetched from where the file says. */
function chartPlace(uri: string, chart: NamedChart, { caches, folders, shelf, repositories }: PlacesContext): Place[] {
  const { name, version } = chart;
  const origin = { text: `${name} ${version}, from Helm's cache`, source: 'helmCache', namedBy: uri } as const;
  if (caches?.helm === undefined) return [];
  const fetch = sourceOf(chart, repositories);
  const what = `${shown(uri, folders)} names ${name} ${version}, which is not in Helm's cache.`;
  const archives = archiveNames(chart).map((archive) => `${caches.helm}/${archive}`);
  return [shelf.archive(name, archives, origin, { what, ...(fetch && { fetch }) })];
}

function modulePlaces(
  goMod: string,
  text: string,
  { goModules: cache }: Caches,
  folders: readonly string[],
  shelf: Shelf,
): Place[] {
  return goModules(text).flatMap((module) => {
    const folder = moduleFolder(module, goMod, cache);
    if (folder === undefined || !isWhole(folder)) return [];
    const name = moduleName(module.path);
    const origin = { source: 'goModules', namedBy: goMod } as const;
    if ('folder' in module) {
      return [shelf.folder(module.path, folder, { ...origin, text: `${name}, from ${module.folder}` })];
    }
    const title = `${name} ${module.version.replace(/^v/, '')}`;
    // The last step of a path, such as `api` or `client`, says nothing by itself.
    const what = `${shown(goMod, folders)} names ${module.path} ${module.version.replace(/^v/, '')}, which is not in the Go module cache.`;
    // Anything else would be another command in a terminal.
    const isPlain = /^[A-Za-z0-9][A-Za-z0-9./_~-]*$/.test(module.path);
    const absent = isPlain ? { what, command: `go mod download ${module.path}` } : { what };
    return [shelf.folder(module.path, folder, { ...origin, text: `${title}, from the Go module cache` }, absent)];
  });
}

/** Whether an address still has its beginning after steps upwards. */
function isWhole(uri: string): boolean {
  return /^[a-z][\w+.-]*:\/\/[^/]*\/./i.test(uri);
}

function shown(uri: string, folders: readonly string[]): string {
  const folder = folders.find((one) => isInside(uri, one));
  return decode(folder === undefined ? baseName(uri) : uri.slice(folder.length + 1));
}
