import {
  accessSync,
  constants,
  type Dirent,
  promises as fs,
  lstatSync,
  readdirSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { isMissing } from './read.ts';

export type Kind = 'file' | 'folder' | 'other';

/** What there is at a path, links followed; undefined where there is nothing for us. */
export async function kindAt(place: string): Promise<Kind | undefined> {
  const stat = await fs.stat(place).catch(nothing);
  return stat && kindOf(stat);
}

export function kindNow(place: string): Kind | undefined {
  try {
    return kindOf(statSync(place));
  } catch (error) {
    return nothing(error);
  }
}

/** What there is at a path itself, be it a link; undefined where there is nothing for us. */
export function linkNow(place: string): Stats | undefined {
  try {
    return lstatSync(place);
  } catch (error) {
    return nothing(error);
  }
}

export function isProgramNow(file: string): boolean {
  if (kindNow(file) !== 'file') return false;
  // There the name says what is a program.
  if (process.platform === 'win32') return true;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

function kindOf(stat: Stats): Kind {
  return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other';
}

/** What is in a folder, and what could not be looked into, one line each. */
export interface Contents {
  readonly entries: readonly Dirent[];
  readonly notes: readonly string[];
}

/** A folder that vanished or may not be read has nothing to give; what else is wrong with one is noted. */
export async function contentsOf(folder: string): Promise<Contents> {
  try {
    const all = await fs.readdir(folder, { withFileTypes: true });
    const named = await Promise.all(all.map((entry) => isNamed(folder, entry)));
    const odd = named.filter((one) => !one).length;
    return { entries: all.filter((_, i) => named[i]), notes: odd === 0 ? [] : [unnamed(folder, odd)] };
  } catch (error) {
    if (isMissing(error)) return { entries: [], notes: [] };
    if (!(error instanceof Error && 'code' in error)) throw error;
    return { entries: [], notes: [`${folder} could not be read: ${error.message}`] };
  }
}

function unnamed(folder: string, count: number): string {
  return count === 1
    ? `${folder} has 1 name that is not UTF-8; what it names was not read`
    : `${folder} has ${count} names that are not UTF-8; what they name was not read`;
}

/** A name that is not UTF-8 comes with this character in place of its bytes, and then names nothing. */
async function isNamed(folder: string, { name }: Dirent): Promise<boolean> {
  return !name.includes('\ufffd') || (await fs.lstat(path.join(folder, name)).catch(nothing)) !== undefined;
}

/** What is in a folder, while everything waits. */
export function entriesNow(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return nothing(error) ?? [];
  }
}

/** Whether a place is in a folder, or that folder itself, once all links are followed. What is not there is in none. */
export async function isInside(place: string, folder: string): Promise<boolean> {
  const [real, home] = await Promise.all([realPath(place), realPath(folder)]);
  return real !== undefined && home !== undefined && isBelow(real, home);
}

/** Whether a path is one of a folder, or that folder's own, by their names alone. */
export function isBelow(place: string, folder: string): boolean {
  const way = path.relative(folder, place);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** Where a path leads when all links are followed. */
export async function realPath(place: string): Promise<string | undefined> {
  return await fs.realpath(place).catch(nothing);
}

/** No file can have such a name. */
const unnamable: ReadonlySet<unknown> = new Set(['ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

function nothing(error: unknown): undefined {
  const isNamed = !(error instanceof Error && 'code' in error && unnamable.has(error.code));
  if (isNamed && !isMissing(error)) throw error;
}
