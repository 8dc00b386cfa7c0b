import type { Files } from '../files.ts';
import type { WantedKind } from '../kinds.ts';
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
  const shelf = shelfOf(files, options.limits ?? sourceLimits, (what) => notes.push(what));
  let shelves: Promise<readonly (readonly Place[])[]> | undefined;
  return {
    notes: () => [...new Set(notes)],
    find: async (wanted) => {
      shelves ??= allPlaces(files, leads, options, shelf);
      for (const places of await shelves) {
        const found = await firstIn(places, wanted, (place, error) =>
          notes.push(`${place.origin.text}: ${error.message}`),
        );
        if (found.length > 0) return found;
      }
      return [];
    },
  };
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
  archive(name: string, uri: string, origin: Origin): Place;
  folder(name: string, uri: string, origin: Origin): Place;
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
  const place = (name: string, uri: string, origin: Origin, read: () => Promise<Contents>): Place => ({
    name,
    origin,
    find: async (wanted) => findIn(await once(uri, read), wanted, origin, limits),
  });
  return {
    archive: (name, uri, origin) => place(name, uri, origin, () => archiveContents(files, uri, limits, note)),
    folder: (name, uri, origin) => place(name, uri, origin, () => folderContents(files, uri, limits, note)),
    file: (uri, origin) => place(uri, uri, origin, () => fileContents(files, uri)),
    catalogue: (uri, isArchive) => cataloguePlace(files, uri, isArchive, limits, note),
  };
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
    return [shelf.archive(uri, uri, origin), shelf.catalogue(uri, true)];
  });
  return [...archives, ...catalogues.map((uri) => shelf.catalogue(uri, false))];
}

/** What one file of the workspace holds or names. */
function placesOf(uri: string, text: string, { caches, folders }: LibraryOptions, shelf: Shelf): Place[] {
  if (isArchive(uri)) {
    const origin = { text: `${chartOf(uri)}, from ${shown(uri, folders)}`, source: 'archives', namedBy: uri } as const;
    return [shelf.archive(chartOf(uri).split(' ')[0]!, uri, origin)];
  }
  // Everything that a file names is elsewhere.
  if (caches === undefined) return [];
  if (baseName(uri) === 'go.mod') return modulePlaces(uri, text, caches, shelf);
  const { charts, crds, chartFolders } = namedBy(sourceFile(uri, text));
  const cached = charts.flatMap((chart) => {
    const origin = {
      text: `${chart.name} ${chart.version}, from Helm's cache`,
      source: 'helmCache',
      namedBy: uri,
    } as const;
    const names = caches.helm === undefined ? [] : archiveNames(chart);
    return names.map((name) => shelf.archive(chart.name, `${caches.helm}/${name}`, origin));
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

function modulePlaces(goMod: string, text: string, { goModules: cache }: Caches, shelf: Shelf): Place[] {
  return goModules(text).flatMap((module) => {
    const folder = moduleFolder(module, goMod, cache);
    if (folder === undefined || !isWhole(folder)) return [];
    const name = moduleName(module.path);
    const from =
      'version' in module
        ? `${name} ${module.version.replace(/^v/, '')}, from the Go module cache`
        : `${name}, from ${module.folder}`;
    return [shelf.folder(module.path, folder, { text: from, source: 'goModules', namedBy: goMod })];
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
