import { archiveName, type Files } from '../files.ts';
import { defaultLimits, type SourceLimits, sourceLimits } from '../limits.ts';
import { type LocalSource, localSources, type Origin } from '../origin.ts';
import { textOf } from '../scan.ts';
import { sourceFile } from '../sourceFile.ts';
import { baseName, decode, folderOf, isInside, resolve } from '../uri.ts';
import { archiveNames, chartOf, namedBy } from './charts.ts';
import { goModules, moduleFolder, moduleName } from './goModules.ts';
import type { Place } from './place.ts';
import type { Shelf } from './shelf.ts';

/** The addresses of folders outside the workspace in which other programs keep what they fetched. */
export interface Caches {
  readonly goModules: string | undefined;
  readonly helm: string | undefined;
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
  for (const uri of leads.workspace) {
    const places = await placesIn(files, uri, options, shelf).catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
      note(`${uri} could not be read: ${error.message}`);
      return [];
    });
    for (const place of places.slice(0, limits.named)) {
      const source = place.origin.source as LocalSource;
      const known = bySource.get(source);
      if (known) known.push(place);
      else bySource.set(source, [place]);
    }
  }
  const order = (Object.keys(localSources) as LocalSource[]).filter((source) => !options.off.has(source));
  return [namedPlaces(leads, shelf), ...order.map((source) => bySource.get(source) ?? [])];
}

const isArchive = (uri: string) => archiveName.test(uri);

async function placesIn(files: Files, uri: string, options: LibraryOptions, shelf: Shelf): Promise<Place[]> {
  const text = isArchive(uri) ? '' : textOf(await files.read(uri, defaultLimits.fileBytes));
  return text === undefined ? [] : placesOf(uri, text, options, shelf);
}

/** What the settings name beside files of CRDs: archives of either kind, and catalogues. */
function namedPlaces({ settings, catalogues }: Leads, shelf: Shelf): Place[] {
  const archives = settings.flatMap((uri) => {
    const origin: Origin = { text: `${chartOf(uri)}, named in kubeCrd.crds`, source: 'settings' };
    return [shelf.archive(uri, [uri], origin), shelf.catalogue(uri, true)];
  });
  return [...archives, ...catalogues.map((uri) => shelf.catalogue(uri, false))];
}

/** What one file of the workspace holds or names. */
function placesOf(uri: string, text: string, { caches, folders }: LibraryOptions, shelf: Shelf): Place[] {
  if (isArchive(uri)) {
    const origin = { text: `${chartOf(uri)}, from ${shown(uri, folders)}`, source: 'archives', namedBy: uri } as const;
    return [shelf.archive(chartOf(uri).split(' ')[0]!, [uri], origin)];
  }
  // Everything that a file names is elsewhere.
  if (caches === undefined) return [];
  if (baseName(uri) === 'go.mod') return modulePlaces(uri, text, caches, folders, shelf);
  const { charts, crds, chartFolders } = namedBy(sourceFile(uri, text));
  const cached = charts.flatMap((chart) => {
    const origin = {
      text: `${chart.name} ${chart.version}, from Helm's cache`,
      source: 'helmCache',
      namedBy: uri,
    } as const;
    const { helm } = caches;
    if (helm === undefined) return [];
    const what = `${shown(uri, folders)} names ${chart.name} ${chart.version}, which is not in Helm's cache.`;
    const archives = archiveNames(chart).map((name) => `${helm}/${name}`);
    return [shelf.archive(chart.name, archives, origin, { what })];
  });
  const beside = (path: string) => {
    const at = resolve(folderOf(uri), path);
    return !path.startsWith('/') && isWhole(at) ? [at] : [];
  };
  const origin = { text: `named in ${shown(uri, folders)}`, source: 'kustomize', namedBy: uri } as const;
  return [
    ...cached,
    ...chartFolders.flatMap(beside).map((at) => shelf.folder(at, at, origin)),
    ...crds.flatMap(beside).map((at) => shelf.file(at, origin)),
  ];
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
    const what = `${shown(goMod, folders)} names ${title}, which is not in the Go module cache.`;
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
