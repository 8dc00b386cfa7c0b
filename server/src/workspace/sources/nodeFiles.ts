import { type Dirent, promises as fs, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type Entry,
  emptyListing,
  type Files,
  isLead,
  type Listing,
  mayHoldCrds,
  mayHoldManifests,
  skippedFolders,
} from '../files.ts';
import { globOf } from '../glob.ts';
import { isCatalogue } from './catalogue.ts';

/** Files of this machine's disk. */
export const nodeFiles: Files = {
  list: async (folder, most) => listing(fileURLToPath(folder), most, mayMatter),
  read: async (uri, mostBytes) => readFile(fileURLToPath(uri), mostBytes),
  expand: async (pattern, folder, most) =>
    expandPattern(path.resolve(folder ? fileURLToPath(folder) : '.', pattern), most),
  entries: async (folder) => entriesOf(fileURLToPath(folder)),
};

/** The same, read while everything waits: several times as fast, for a program that has nothing else to do. */
export const promptFiles: Files = {
  ...nodeFiles,
  read: async (uri, mostBytes) => readNow(fileURLToPath(uri), mostBytes),
};

function readNow(file: string, mostBytes: number): Uint8Array | 'too-large' | undefined {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) return undefined;
    return stat.size > mostBytes ? 'too-large' : readFileSync(file);
  } catch (error) {
    return ignoreMissing(undefined)(error as NodeJS.ErrnoException);
  }
}

function mayMatter(file: string): boolean {
  const inFolder = file.split(path.sep).slice(-2).join('/');
  return mayHoldManifests(inFolder) || isLead(inFolder);
}

async function entriesOf(folder: string): Promise<Entry[]> {
  return (await entries(folder, [])).map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}

async function listing(folder: string, most: number, wants: (file: string) => boolean): Promise<Listing> {
  const found: string[] = [];
  const notes: string[] = [];
  const open = [folder];
  while (open.length > 0 && found.length <= most) {
    const at = open.pop()!;
    for (const entry of await entries(at, notes)) {
      const inner = path.join(at, entry.name);
      if (entry.isDirectory() && !skippedFolders.has(entry.name)) open.push(inner);
      else if (wants(inner) && (entry.isFile() || (await isLinkToFile(entry, inner)))) found.push(inner);
    }
  }
  return { ...listingOf(found.slice(0, most)), cut: found.length > most, notes };
}

function listingOf(files: readonly string[]): Listing {
  const uris = files.map((file) => pathToFileURL(file).href).sort();
  return { ...emptyListing, uris: uris.filter((uri) => !isLead(uri)), leads: uris.filter(isLead) };
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

/**
 * `**` crosses folders, `*` and `?` stay within a name; a folder stands for all YAML files and archives below it, unless it
 * is a catalogue of schemas.
 */
async function expandPattern(pattern: string, most: number): Promise<Listing> {
  const magic = pattern.search(/[*?]/);
  if (magic === -1) {
    const stat = await fs.stat(pattern).catch(ignoreMissing(undefined));
    if (stat?.isFile()) return listingOf([pattern]);
    if (!stat) return { ...emptyListing, notes: [`there is nothing at ${pattern}`] };
    const uri = pathToFileURL(pattern).href;
    const isOne = await isCatalogue(uri, (folder) => entriesOf(fileURLToPath(folder)));
    return isOne ? { ...emptyListing, catalogues: [uri] } : listing(pattern, most, mayMatter);
  }
  const base = path.dirname(`${pattern.slice(0, magic)}x`);
  const matches = globOf(pattern);
  const found = await listing(base, most, (file) => mayHoldCrds(file) && matches(file));
  const nothing = found.uris.length + found.leads.length === 0;
  return nothing ? { ...found, notes: [...found.notes, `nothing matches ${pattern}`] } : found;
}

const missing: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

function ignoreMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (missing.has(error.code)) return instead;
    throw error;
  };
}
