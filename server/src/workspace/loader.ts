import { append } from '../base/append.ts';
import { definitionsIn } from './definitions.ts';
import { archiveName, type Files, type Listing } from './files.ts';
import type { Limits } from './limits.ts';
import { kindWords } from './mentions.ts';
import type { Origin } from './origin.ts';
import { partsNamedBy } from './parts.ts';
import { decodeText, scan } from './scan.ts';
import { emptySnapshot, type Snapshot, withWholeDisk } from './snapshot.ts';
import { type SourceFile, sourceFile } from './sourceFile.ts';
import { mayName } from './sources/charts.ts';
import type { Leads } from './sources/places.ts';
import { baseName, folderOf } from './uri.ts';

/** What is to be read: the files of the workspace's folders, and those that the settings name. */
export interface Listings {
  readonly own: readonly Listing[];
  readonly named: readonly Listing[];
}

/** What reading a workspace from disk gave. */
export interface Loaded {
  readonly files: readonly SourceFile[];
  /** By kustomization file: the files that it applies as patches. */
  readonly patches: ReadonlyMap<string, readonly string[]>;
  /** By file: the words that may be names of kinds. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** What leads to CRDs elsewhere. */
  readonly leads: Leads;
  /** What was left out, one line each. */
  readonly notes: readonly string[];
}

export interface LoadOptions {
  readonly limits: Limits;
  /** Whether the load is of no use any more. */
  readonly cancelled: () => boolean;
}

/** Reads folders and the files that settings name; keeps those that define kinds or name patches. */
export async function loadWorkspace(files: Files, { own, named }: Listings, options: LoadOptions): Promise<Loaded> {
  const listings = [...own, ...named];
  const kept: SourceFile[] = [];
  const patches = new Map<string, readonly string[]>();
  const words = new Map<string, readonly string[]>();
  const notes = listings.flatMap(({ cut }) =>
    cut ? [`a folder has more than ${options.limits.files} YAML files; the rest were not read`] : [],
  );
  append(
    notes,
    listings.flatMap((listing) => listing.notes),
  );
  const naming: string[] = [];
  const inWorkspace = new Set(own.flatMap(({ uris }) => uris));
  for (const uri of new Set(listings.flatMap(({ uris }) => uris))) {
    if (options.cancelled()) break;
    const isOwn = inWorkspace.has(uri);
    const one = await loadFile(files, uri, options.limits, isOwn ? undefined : namedInSettings);
    if (isOwn && one.names) naming.push(uri);
    if (one.file?.definesKinds) kept.push(one.file);
    if (one.patches.length > 0) patches.set(uri, one.patches);
    words.set(uri, one.words);
    append(notes, one.notes);
  }
  const leads = {
    workspace: [...own.flatMap((listing) => listing.leads), ...naming],
    settings: named.flatMap((listing) => listing.leads).filter((uri) => archiveName.test(uri)),
    catalogues: named.flatMap((listing) => listing.catalogues),
  };
  return { files: kept, patches, words, leads, notes };
}

const namedInSettings: Origin = { text: 'named in kubeCrd.crds', source: 'settings' };

/** A snapshot with what was read in place of what was known of the disk before. */
export function withLoaded(snapshot: Snapshot, { files, patches }: Loaded): Snapshot {
  const rest = { ...snapshot, patches: new Set([...patches.values()].flat()), missing: emptySnapshot.missing };
  return withWholeDisk(rest, files);
}

export interface LoadedFile {
  readonly file: SourceFile | undefined;
  readonly patches: readonly string[];
  readonly words: readonly string[];
  /** Whether it may name charts or CRDs that are elsewhere. */
  readonly names: boolean;
  readonly notes: readonly string[];
}

const nothing: LoadedFile = { file: undefined, patches: [], words: [], names: false, notes: [] };

/** Reads one file. Whatever is wrong with it is noted, and keeps no other file from being read. */
export async function loadFile(files: Files, uri: string, limits: Limits, origin?: Origin): Promise<LoadedFile> {
  try {
    return await readFile(files, uri, limits, origin);
  } catch (error) {
    return { ...nothing, notes: [`${uri} could not be read: ${error instanceof Error ? error.message : error}`] };
  }
}

/** Parses a file only if a look at its text says that it matters to others. */
async function readFile(files: Files, uri: string, limits: Limits, origin: Origin | undefined): Promise<LoadedFile> {
  const bytes = await files.read(uri, limits.fileBytes);
  if (bytes === undefined) return nothing;
  if (bytes === 'too-large')
    return { ...nothing, notes: [`${uri} is larger than ${limits.fileBytes} bytes and was not read`] };
  const content = decodeText(bytes);
  if (content.kind === 'binary') return { ...nothing, notes: [`${uri} is not a text file and was not read`] };
  const matters = scan(content.text, baseName(uri));
  const words = kindWords(content.text);
  const names = mayName(uri, content.text);
  if (!matters.crd && !matters.parts) return { ...nothing, words, names };
  const file = sourceFile(uri, content.text, { limits, origin, dormant: true });
  // What it defines is found out while its values are at hand.
  definitionsIn(file);
  return {
    file,
    patches: matters.parts ? partsNamedBy(file, folderOf(uri)) : [],
    words,
    names,
    notes: file.leftOut.map((what) => `${uri}: ${what}`),
  };
}
