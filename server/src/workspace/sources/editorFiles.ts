import { isLead, mayHoldManifests } from '../fileNames.ts';
import { type Entry, emptyListing, type Files, type Listing } from '../files.ts';
import { isInside, resolve } from '../uri.ts';
import { isCatalogue } from './isCatalogue.ts';

/** What the editor answers about files: for the web, virtual workspaces, and remote ones. */
export interface EditorRequests {
  list(folder: string, most: number): Promise<readonly string[]>;
  /** The bytes as base64, or null. */
  read(uri: string): Promise<string | null>;
  entries(folder: string): Promise<readonly Entry[]>;
}

/** Files that only the editor can reach. */
export function editorFiles(ask: EditorRequests): Files {
  return {
    list: async (folder, most) => {
      return listingOf(await ask.list(folder, most + 1), most);
    },
    read: async (uri, mostBytes) => {
      const base64 = await ask.read(uri);
      if (base64 === null) return undefined;
      return base64.length * 0.75 > mostBytes ? 'too-large' : fromBase64(base64);
    },
    // The editor follows no link for us that it does not show.
    isInside: async (uri, folder) => uri === folder || isInside(uri, folder),
    // A pattern is resolved by the editor below the workspace's folders only.
    expand: async (pattern, folder, most) => {
      if (folder === undefined || /[*?]/.test(pattern))
        return { ...listingOf([], most), notes: [`${pattern} cannot be searched for here`] };
      const at = placeOf(pattern, folder);
      if ((await ask.read(at)) !== null) return isLead(at) ? listingOf([at], most) : { ...emptyListing, uris: [at] };
      if (await isCatalogue(at, ask.entries)) return { ...emptyListing, catalogues: [at] };
      const found = listingOf(await ask.list(at, most + 1), most);
      return found.uris.length > 0 ? found : { ...found, notes: [`there is nothing at ${at}`] };
    },
    startOf: (pattern, folder) => placeOf(beforeWildcard(pattern), folder ?? ''),
    entries: (folder) => ask.entries(folder),
  };
}

function beforeWildcard(pattern: string): string {
  const magic = pattern.search(/[*?]/);
  return magic === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', magic) + 1);
}

function placeOf(pattern: string, folder: string): string {
  return resolve(folder.replace(/\/$/, ''), pattern.replace(/^\//, ''));
}

function listingOf(found: readonly string[], most: number): Listing {
  const all = found.slice(0, most);
  const uris = all.filter((uri) => !isLead(uri) && mayHoldManifests(uri));
  return { ...emptyListing, uris, leads: all.filter(isLead), cut: found.length > most };
}

function fromBase64(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** `file:` from the disk, every other scheme through the editor. */
export function filesByScheme(disk: Files, editor: Files): Files {
  const of = (uri: string | undefined) => (uri === undefined || uri.startsWith('file:') ? disk : editor);
  return {
    list: (folder, most, walk) => of(folder).list(folder, most, walk),
    read: (uri, mostBytes) => of(uri).read(uri, mostBytes),
    expand: (pattern, folder, most, walk) => of(folder).expand(pattern, folder, most, walk),
    startOf: (pattern, folder) => of(folder).startOf(pattern, folder),
    entries: (folder) => of(folder).entries(folder),
    isInside: async (uri, folder) => of(uri) === of(folder) && of(uri).isInside(uri, folder),
  };
}
