import type { Read } from '../../files/read.ts';
import { emptyListing, type Files } from '../files.ts';

/**
 * Files as a workspace gets them that is not trusted: those of its own folders, wherever names and links lead. All files
 * are there once the folders are undefined.
 */
export function confined(files: Files, folders: () => readonly string[] | undefined): Files {
  const isOurs = async (uri: string): Promise<boolean> => {
    const own = folders();
    if (own === undefined) return true;
    for (const folder of own) if (await files.isInside(uri, folder)) return true;
    return false;
  };
  const read = async (uri: string, mostBytes: number): Promise<Read> => {
    if (await isOurs(uri)) return await files.read(uri, mostBytes);
    return { why: 'it is not in the workspace, which is not trusted' };
  };
  return {
    read,
    list: async (folder, most, walk) => ((await isOurs(folder)) ? await files.list(folder, most, walk) : emptyListing),
    entries: async (folder, only) => ((await isOurs(folder)) ? await files.entries(folder, only) : []),
    isInside: (uri, folder) => files.isInside(uri, folder),
    ...(files.gunzip && { gunzip: files.gunzip }),
    startOf: (pattern, folder) => files.startOf(pattern, folder),
    expand: async (pattern, folder, most, walk) => {
      const found = await files.expand(pattern, folder, most, walk);
      if (folders() === undefined) return found;
      const ours = async (uris: readonly string[]) => {
        const areOurs = await Promise.all(uris.map(isOurs));
        return uris.filter((_, i) => areOurs[i]);
      };
      const { uris, leads, catalogues } = found;
      return { ...found, uris: await ours(uris), leads: await ours(leads), catalogues: await ours(catalogues) };
    },
  };
}
