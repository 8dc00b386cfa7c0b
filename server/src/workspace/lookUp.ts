import { append } from '../base/append.ts';
import { SortedMap } from '../base/sortedMap.ts';
import { type Definitions, definitionsFor, isDefined } from './definitions.ts';
import { type Absent, keyOfWanted, type WantedKind, wantedKind } from './kinds.ts';
import { type PackagedData, packagedFor, publishedFor } from './packaged.ts';
import { type Snapshot, withDisk } from './snapshot.ts';
import type { SourceFile } from './sourceFile.ts';
import { type Published, publishedText } from './sources/published.ts';
import { folderOf } from './uri.ts';

/** Everything that may know the CRD of a kind which no file of the workspace defines. */
export interface Library {
  /** The files that define a kind, from the first source that knows it; `published` is where everybody finds it. */
  find(wanted: WantedKind, published?: Published): Promise<Found>;
  /** What was left out, one line each, as far as anything was read. */
  notes(): readonly string[];
}

/** What a library has of a kind: files, or what is not here and might have told. */
export interface Found {
  readonly files: readonly SourceFile[];
  readonly absent: readonly Absent[];
}

/** A library of its own each time: what was looked for in one was not looked for in another. */
export function noLibrary(): Library {
  return { find: async () => ({ files: [], absent: [] }), notes: () => [] };
}

/** The kinds of a file that nothing defines and that nobody has looked for. */
export function kindsToLookUp(snapshot: Snapshot, file: SourceFile): WantedKind[] {
  if (file.template) return [];
  return file.manifests.flatMap((manifest) => {
    if (manifest.role !== 'resource') return [];
    if (definitionsFor(snapshot.definitions, manifest, file.uri).length > 0) return [];
    const wanted = wantedKind(manifest);
    return wanted && !snapshot.missing.has(keyOfWanted(wanted)) ? [wanted] : [];
  });
}

/** A kind, what is not here and might have told of it, and where everybody finds it if there is nothing of that. */
interface Asked {
  readonly wanted: WantedKind;
  readonly absent: readonly Absent[];
  readonly published?: Published;
}

/** What a search for kinds gave. */
export interface LookedUp {
  readonly files: readonly SourceFile[];
  readonly asked: readonly Asked[];
}

/** Looks for kinds in a library, and in what comes with the program. */
export async function lookUp(library: Library, wanted: readonly WantedKind[], data: PackagedData): Promise<LookedUp> {
  const files: SourceFile[] = [];
  const asked: LookedUp['asked'][number][] = [];
  const kinds = new Map(wanted.map((one) => [keyOfWanted(one), one]));
  for (const one of kinds.values()) {
    const published = await publishedFor(one, data);
    const found = await library.find(one, published);
    append(files, found.files.length > 0 ? found.files : await packagedFor(one, data));
    asked.push({ wanted: one, absent: found.absent, ...(found.absent.length === 0 && published && { published }) });
  }
  return { files, asked };
}

/** Where a kind is published, unless that is here, and does not have it. */
function publishedElsewhere({ published, wanted }: Asked, definitions: Definitions): Absent[] {
  if (!published) return [];
  const isHere = [...definitions].some(
    ([key, all]) =>
      key.startsWith(`${wanted.group}/`) &&
      all.some(({ file }) => file.origin === undefined && folderOf(file.uri).endsWith(`/${published.folder}`)),
  );
  return isHere ? [] : [{ what: publishedText(published) }];
}

/** A snapshot that also knows what a search gave. What is not defined even so is missing, and not looked for again. */
export function withLookedUp(snapshot: Snapshot, { files, asked }: LookedUp): Snapshot {
  let next = snapshot;
  for (const file of files) if (!next.onDisk.has(file.uri)) next = withDisk(next, file.uri, file);
  const missing = asked.filter(({ wanted }) => !isDefined(next.definitions, wanted));
  if (missing.length === 0) return next;
  let known = SortedMap.of(next.missing);
  for (const one of missing) {
    const absent = [...one.absent, ...publishedElsewhere(one, next.definitions)];
    known = known.with(keyOfWanted(one.wanted), absent);
  }
  return { ...next, missing: known };
}
