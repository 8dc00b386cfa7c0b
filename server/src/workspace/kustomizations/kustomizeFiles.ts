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
  /** What of it nobody has looked for yet. */
  readonly unread: readonly string[];
}

/** A build, and the files for which it holds. */
interface Kept {
  readonly built: Built;
  open: ReadonlyMap<string, SourceFile>;
  entries: KustomizeFiles['entries'];
}

/** What was built before, which mostly holds for what comes after a key. */
export class BuildMemory {
  readonly sources = new BuiltSources();
  private readonly session: Session | undefined;
  private readonly mostCharacters: number;
  private readonly built = new Map<string, Kept>();
  private uris: { readonly origin: string; readonly byPath: Map<string, string> } | undefined;

  /** `once` where each folder is built once: nothing is kept for the next time. */
  constructor(once = false) {
    this.session = once ? undefined : newSession();
    this.mostCharacters = once ? mostCharactersOnce : mostCharacters;
  }

  /** What a folder comes to, with what was asked for and is not known yet. */
  build(root: string, open: ReadonlyMap<string, SourceFile>, disk: KustomizeFiles): Built {
    const { entries } = disk;
    const known = this.built.get(root);
    if (known?.open === open && known.entries === entries) return known.built;
    const asked = new AskedFiles(root, open, disk);
    if (known && isAsSeen(known.built, asked)) {
      known.open = open;
      known.entries = entries;
      return known.built;
    }
    const build = this.buildAnew(asked, pathOf(root));
    const built = { build, seen: asked.seen, unread: unreadIn(asked.seen) };
    this.keep(root, { built, open, entries });
    return built;
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
  return [...seen.values()].reduce((sum, what) => sum + (typeof what === 'object' ? what.text.length : 0), 0);
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

  private uriOf(path: string): string {
    let uri = this.uris.get(path);
    if (uri === undefined) {
      uri = resolve(this.origin, path);
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
