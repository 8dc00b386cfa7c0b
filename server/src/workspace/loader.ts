import { append } from '../base/append.ts';
import { SortedMap } from '../base/sortedMap.ts';
import { definitionsIn } from './definitions.ts';
import {
  type DeliveryFile,
  type DeliveryOnDisk,
  deliversNothing,
  deliveryIn,
  deliveryOnDisk,
} from './delivery/onDisk.ts';
import { withGiven } from './delivery/uses.ts';
import { isArchive } from './fileNames.ts';
import type { Files, Listing } from './files.ts';
import type { KeptValues } from './keptValues.ts';
import type { Limits } from './limits.ts';
import { kindWords, type Mentions, mention } from './mentions.ts';
import { isBroughtIn, type Origin } from './origin.ts';
import { combined, type SaysOfOthers, saidOfOthers, saysNothing } from './parts.ts';
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
  /** By file: what it says of others. */
  readonly said: ReadonlyMap<string, SaysOfOthers>;
  /** What says what is applied, and with which values. */
  readonly delivery: DeliveryOnDisk;
  /** What leads to CRDs elsewhere. */
  readonly leads: Leads;
  /** By file: where it comes from, if the settings name it and it is not of the workspace itself. */
  readonly named: ReadonlyMap<string, Origin>;
  /** What was left out, one line each. */
  readonly notes: readonly string[];
}

export interface LoadOptions {
  readonly limits: Limits;
  /** Whether the load is no longer needed. */
  readonly cancelled: () => boolean;
  /** Where Helm keeps charts that it has fetched. */
  readonly helm?: string | undefined;
  /** What is kept of the values of large files from one run to the next. */
  readonly kept?: KeptValues | undefined;
  /** Takes in which files name which kinds, for whoever searches for them later. */
  readonly mentions?: Mentions;
  /** For whoever answers others meanwhile: the next files are read while one is taken in, and this is waited for between two. */
  readonly pause?: () => Promise<void>;
}

/** How many files are read at a time where others are answered meanwhile. */
const readAtOnce = 4;

/** The same files, of which those that come next are read already. They have to be asked for in their order. */
function readAhead(files: Files, uris: readonly string[], { limits }: LoadOptions): Files {
  const begun = new Map<string, ReturnType<Files['read']>>();
  let next = 0;
  const begin = (uri: string) => {
    const reading = files.read(uri, limits.fileBytes);
    // Whoever takes it is told of the failure. Of those that nobody takes, as they are no longer needed, nobody is.
    reading.catch(() => undefined);
    begun.set(uri, reading);
  };
  const read: Files['read'] = (uri, bytes) => {
    while (next < uris.length && begun.size < readAtOnce) begin(uris[next++]!);
    const reading = begun.get(uri);
    begun.delete(uri);
    return reading ?? files.read(uri, bytes);
  };
  return { ...files, read };
}

/** Reads folders and the files that settings name; keeps those that define kinds or name patches. */
export async function loadWorkspace(files: Files, { own, named }: Listings, options: LoadOptions): Promise<Loaded> {
  const listings = [...own, ...named];
  const kept: SourceFile[] = [];
  const said = new Map<string, SaysOfOthers>();
  const words = new Map<string, readonly string[]>();
  const notes = listings.flatMap(({ cut }) =>
    cut ? [`a folder has more than ${options.limits.files} YAML files; the rest were not read`] : [],
  );
  append(
    notes,
    listings.flatMap((listing) => listing.notes),
  );
  const naming: string[] = [];
  const delivering = new Map<string, DeliveryFile>();
  const inWorkspace = new Set(own.flatMap(({ uris }) => uris));
  const outside = named.flatMap(({ uris }) => uris).filter((uri) => !inWorkspace.has(uri));
  const uris = [...new Set(listings.flatMap((listing) => listing.uris))];
  const reader = options.pause ? readAhead(files, uris, options) : files;
  for (const uri of uris) {
    await options.pause?.();
    if (options.cancelled()) break;
    const isOwn = inWorkspace.has(uri);
    const about = { origin: isOwn ? undefined : namedInSettings, kept: options.kept };
    const one = await loadFile(reader, uri, options.limits, about);
    if (isOwn && one.names) naming.push(uri);
    if (isOwn && one.delivery !== deliversNothing) delivering.set(uri, one.delivery);
    if (one.file?.definesKinds) kept.push(one.file);
    if (one.said !== saysNothing) said.set(uri, one.said);
    words.set(uri, one.words);
    if (options.mentions) mention(options.mentions, uri, one.words);
    append(notes, one.notes);
  }
  const leads = {
    workspace: [...new Set([...own.flatMap((listing) => listing.leads), ...naming])].sort(),
    settings: named.flatMap((listing) => listing.leads).filter((uri) => isArchive(uri)),
    catalogues: named.flatMap((listing) => listing.catalogues),
  };
  const here = own.flatMap((listing) => listing.leads).filter((uri) => isArchive(uri));
  const archives = [...here, ...(options.helm === undefined ? [] : await archivesIn(files, options.helm))];
  const delivery = await deliveryOnDisk(files, delivering, { words, archives });
  const origins = new Map(outside.map((uri) => [uri, namedInSettings]));
  return { files: kept, said, delivery, leads, named: origins, notes };
}

async function archivesIn(files: Files, folder: string): Promise<string[]> {
  const names = (await files.entries(folder)).filter(({ name, isFolder }) => !isFolder && isArchive(name));
  return names.map(({ name }) => `${folder}/${name}`);
}

const namedInSettings: Origin = { text: 'named in kubeCrd.crds', source: 'settings' };

/** A snapshot with what was read in place of what was known of the disk before. */
export function withLoaded(snapshot: Snapshot, { files, said, delivery, named }: Loaded): Snapshot {
  // A file may have been opened before anybody knew where it comes from.
  let open = SortedMap.of(snapshot.open);
  for (const [uri, file] of snapshot.open) {
    const origin = named.get(uri);
    if (file.origin !== origin && !isBroughtIn(file.origin)) open = open.with(uri, { ...file, origin });
  }
  const missing = emptySnapshot.missing;
  return withGiven(withWholeDisk({ ...snapshot, ...combined(said), delivery, open, missing }, files));
}

export interface LoadedFile {
  readonly file: SourceFile | undefined;
  readonly said: SaysOfOthers;
  readonly delivery: DeliveryFile;
  readonly words: readonly string[];
  /** Whether it may name charts or CRDs that are elsewhere. */
  readonly names: boolean;
  readonly notes: readonly string[];
}

const nothing: LoadedFile = {
  ...{ file: undefined, said: saysNothing, delivery: deliversNothing },
  ...{ words: [], names: false, notes: [] },
};

export interface AboutFile {
  readonly origin?: Origin | undefined;
  /** The ConfigMaps and Secrets that objects of other files read. */
  readonly names?: ReadonlySet<string>;
  /** What is kept of the values of large files. */
  readonly kept?: KeptValues | undefined;
}

/** Reads one file. Whatever is wrong with it is noted, and keeps no other file from being read. */
export async function loadFile(files: Files, uri: string, limits: Limits, about: AboutFile = {}): Promise<LoadedFile> {
  try {
    return await readFile(files, uri, limits, about);
  } catch (error) {
    return { ...nothing, notes: [`${uri} could not be read: ${error instanceof Error ? error.message : error}`] };
  }
}

/** Parses a file only if a look at its text says that it matters to others. */
async function readFile(
  files: Files,
  uri: string,
  limits: Limits,
  { origin, names, kept }: AboutFile,
): Promise<LoadedFile> {
  const bytes = await files.read(uri, limits.fileBytes);
  if (bytes === undefined) return nothing;
  if (bytes === 'too-large')
    return { ...nothing, notes: [`${uri} is larger than ${limits.fileBytes} bytes and was not read`] };
  if (!(bytes instanceof Uint8Array)) return { ...nothing, notes: [`${uri} could not be read: ${bytes.why}`] };
  const content = decodeText(bytes);
  if (content.kind === 'binary') return { ...nothing, notes: [`${uri} is not a text file and was not read`] };
  const matters = scan(content.text, baseName(uri));
  const words = kindWords(content.text);
  const isNaming = mayName(uri, content.text);
  const delivery = deliveryIn(uri, content.text, names);
  if (!matters.crd && !matters.parts) return { ...nothing, delivery, words, names: isNaming };
  const file = sourceFile(uri, content.text, { limits, origin, dormant: true, kept });
  // What it defines is found out while its values are at hand.
  definitionsIn(file);
  return {
    file,
    said: matters.parts ? saidOfOthers(file, folderOf(uri)) : saysNothing,
    delivery,
    words,
    names: isNaming,
    notes: file.leftOut.map((what) => `${uri}: ${what}`),
  };
}
