import type { Files } from '../files.ts';
import type { Absent, WantedKind } from '../kinds.ts';
import { defaultLimits, type SourceLimits, sourceLimits } from '../limits.ts';
import type { Library } from '../lookUp.ts';
import { type LocalSource, localSources, type Origin } from '../origin.ts';
import { textOf } from '../scan.ts';
import { type SourceFile, sourceFile } from '../sourceFile.ts';
import { baseName, decode, folderOf, isInside, resolve } from '../uri.ts';
import { archiveContents } from './archiveContents.ts';
import { cataloguePlace } from './catalogue.ts';
import { archiveNames, chartOf, namedBy } from './charts.ts';
import { fileContents, folderContents } from './folder.ts';
import { goModules, moduleFolder, moduleName } from './goModules.ts';
import { type Contents, findIn, type Place } from './place.ts';

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

/**
 * The sources of CRDs beside the workspace's own files. The order of `localSources` is their precedence, after what the
 * settings name. Nothing is read before a kind is asked for, and what was read of an archive or module is not read again.
 */
export function libraryOf(files: Files, leads: Leads, options: LibraryOptions): Library {
  const notes: string[] = [];
  const { limits = sourceLimits } = options;
  const note = (what: string) => notes.push(what);
  const shelf = shelfOf(files, limits, note);
  let shelves: Promise<readonly (readonly Place[])[]> | undefined;
  return {
    notes: () => [...new Set(notes)],
    find: async (wanted) => {
      shelves ??= allPlaces(files, withFewArchives(leads, limits, note), options, shelf);
      const all = await shelves;
      for (const places of all) {
        const files = await firstIn(places, wanted, (place, error) =>
          notes.push(`${place.origin.text}: ${error.message}`),
        );
        if (files.length > 0) return { files, absent: [] };
      }
      return { files: [], absent: await absentFrom(all.flat(), wanted) };
    },
  };
}

/** More would not be read. */
const mostAbsent = 3;

/** What is named and not here, of the places whose names are like the kind's group. */
async function absentFrom(places: readonly Place[], { group }: WantedKind): Promise<Absent[]> {
  const found = new Map<string, Absent>();
  for (const place of places) {
    if (found.size === mostAbsent) break;
    const absent = likeness(place.name, group) > 0 ? await place.absent?.() : undefined;
    if (absent) found.set(absent.what, absent);
  }
  return [...found.values()];
}

/** The files of the likeliest place that knows a kind, and of its other versions; which of these counts depends on who asks. */
async function firstIn(
  places: readonly Place[],
  wanted: WantedKind,
  failed: (place: Place, error: Error) => void,
): Promise<SourceFile[]> {
  const likely = [...places].sort((a, b) => likeness(b.name, wanted.group) - likeness(a.name, wanted.group));
  const found: SourceFile[] = [];
  let name: string | undefined;
  for (const place of likely) {
    if (name !== undefined && place.name !== name) continue;
    const file = await place.find(wanted).catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
      failed(place, error);
      return undefined;
    });
    if (!file) continue;
    name = place.name;
    found.push(file);
  }
  return found;
}

/** Parts of names that say nothing about whose they are. */
const common: ReadonlySet<string> = new Set(['api', 'apis', 'com', 'dev', 'github', 'io', 'k8s', 'net', 'org', 'sigs']);

/** How many letters of a group's words a name has too. */
export function likeness(name: string, group: string): number {
  const words = new Set(name.toLowerCase().split(/[/._-]+/));
  const own = group.split(/[._-]+/).filter((word) => !common.has(word) && words.has(word));
  return own.reduce((sum, word) => sum + word.length, 0);
}

/** How places are made of files; each file and folder is read once, whoever names it. */
interface Shelf {
  /** The first of some archives that is there. */
  archive(name: string, uris: readonly string[], origin: Origin, absent?: Absent): Place;
  folder(name: string, uri: string, origin: Origin, absent?: Absent): Place;
  file(uri: string, origin: Origin): Place;
  catalogue(uri: string, isArchive: boolean): Place;
}

function shelfOf(files: Files, limits: SourceLimits, note: (what: string) => void): Shelf {
  const known = new Map<string, Promise<Contents>>();
  const once = (uri: string, read: () => Promise<Contents>) => {
    const contents = known.get(uri) ?? read();
    known.set(uri, contents);
    return contents;
  };
  const place = (name: string, uri: string, origin: Origin, read: () => Promise<Contents>, absent?: Absent): Place => ({
    name,
    origin,
    find: async (wanted) => findIn(await once(uri, read), wanted, origin, limits),
    absent: async () => ((await once(uri, read)).isThere ? undefined : absent),
  });
  return {
    archive: (name, uris, origin, absent) =>
      place(name, uris[0]!, origin, () => archiveContents(files, uris, limits, note), absent),
    folder: (name, uri, origin, absent) =>
      place(name, uri, origin, () => folderContents(files, uri, limits, note), absent),
    file: (uri, origin) => place(uri, uri, origin, () => fileContents(files, uri)),
    catalogue: (uri, isArchive) => cataloguePlace(files, uri, isArchive, limits, note),
  };
}

function withFewArchives(leads: Leads, { archives: most }: SourceLimits, note: (what: string) => void): Leads {
  const archives = leads.workspace.filter(isArchive);
  if (archives.length <= most) return leads;
  note(`the workspace has more than ${most} archives; the rest were not read`);
  const kept = new Set(archives.slice(0, most));
  return { ...leads, workspace: leads.workspace.filter((uri) => kept.has(uri) || !isArchive(uri)) };
}

async function allPlaces(
  files: Files,
  leads: Leads,
  options: LibraryOptions,
  shelf: Shelf,
): Promise<readonly (readonly Place[])[]> {
  const bySource = new Map<LocalSource, Place[]>();
  for (const uri of leads.workspace) {
    const text = isArchive(uri) ? '' : textOf(await files.read(uri, defaultLimits.fileBytes));
    const places = text === undefined ? [] : placesOf(uri, text, options, shelf);
    for (const place of places.slice(0, (options.limits ?? sourceLimits).named)) {
      const source = place.origin.source as LocalSource;
      const known = bySource.get(source);
      if (known) known.push(place);
      else bySource.set(source, [place]);
    }
  }
  const order = (Object.keys(localSources) as LocalSource[]).filter((source) => !options.off.has(source));
  return [namedPlaces(leads, shelf), ...order.map((source) => bySource.get(source) ?? [])];
}

const isArchive = (uri: string) => uri.endsWith('gz');

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
    const isPlain = /^[A-Za-z0-9./_~-]+$/.test(module.path);
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
