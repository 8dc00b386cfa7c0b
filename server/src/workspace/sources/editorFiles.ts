import { type Entry, emptyListing, type Files, isLead, type Listing, mayHoldManifests } from '../files.ts';
import { resolve } from '../uri.ts';
import { isCatalogue } from './catalogue.ts';

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
    // A pattern is resolved by the editor below the workspace's folders only.
    expand: async (pattern, folder, most) => {
      if (folder === undefined || /[*?]/.test(pattern))
        return { ...listingOf([], most), notes: [`${pattern} cannot be searched for here`] };
      const at = resolve(folder.replace(/\/$/, ''), pattern.replace(/^\//, ''));
      if ((await ask.read(at)) !== null) return isLead(at) ? listingOf([at], most) : { ...emptyListing, uris: [at] };
      if (await isCatalogue(at, ask.entries)) return { ...emptyListing, catalogues: [at] };
      const found = listingOf(await ask.list(at, most + 1), most);
      return found.uris.length > 0 ? found : { ...found, notes: [`there is nothing at ${at}`] };
    },
    entries: (folder) => ask.entries(folder),
  };
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
    list: (folder, most) => of(folder).list(folder, most),
    read: (uri, mostBytes) => of(uri).read(uri, mostBytes),
    expand: (pattern, folder, most) => of(folder).expand(pattern, folder, most),
    entries: (folder) => of(folder).entries(folder),
  };
}
