import type { Dirent } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { append } from '../../base/append.ts';
import { addressOf } from '../../files/address.ts';
import { contentsOf, isInside, isInsideNow, kindAt, linkTarget } from '../../files/folders.ts';
import { gunzipped } from '../../files/gunzip.ts';
import { readRegular, readRegularNow } from '../../files/read.ts';
import { isLead, isOtherJson, mayHoldCrds, mayHoldManifests } from '../fileNames.ts';
import { type Entry, emptyListing, type Files, type Listing, skippedFolders, type Walk } from '../files.ts';
import { globOf } from '../glob.ts';
import { isCatalogue } from './isCatalogue.ts';

/** How the address of a path is written. */
type Write = (path: string) => string;

/** Files of this machine's disk, as most editors write their addresses. */
export const nodeFiles: Files = filesOf((path) => pathToFileURL(path).href);

/**
 * The same, read while everything waits: several times as fast, for a program that has nothing else to do. Its addresses are
 * written as those of what a manifest names.
 */
export const promptFiles: Files = {
  ...filesOf(addressOf),
  read: async (uri, mostBytes) => readRegularNow(fileURLToPath(uri), mostBytes),
  isInside: async (uri, folder) => isInsideNow(fileURLToPath(uri), fileURLToPath(folder)),
};

function filesOf(write: Write): Files {
  return {
    list: async (folder, most, walk) => listing(fileURLToPath(folder), most, mayMatter, write, walk),
    read: async (uri, mostBytes) => readRegular(fileURLToPath(uri), mostBytes),
    isInside: async (uri, folder) => isInside(fileURLToPath(uri), fileURLToPath(folder)),
    expand: async (pattern, folder, most, walk) => expandPattern(resolved(pattern, folder), most, write, walk),
    startOf: (pattern, folder) => write(startOf(resolved(pattern, folder))),
    entries: async (folder, only) => entriesOf(fileURLToPath(folder), write, only),
    gunzip: gunzipped,
  };
}

function mayMatter(file: string): boolean {
  const name = inFolder(file);
  return mayHoldManifests(name) || isLead(name);
}

function inFolder(file: string): string {
  return file.split(path.sep).slice(-2).join('/');
}

async function entriesOf(folder: string, write: Write, only?: readonly string[]): Promise<Entry[]> {
  const { entries } = await contentsOf(folder, only);
  return await Promise.all(
    entries.map(async (entry) => {
      const leadsTo = entry.isSymbolicLink() ? await folderBehind(path.join(folder, entry.name)) : undefined;
      const isFolder = entry.isDirectory();
      return { name: entry.name, isFolder, ...(leadsTo !== undefined && { leadsTo: write(leadsTo) }) };
    }),
  );
}

/** The folder that a link leads to, called as the link calls it: what is there is known by that name. */
async function folderBehind(link: string): Promise<string | undefined> {
  return (await kindAt(link)) === 'folder' ? await linkTarget(link) : undefined;
}

function resolved(pattern: string, folder: string | undefined): string {
  return path.resolve(folder ? fileURLToPath(folder) : '.', pattern);
}

/** The folder before the first wildcard of a pattern. */
function startOf(pattern: string): string {
  const magic = pattern.search(/[*?]/);
  return magic === -1 ? pattern : path.dirname(`${pattern.slice(0, magic)}x`);
}

async function listing(
  folder: string,
  most: number,
  wants: (file: string) => boolean,
  write: Write,
  walk: Walk = { folders: Number.POSITIVE_INFINITY },
): Promise<Listing> {
  const found: string[] = [];
  // Told while there is a folder to wait for, since there can be many.
  const leads = new Set<string>();
  const json: string[] = [];
  const notes: string[] = [];
  const open = [folder];
  while (open.length > 0 && found.length <= most) {
    if (walk.folders <= 0) {
      notes.push(`${folder} has too many folders; the rest were not looked into`);
      break;
    }
    const at = open.pop()!;
    const contents = await contentsOf(at);
    walk.folders -= 1 + Math.floor(contents.entries.length / 100);
    append(notes, contents.notes);
    for (const entry of contents.entries) {
      const inner = path.join(at, entry.name);
      if (entry.isDirectory() && !skippedFolders.has(entry.name)) open.push(inner);
      else if (wants(inner) && (entry.isFile() || (await isLinkToFile(entry, inner)))) {
        const uri = write(inner);
        found.push(uri);
        if (isLead(uri)) leads.add(uri);
      } else if (entry.isFile() && json.length < most && isOtherJson(inFolder(inner))) json.push(write(inner));
    }
  }
  return { ...listingOf(found.slice(0, most), leads), json: json.sort(), cut: found.length > most, notes };
}

function listingOf(files: readonly string[], leads: ReadonlySet<string>): Listing {
  const uris = [...files].sort();
  return {
    ...emptyListing,
    uris: uris.filter((uri) => !leads.has(uri)),
    leads: uris.filter((uri) => leads.has(uri)),
  };
}

/** Links to folders are not followed: they may lead round in circles. */
async function isLinkToFile(entry: Dirent, file: string): Promise<boolean> {
  return entry.isSymbolicLink() && (await kindAt(file)) === 'file';
}

/**
 * `**` crosses folders, `*` and `?` stay within a name; a folder stands for all YAML files and archives below it, unless it
 * is a catalogue of schemas.
 */
async function expandPattern(pattern: string, most: number, write: Write, walk: Walk | undefined): Promise<Listing> {
  const base = startOf(pattern);
  if (base === pattern) {
    const kind = await kindAt(pattern);
    if (kind === 'file') {
      const uri = write(pattern);
      return listingOf([uri], new Set(isLead(uri) ? [uri] : []));
    }
    if (kind !== 'folder') return { ...emptyListing, notes: [`there is nothing to read at ${pattern}`] };
    const uri = write(pattern);
    const isOne = await isCatalogue(uri, (folder) => entriesOf(fileURLToPath(folder), write));
    return isOne ? { ...emptyListing, catalogues: [uri] } : listing(pattern, most, mayMatter, write, walk);
  }
  const matches = globOf(pattern);
  const found = await listing(base, most, (file) => mayHoldCrds(file) && matches(file), write, walk);
  const nothing = found.uris.length + found.leads.length === 0;
  return nothing ? { ...found, notes: [...found.notes, `nothing matches ${pattern}`] } : found;
}
