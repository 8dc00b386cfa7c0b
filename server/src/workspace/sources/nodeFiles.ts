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
  const open = [folder];
  while (open.length > 0 && found.length <= most) {
    const at = open.pop()!;
    for (const entry of await entries(at)) {
      if (entry.isDirectory() && !skippedFolders.has(entry.name)) open.push(path.join(at, entry.name));
      else if (entry.isFile() && yamlName.test(entry.name)) found.push(path.join(at, entry.name));
    }
  }
  const uris = found.slice(0, most).map((file) => pathToFileURL(file).href);
  return { uris: uris.sort(), cut: found.length > most };
}

/** A folder that vanished or may not be read has nothing to give. */
async function entries(folder: string): Promise<Dirent[]> {
  return await fs.readdir(folder, { withFileTypes: true }).catch(ignoreMissing<Dirent[]>([]));
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
    if (stat?.isFile()) return { uris: [pathToFileURL(pattern).href], cut: false };
    return stat ? listing(pattern, most) : { uris: [], cut: false };
  }
  const base = path.dirname(`${pattern.slice(0, magic)}x`);
  const all = await listing(base, most);
  const matches = globOf(pattern);
  return { uris: all.uris.filter((uri) => matches(fileURLToPath(uri))), cut: all.cut };
}

const missing: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

function ignoreMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (missing.has(error.code)) return instead;
    throw error;
  };
}
