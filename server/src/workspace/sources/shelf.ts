import type { Files } from '../files.ts';
import type { Absent } from '../kinds.ts';
import type { SourceLimits } from '../limits.ts';
import type { Origin } from '../origin.ts';
import type { Account } from './archive.ts';
import { type ArchiveContents, archiveContents } from './archiveContents.ts';
import { cataloguePlace, schemasInArchive, schemasInFolder } from './catalogue.ts';
import { fileContents, folderContents } from './folder.ts';
import { type Contents, findIn, type Place, type Reading } from './place.ts';

/** How places are made of files; each file and folder is read once, whoever names it. */
export interface Shelf {
  /** The first of some archives that is there. */
  archive(name: string, uris: readonly string[], origin: Origin, absent?: Absent): Place;
  folder(name: string, uri: string, origin: Origin, absent?: Absent): Place;
  file(uri: string, origin: Origin): Place;
  /** A catalogue that the settings name. */
  catalogue(uri: string, isArchive: boolean): Place;
}

export function shelfOf(files: Files, limits: SourceLimits, note: (what: string) => void): Shelf {
  const once = remembered<Contents>();
  const onceUnpacked = remembered<ArchiveContents>();
  const reading: Reading = { limits, parsed: new Map(), vain: limits.vainCharacters, note };
  const named = accountOf('named in the settings', limits.unpackedBytes, limits);
  const others = accountOf('of the workspace and of caches', limits.othersUnpackedBytes, limits);
  const ofOthers = { ...limits, unpackedBytes: Math.min(limits.unpackedBytes, limits.othersUnpackedBytes / 2) };
  const open = (uris: readonly string[], isNamed: boolean) =>
    onceUnpacked(uris[0]!, () =>
      isNamed
        ? archiveContents(files, uris, limits, named, note)
        : archiveContents(files, uris, ofOthers, others, note),
    );
  const place = (name: string, origin: Origin, contents: () => Promise<Contents>, absent?: Absent): Place => ({
    name,
    origin,
    find: async (wanted) => findIn(await contents(), wanted, origin, reading),
    absent: async () => ((await contents()).isThere ? undefined : absent),
  });
  return {
    archive: (name, uris, origin, absent) =>
      place(name, origin, () => open(uris, origin.source === 'settings'), absent),
    folder: (name, uri, origin, absent) =>
      place(name, origin, () => once(uri, () => folderContents(files, uri, limits, note)), absent),
    file: (uri, origin) => place(uri, origin, () => once(uri, () => fileContents(files, uri))),
    catalogue: (uri, isArchive) => {
      const schemas = isArchive ? schemasInArchive(() => open([uri], true)) : schemasInFolder(files, uri);
      return cataloguePlace(uri, schemas, limits, note);
    },
  };
}

function remembered<T>(): (key: string, make: () => Promise<T>) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key, make) => {
    const found = known.get(key) ?? make();
    known.set(key, found);
    return found;
  };
}

function accountOf(which: string, bytes: number, { allEntries: entries }: SourceLimits): Account {
  const spent = `the archives ${which} have more than ${bytes} bytes or ${entries} files; the rest was not read`;
  return { bytes, entries, spent };
}
