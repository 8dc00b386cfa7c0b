import { type Dirent, promises as fs } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Files, type Listing, skippedFolders, yamlName } from '../files.ts';
import { globOf } from '../glob.ts';

/** Files of this machine's disk. */
export const nodeFiles: Files = {
  list: async (folder, most) => listing(fileURLToPath(folder), most),
  read: async (uri, mostBytes) => readFile(fileURLToPath(uri), mostBytes),
  expand: async (pattern, folder, most) =>
    expandPattern(path.resolve(folder ? fileURLToPath(folder) : '.', pattern), most),
};

async function listing(folder: string, most: number): Promise<Listing> {
  const found: string[] = [];
  const notes: string[] = [];
  const open = [folder];
  while (open.length > 0 && found.length <= most) {
    const at = open.pop()!;
    for (const entry of await entries(at, notes)) {
      const inner = path.join(at, entry.name);
      if (entry.isDirectory() && !skippedFolders.has(entry.name)) open.push(inner);
      else if (yamlName.test(entry.name) && (entry.isFile() || (await isLinkToFile(entry, inner)))) found.push(inner);
    }
  }
  const uris = found.slice(0, most).map((file) => pathToFileURL(file).href);
  return { uris: uris.sort(), cut: found.length > most, notes };
}

/** A folder that vanished or may not be read has nothing to give; what else is wrong with one is noted. */
async function entries(folder: string, notes: string[]): Promise<Dirent[]> {
  return await fs.readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (!missing.has(error.code)) notes.push(`${folder} could not be read: ${error.message}`);
    return [];
  });
}

/** Links to folders are not followed: they may lead round in circles. */
async function isLinkToFile(entry: Dirent, file: string): Promise<boolean> {
  return entry.isSymbolicLink() && ((await fs.stat(file).catch(ignoreMissing(undefined)))?.isFile() ?? false);
}

async function readFile(file: string, mostBytes: number): Promise<Uint8Array | 'too-large' | undefined> {
  const stat = await fs.stat(file).catch(ignoreMissing(undefined));
  if (!stat?.isFile()) return undefined;
  if (stat.size > mostBytes) return 'too-large';
  return await fs.readFile(file).catch(ignoreMissing(undefined));
}

/** `**` crosses folders, `*` and `?` stay within a name; a folder stands for all YAML files below it. */
async function expandPattern(pattern: string, most: number): Promise<Listing> {
  const magic = pattern.search(/[*?]/);
  if (magic === -1) {
    const stat = await fs.stat(pattern).catch(ignoreMissing(undefined));
    if (stat?.isFile()) return { uris: [pathToFileURL(pattern).href], cut: false, notes: [] };
    return stat ? listing(pattern, most) : { uris: [], cut: false, notes: [`there is nothing at ${pattern}`] };
  }
  const base = path.dirname(`${pattern.slice(0, magic)}x`);
  const all = await listing(base, most);
  const matches = globOf(pattern);
  const uris = all.uris.filter((uri) => matches(fileURLToPath(uri)));
  const notes = uris.length === 0 ? [...all.notes, `nothing matches ${pattern}`] : all.notes;
  return { uris, cut: all.cut, notes };
}

const missing: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

function ignoreMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (missing.has(error.code)) return instead;
    throw error;
  };
}
