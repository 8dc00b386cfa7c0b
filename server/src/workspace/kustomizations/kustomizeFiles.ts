import { memo } from '../../base/memo.ts';
import {
  type Build,
  type BuildError,
  type Files as BuildFiles,
  build,
  type FileText,
  newSession,
  type Place,
  type Session,
} from '../../kustomize/build.ts';
import type { SourceFile } from '../sourceFile.ts';
import { resolve } from '../uri.ts';
import { BuiltSources } from './builtSources.ts';
import { originOf, pathOf } from './paths.ts';

/** What is on disk at a path, as far as builds have asked for it; `outside` where nobody looks. */
export type OnDisk = FileText | 'folder' | 'nothing' | 'outside';

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
    const all = new Map([...this.entries, ...entries]);
    return new KustomizeFiles(all, [...new Set([...this.notes, ...notes])], this.memory);
  }

  without(uri: string): KustomizeFiles {
    const entries = new Map(this.entries);
    entries.delete(uri);
    return new KustomizeFiles(entries, this.notes, this.memory);
  }
}

/** What is built of a folder, and why kustomize does not unless it may read files from outside of a kustomization's folder. */
export interface FolderBuild extends Build {
  readonly restricted?: BuildError;
  /** It cannot be built without a file or folder that is not looked at. */
  readonly outside?: { readonly uri: string; readonly place: Place | undefined };
}

interface Built {
  readonly build: FolderBuild;
  /** What it was built of. */
  readonly seen: ReadonlyMap<string, OnDisk | undefined>;
}

/** What was built before, which mostly holds for what comes after a key. */
export class BuildMemory {
  readonly sources = new BuiltSources();
  private readonly session: Session | undefined;
  private readonly mostObjects: number;
  private readonly built = new Map<string, Built>();

  /** `once` where each folder is built once: nothing is kept for the next time. */
  constructor(once = false) {
    this.session = once ? undefined : newSession();
    this.mostObjects = once ? mostObjectsOnce : mostObjects;
  }

  /** What a folder comes to, with what was asked for and is not known yet. */
  build(
    root: string,
    open: ReadonlyMap<string, SourceFile>,
    disk: KustomizeFiles,
  ): Built & { readonly unread: readonly string[] } {
    const asked = new AskedFiles(root, open, disk);
    const known = this.built.get(root);
    if (known && [...known.seen].every(([uri, was]) => asked.at(uri) === was))
      return { ...known, unread: unreadIn(known.seen) };
    const one = { build: this.buildAnew(asked, pathOf(root)), seen: asked.seen };
    this.keep(root, one);
    return { ...one, unread: unreadIn(one.seen) };
  }

  private buildAnew(files: AskedFiles, folder: string): FolderBuild {
    const options = this.session ? { session: this.session } : {};
    const strict = build(files, folder, options);
    const outside = strict.error && [...files.seen].find(([, what]) => what === 'outside')?.[0];
    if (outside !== undefined)
      return { ...strict, error: undefined, outside: { uri: outside, place: strict.error?.place } };
    if (!strict.error?.message.includes('security; file')) return strict;
    return { ...build(files, folder, { ...options, anyFile: true }), restricted: strict.error };
  }

  /** Those that were asked for last are kept, as long as they are not too much. */
  private keep(root: string, one: Built): void {
    this.built.delete(root);
    this.built.set(root, one);
    let left = this.mostObjects;
    for (const [at, { build }] of [...this.built].reverse()) {
      left -= build.resources.length;
      if (left < 0 && at !== root) this.built.delete(at);
    }
  }
}

/** Objects of all builds that are kept together; and where a folder is mostly built once. */
const mostObjects = 2_000;
const mostObjectsOnce = 300;

function unreadIn(seen: Built['seen']): readonly string[] {
  return [...seen].flatMap(([uri, what]) => (what === undefined ? [uri] : []));
}

/** Files for one build, which remember what it asked for. */
class AskedFiles implements BuildFiles {
  readonly seen = new Map<string, OnDisk | undefined>();
  private readonly origin: string;
  private readonly open: ReadonlyMap<string, SourceFile>;
  private readonly disk: KustomizeFiles;

  constructor(root: string, open: ReadonlyMap<string, SourceFile>, disk: KustomizeFiles) {
    this.origin = originOf(root);
    this.open = open;
    this.disk = disk;
  }

  file(path: string): FileText | undefined {
    const found = this.look(path);
    return typeof found === 'object' ? found : undefined;
  }

  isFolder(path: string): boolean {
    return this.look(path) === 'folder';
  }

  at(uri: string): OnDisk | undefined {
    const open = this.open.get(uri);
    const disk = this.disk.entries.get(uri);
    // A file that is open and was not changed is the one that was read.
    if (!open || (typeof disk === 'object' && disk.text === open.text)) return disk;
    return openText(open);
  }

  private look(path: string): OnDisk | undefined {
    const uri = resolve(this.origin, path);
    const found = this.at(uri);
    this.seen.set(uri, found);
    return found;
  }
}

/** The same object as long as the text is the same. */
const openText = memo(({ text }: SourceFile): FileText => ({ text }));
