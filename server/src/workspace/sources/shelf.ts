import type { Files } from '../files.ts';
import type { Absent } from '../kinds.ts';
import type { SourceLimits } from '../limits.ts';
import type { Origin } from '../origin.ts';
import { archiveContents } from './archiveContents.ts';
import { cataloguePlace } from './catalogue.ts';
import { fileContents, folderContents } from './folder.ts';
import { type Contents, findIn, type Place } from './place.ts';

/** How places are made of files; each file and folder is read once, whoever names it. */
export interface Shelf {
  /** The first of some archives that is there. */
  archive(name: string, uris: readonly string[], origin: Origin, absent?: Absent): Place;
  folder(name: string, uri: string, origin: Origin, absent?: Absent): Place;
  file(uri: string, origin: Origin): Place;
  catalogue(uri: string, isArchive: boolean): Place;
}

export function shelfOf(files: Files, limits: SourceLimits, note: (what: string) => void): Shelf {
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
