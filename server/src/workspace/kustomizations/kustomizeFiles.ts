import { memo } from '../../base/memo.ts';
import {
  type Addition,
  type Build,
  type BuildError,
  type Files as BuildFiles,
  type BuiltResource,
  build,
  type ChartRequest,
  type FileText,
  newSession,
  type Place,
  type RenderedChart,
  type Session,
} from '../../kustomize/build.ts';
import type { ChartFolder } from '../charts/chartFolder.ts';
import type { SourceFile } from '../sourceFile.ts';
import { folderOf, isInside, resolve, withFolders } from '../uri.ts';
import { BuiltSources } from './builtSources.ts';
import { chartMark, originOf, pathOf } from './paths.ts';
import { mostChartWork, renderedChart } from './renderedChart.ts';

/** What is on disk at a path, as far as builds have asked for it; `outside` where nobody looks. */
export type OnDisk = FileText | FilesBelow | ChartBelow | 'folder' | 'nothing' | 'outside';

/** All files below a folder, by their paths in it. */
export interface FilesBelow {
  readonly below: readonly string[];
  /** Whether something says that some of them do not count. */
  readonly isFiltered: boolean;
}

/** The chart in a folder. */
export interface ChartBelow {
  readonly chart: ChartFolder;
}

/** Behind the address of a folder: that of what is below it. */
export const belowMark = '/**';

/** A folder that is to be built, for somebody who may add something to it. */
export interface Wanted {
  readonly root: string;
  readonly folder: string;
  readonly addition: Addition | undefined;
}

/**
 * All that was read of the disk for builds, by address. It only ever grows or is forgotten, so that what was built of it holds
 * as long as its files are the same.
 */
export class KustomizeFiles {
  readonly entries: ReadonlyMap<string, OnDisk>;
  /** Where no more is read for, and why there. */
  readonly notes: readonly string[];
  readonly memory: BuildMemory;

  constructor(
    entries: ReadonlyMap<string, OnDisk> = new Map(),
    notes: readonly string[] = [],
    memory = new BuildMemory(),
  ) {
    this.entries = entries;
    this.notes = notes;
    this.memory = memory;
  }

  with(entries: ReadonlyMap<string, OnDisk>, notes: readonly string[]): KustomizeFiles {
    const all = new Map(this.entries);
    for (const [uri, entry] of entries) all.set(uri, entry);
    return new KustomizeFiles(all, [...new Set([...this.notes, ...notes])], this.memory);
  }

  /** Whether a file, or a chart with it, was read. */
  has(uri: string): boolean {
    if (this.entries.has(uri)) return true;
    return [...withFolders(folderOf(uri))].some((folder) => this.entries.has(`${folder}${chartMark}`));
  }

  without(uri: string): KustomizeFiles {
    const entries = new Map(this.entries);
    entries.delete(uri);
    // What was not there may be now, with the file.
    for (const folder of withFolders(folderOf(uri))) {
      entries.delete(`${folder}${belowMark}`);
      entries.delete(`${folder}${chartMark}`);
      if (entries.get(folder) === 'nothing') entries.delete(folder);
    }
    return new KustomizeFiles(entries, this.notes, this.memory);
  }
}

/** What is built of a folder, and why kustomize does not unless it may read files from outside of a kustomization's folder. */
export interface FolderBuild extends Build {
  readonly restricted?: BuildError;
  /** It cannot be built without a file or folder that is not looked at. */
  readonly outside?: { readonly uri: string; readonly place: Place | undefined };
}

/** The CRDs that a folder is built to, of files whose objects somebody patches. */
export interface CrdsOfBuild {
  /** Nothing is missing that could be one of them, or change one. */
  readonly isWhole: boolean;
  readonly resources: readonly BuiltResource[];
  /** Those that are as their files say, where they are not kept: by their file and kind. */
  readonly same: ReadonlySet<string>;
}

interface Built {
  readonly build: FolderBuild;
  /** What it was built of. */
  readonly seen: ReadonlyMap<string, OnDisk | undefined>;
  /** What of it nobody has looked for yet. */
  readonly unread: readonly string[];
}

/** A build, and the files for which it holds. */
interface Kept {
  readonly built: Built;
  readonly addition: Addition | undefined;
  open: ReadonlyMap<string, SourceFile>;
  entries: KustomizeFiles['entries'];
}

/** What was built before, which mostly holds for what comes after a key. */
export class BuildMemory {
  readonly sources = new BuiltSources();
  private readonly session: Session | undefined;
  private readonly mostCharacters: number;
  private readonly built = new Map<string, Kept>();
  // Not a memo: there is one for what is open now.
  private readonly charts = new WeakMap<ChartBelow, ChartBelow>();
  private uris: { readonly origin: string; readonly byPath: Map<string, string> } | undefined;

  /** `once` where each folder is built once: nothing is kept for the next time. */
  constructor(once = false) {
    this.session = once ? undefined : newSession();
    this.mostCharacters = once ? mostCharactersOnce : mostCharacters;
  }

  /** What a folder comes to, with what was asked for and is not known yet. */
  build(wanted: Wanted, open: ReadonlyMap<string, SourceFile>, disk: KustomizeFiles): Built {
    const { root, addition } = wanted;
    const { entries } = disk;
    const kept = this.built.get(root);
    const known = kept?.addition === addition ? kept : undefined;
    if (known?.open === open && known.entries === entries) return known.built;
    const asked = new AskedFiles(root, open, disk);
    if (known && isAsSeen(known.built, asked)) {
      known.open = open;
      known.entries = entries;
      return known.built;
    }
    const build = this.buildAnew(asked, wanted);
    const built = { build, seen: asked.seen, unread: unreadIn(asked.seen) };
    this.keep(root, { built, addition, open, entries });
    return built;
  }

  private buildAnew(files: AskedFiles, wanted: Wanted): FolderBuild {
    const folder = pathOf(wanted.folder);
    const { addition } = wanted;
    const options = { ...(this.session && { session: this.session }), ...(addition && { addition }) };
    // Flux has no rule about files from outside of a folder.
    const isFlux = addition?.by === 'flux';
    const made = build(files, folder, isFlux ? { ...options, anyFile: true } : options);
    // Which of its files are built nobody knows.
    const strict =
      files.isFiltered && isFlux ? { ...made, resources: [], error: undefined, leftOut: [], notes: [] } : made;
    const outside = strict.error && [...files.seen].find(([, what]) => what === 'outside')?.[0];
    if (outside !== undefined)
      return { ...strict, error: undefined, outside: { uri: outside, place: strict.error?.place } };
    if (isFlux || !strict.error?.message.includes('security; file')) return strict;
    return { ...build(files, folder, { ...options, anyFile: true }), restricted: strict.error };
  }

  /** A chart with what is open of it, which is the same as long as nobody types in it. */
  chartWith(read: ChartBelow, texts: ReadonlyMap<string, string>): ChartBelow {
    const before = this.charts.get(read) ?? read;
    const chart = before.chart.withOpen(texts);
    if (chart === before.chart) return before;
    const now = { chart };
    this.charts.set(read, now);
    return now;
  }

  /** The addresses of paths, which are asked for again and again. */
  urisIn(origin: string): Map<string, string> {
    if (this.uris?.origin !== origin || this.uris.byPath.size > mostUris) this.uris = { origin, byPath: new Map() };
    return this.uris.byPath;
  }

  /** Those that were asked for last are kept, as long as they are not too much. */
  private keep(root: string, one: Kept): void {
    this.built.delete(root);
    this.built.set(root, one);
    let left = this.mostCharacters;
    for (const [at, { built }] of [...this.built].reverse()) {
      left -= charactersOf(built);
      if (left < 0 && at !== root) this.built.delete(at);
    }
  }
}

const mostUris = 100_000;

/** Characters of what all builds that are kept together were built of: each takes some forty bytes. */
const mostCharacters = 20_000_000;
/** The same where a folder is mostly built once. */
const mostCharactersOnce = 1_000_000;

function charactersOf({ seen }: Built): number {
  return [...seen.values()].reduce((sum, what) => sum + (isText(what) ? what.text.length : 0), 0);
}

function isText(what: OnDisk | undefined): what is FileText {
  return typeof what === 'object' && 'text' in what;
}

function isAsSeen({ seen }: Built, files: AskedFiles): boolean {
  for (const [uri, was] of seen) if (files.at(uri) !== was) return false;
  return true;
}

function unreadIn(seen: Built['seen']): readonly string[] {
  return [...seen].flatMap(([uri, what]) => (what === undefined ? [uri] : []));
}

/** Files for one build, which remember what it asked for. */
class AskedFiles implements BuildFiles {
  readonly seen = new Map<string, OnDisk | undefined>();
  /** Whether some of the files below a folder do not count. */
  isFiltered = false;
  private readonly room = { left: mostChartWork };
  private readonly origin: string;
  /** By path. */
  private readonly uris: Map<string, string>;
  private readonly open: ReadonlyMap<string, SourceFile>;
  private readonly disk: KustomizeFiles;

  constructor(root: string, open: ReadonlyMap<string, SourceFile>, disk: KustomizeFiles) {
    this.origin = originOf(root);
    this.uris = disk.memory.urisIn(this.origin);
    this.open = open;
    this.disk = disk;
  }

  file(path: string): FileText | undefined {
    const found = this.look(path);
    return isText(found) ? found : undefined;
  }

  below(path: string): readonly string[] {
    const found = this.look(`${path}${belowMark}`);
    if (typeof found !== 'object' || !('below' in found)) return [];
    this.isFiltered = found.isFiltered;
    return found.below;
  }

  chart(request: ChartRequest): RenderedChart | undefined {
    const found = this.look(`${request.folder}${chartMark}`);
    if (typeof found !== 'object' || !('chart' in found)) return undefined;
    return renderedChart(found.chart, request, (path) => this.uriOf(path), this.room);
  }

  isFolder(path: string): boolean {
    return this.look(path) === 'folder';
  }

  at(uri: string): OnDisk | undefined {
    const open = this.open.get(uri);
    const disk = this.disk.entries.get(uri);
    if (typeof disk === 'object' && 'chart' in disk)
      return this.disk.memory.chartWith(disk, this.openIn(disk.chart.root));
    // A file that is open and was not changed is the one that was read.
    if (!open || (isText(disk) && disk.text === open.text)) return disk;
    return openText(open);
  }

  private openIn(root: string): ReadonlyMap<string, string> {
    const inside = [...this.open].filter(([uri]) => isInside(uri, root));
    return new Map(inside.map(([uri, { text }]) => [uri, text]));
  }

  private uriOf(path: string): string {
    let uri = this.uris.get(path);
    if (uri === undefined) {
      // A name with a star is that of no file here, and nothing is escaped in it.
      const mark = [belowMark, chartMark].find((one) => path.endsWith(one)) ?? '';
      uri = `${resolve(this.origin, path.slice(0, path.length - mark.length))}${mark}`;
      this.uris.set(path, uri);
    }
    return uri;
  }

  private look(path: string): OnDisk | undefined {
    const uri = this.uriOf(path);
    const found = this.at(uri);
    this.seen.set(uri, found);
    return found;
  }
}

/** The same object as long as the text is the same. */
const openText = memo(({ text }: SourceFile): FileText => ({ text }));
