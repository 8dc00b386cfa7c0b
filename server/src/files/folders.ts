import {
  accessSync,
  constants,
  type Dirent,
  promises as fs,
  lstatSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { answered } from './answers.ts';
import { isMissing } from './read.ts';

export type Kind = 'file' | 'folder' | 'other';

/** What there is at a path, links followed; undefined where there is nothing for us. */
export async function kindAt(place: string): Promise<Kind | undefined> {
  const stat = await fs.stat(place).catch(nothing);
  return answered(stat && kindOf(stat), (kind) => kind, 'kind', place);
}

export function kindNow(place: string): Kind | undefined {
  return answered(statKind(place), (kind) => kind, 'kind', place);
}

function statKind(place: string): Kind | undefined {
  try {
    return kindOf(statSync(place));
  } catch (error) {
    return nothing(error);
  }
}

/** Whether nobody but the user can have written there, as far as the system tells that; undefined where nothing is. */
export function isOurs(place: string): boolean | undefined {
  const stat = linkNow(place);
  const user = process.getuid?.();
  return stat && !stat.isSymbolicLink() && (user === undefined || (stat.uid === user && (stat.mode & 0o022) === 0));
}

/** How long ago a file was written, in milliseconds; undefined where there is none. */
export function ageNow(file: string): number | undefined {
  const stat = linkNow(file);
  return stat && Date.now() - stat.mtimeMs;
}

/** What there is at a path itself, be it a link; undefined where there is nothing for us. */
function linkNow(place: string): Stats | undefined {
  try {
    return lstatSync(place);
  } catch (error) {
    return nothing(error);
  }
}

export function isProgramNow(file: string): boolean {
  return answered(mayRun(file), String, 'program', file);
}

function mayRun(file: string): boolean {
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

/**
 * What is in a folder, or of it what has some names alone. A folder that vanished or may not be read has nothing to give;
 * what else is wrong with one is noted.
 */
export async function contentsOf(folder: string, only?: readonly string[]): Promise<Contents> {
  const said = ({ entries, notes }: Contents) => `${namesOf(entries)}\n\n${notes.join('\n')}`;
  const { entries, notes } = await listed(folder);
  const wanted = { entries: only ? entries.filter(({ name }) => only.includes(name)) : entries, notes };
  return answered(wanted, said, 'contents', folder, ...(only ?? []));
}

/** The names in a folder with what each is, in the order of the names. */
function namesOf(entries: readonly Dirent[]): string {
  const types = ['isFile', 'isDirectory', 'isSymbolicLink'] as const;
  return entries
    .map((entry) => `${entry.name}/${types.findIndex((type) => entry[type]())}`)
    .sort()
    .join('\n');
}

async function listed(folder: string): Promise<Contents> {
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
  return answered(listedNow(folder), namesOf, 'entries', folder);
}

function listedNow(folder: string): readonly Dirent[] {
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

/** The same while everything waits. */
export function isInsideNow(place: string, folder: string): boolean {
  const [real, home] = [realPathNow(place), realPathNow(folder)];
  return real !== undefined && home !== undefined && isBelow(real, home);
}

/** Whether a path is one of a folder, or that folder's own, by their names alone. */
export function isBelow(place: string, folder: string): boolean {
  const way = path.relative(folder, place);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** Where a path leads when all links are followed. */
export async function realPath(place: string): Promise<string | undefined> {
  return answered(await fs.realpath(place).catch(nothing), (real) => real, 'real', place);
}

/** Where a link says that it leads; undefined where it is none. */
export async function linkTarget(link: string): Promise<string | undefined> {
  const written = await fs.readlink(link).catch(nothing);
  const target = written === undefined ? undefined : path.resolve(path.dirname(link), written);
  return answered(target, (found) => found, 'link', link);
}

function realPathNow(place: string): string | undefined {
  return answered(foundNow(place), (real) => real, 'real', place);
}

function foundNow(place: string): string | undefined {
  try {
    return realpathSync.native(place);
  } catch (error) {
    return nothing(error);
  }
}

/** No file can have such a name. */
const unnamable: ReadonlySet<unknown> = new Set(['ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

function nothing(error: unknown): undefined {
  const isNamed = !(error instanceof Error && 'code' in error && unnamable.has(error.code));
  if (isNamed && !isMissing(error)) throw error;
}
