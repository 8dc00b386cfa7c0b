import { grouped } from '../../base/text.ts';
import { emptyListing, type Files, type Listing, type Walk } from '../files.ts';
import { isInside, withFolders } from '../uri.ts';

// Files of the workspace may name others: the CRD that tests are about, CRDs beside those of the workspace. Whoever wrote
// them is not the one who runs us: what they name lies in the workspace, wherever links lead.

/** How many folders are looked into for all patterns together; a hundred names in one count as one more. */
export const mostFolders = 20_000;

/** A longer pattern names nothing. */
const longestPattern = 4_096;

/** The folders in which what the files of a folder name may lie. */
export type Homes = (folder: string) => Promise<readonly string[]>;

/** Files whose patterns are named by files of the workspace. */
export function namedByFiles(files: Files, homesOf: Homes): Files {
  const walk: Walk = { folders: mostFolders };
  return {
    ...files,
    expand: async (pattern, folder, most) => {
      if (pattern.length > longestPattern) return refused(`a path of ${pattern.length} characters is not looked for`);
      const homes = folder === undefined ? [] : await homesOf(folder);
      if (!(await isAmong(files, homes, files.startOf(pattern, folder)))) return refused(outside(pattern));
      const found = await files.expand(pattern, folder, most, walk);
      const kept = await keptIn(files, homes, found);
      if (walk.folders > 0) return kept;
      const why = `${pattern} leads through more than ${grouped(mostFolders)} folders`;
      return { ...kept, refused: why, notes: [why] };
    },
  };
}

function refused(why: string): Listing {
  return { ...emptyListing, refused: why, notes: [why] };
}

function outside(pattern: string): string {
  return `${pattern} is not in the workspace; only settings of your own and the command line can name other places`;
}

/** Whether something, or the nearest folder around it that is there, lies in one of the folders. */
export async function isAmong(files: Files, homes: readonly string[], uri: string): Promise<boolean> {
  for (const at of withFolders(uri)) {
    for (const home of homes) if (await files.isInside(at, home)) return true;
    // What is there is inside of itself.
    if (await files.isInside(at, at)) return false;
  }
  return false;
}

/** Without links that lead out. */
async function keptIn(files: Files, homes: readonly string[], listing: Listing): Promise<Listing> {
  const { uris, leads, catalogues } = listing;
  const notes = [...listing.notes];
  let refusal: string | undefined;
  const kept = async (all: readonly string[]) => {
    const found: string[] = [];
    for (const uri of all) {
      if (await isAmong(files, homes, uri)) found.push(uri);
      else {
        refusal = `${uri} is a link that leads out of the workspace, and was not read`;
        if (notes.length < mostNotes) notes.push(refusal);
      }
    }
    return found;
  };
  const inside = { uris: await kept(uris), leads: await kept(leads), catalogues: await kept(catalogues) };
  return { ...listing, ...inside, notes, ...(refusal !== undefined && { refused: refusal }) };
}

const mostNotes = 20;

interface Around {
  /** Folders of the workspace. */
  readonly folders: readonly string[];
  /** The folder that counts where there is no repository. */
  readonly otherwise?: string;
  /** What the user has named. */
  readonly named: readonly string[];
  /** Whether the repository around a folder counts as well: that is where the workspace may be only a part of it. */
  readonly repository: boolean;
}

export function homesIn(files: Files, { folders, otherwise, named, repository }: Around): Homes {
  return async (folder) => {
    const around = repository ? await repositoryAround(files, folder) : undefined;
    const isIn = (one: string) => folder === one || isInside(folder, one);
    if (around !== undefined || folders.some(isIn)) return [...(around ? [around] : []), ...folders, ...named];
    return [otherwise !== undefined && isIn(otherwise) ? otherwise : folder, ...folders, ...named];
  };
}

async function repositoryAround(files: Files, folder: string): Promise<string | undefined> {
  for (const at of withFolders(folder)) if (await files.isInside(`${at}/.git`, at)) return at;
  return undefined;
}
