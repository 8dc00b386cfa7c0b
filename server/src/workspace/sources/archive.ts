import { append } from '../../base/append.ts';
import { isArchive } from '../fileNames.ts';
import type { SourceLimits } from '../limits.ts';
import { type TarEntry, type TarVisitor, tarReader } from './tar.ts';

/** What is done with the files of an archive. Archives in it are looked into as if they were folders. */
export interface ArchiveVisitor {
  wants(path: string): boolean;
  take(path: string, content: Uint8Array): void;
}

/** What may still be unpacked: of one archive with those in it, or of several together. */
export interface Account {
  bytes: number;
  entries: number;
  /** What is said once it is spent. */
  readonly spent: string;
}

export interface ArchiveLimits extends SourceLimits {
  /** Bytes of one file. */
  readonly fileBytes: number;
}

export const isSpent = ({ bytes, entries }: Account) => bytes < 0 || entries < 0;

function accountOf({ unpackedBytes: bytes, archiveEntries: entries }: SourceLimits): Account[] {
  const most = Number.POSITIVE_INFINITY;
  return [
    { bytes, entries: most, spent: `it unpacks to more than ${bytes} bytes; the rest was not read` },
    { bytes: most, entries, spent: `it holds more than ${entries} files; the rest were not read` },
  ];
}

/**
 * Walks through a gzipped tar archive, as long as its own account and one that it shares with others last. Gives what is
 * wrong with it or was left out, one line each.
 */
export async function walkArchive(
  bytes: Uint8Array,
  limits: ArchiveLimits,
  visitor: ArchiveVisitor,
  gunzip: Gunzip,
  shared: readonly Account[] = [],
): Promise<readonly string[]> {
  const accounts = [...accountOf(limits), ...shared];
  // What cannot be unpacked was read all the same.
  for (const account of shared) account.bytes -= bytes.length;
  return [...new Set(await walk(bytes, '', limits.archiveLevels, limits, accounts, visitor, gunzip))];
}

async function walk(
  bytes: Uint8Array,
  prefix: string,
  levels: number,
  limits: ArchiveLimits,
  accounts: readonly Account[],
  visitor: ArchiveVisitor,
  gunzip: Gunzip,
): Promise<string[]> {
  const notes: string[] = [];
  const inner: { readonly path: string; readonly content: Uint8Array }[] = [];
  const wants = ({ name, size }: TarEntry): boolean => {
    const path = safePath(name);
    if (path === undefined) {
      notes.push('names that lead out of it were passed over');
      return false;
    }
    const isInner = isArchive(path);
    if (!isInner && !visitor.wants(prefix + path)) return false;
    if (size <= (isInner ? limits.archiveBytes : limits.fileBytes)) return true;
    notes.push('files in it that are too large were passed over');
    return false;
  };
  const take = ({ name }: TarEntry, content: Uint8Array) => {
    const path = prefix + safePath(name)!;
    if (isArchive(path)) inner.push({ path, content });
    else visitor.take(path, content);
  };
  append(notes, await unpack(bytes, gunzip, accounts, { wants, take }));
  for (const { path, content } of inner) {
    if (accounts.some(isSpent)) break;
    if (levels <= 1) notes.push(`archives inside each other are read ${limits.archiveLevels} deep`);
    else append(notes, await walk(content, `${path}/`, levels - 1, limits, accounts, visitor, gunzip));
  }
  return notes;
}

/** Unpacks as long as the accounts last. */
async function unpack(
  bytes: Uint8Array,
  gunzip: Gunzip,
  accounts: readonly Account[],
  visit: TarVisitor,
): Promise<string[]> {
  const tar = tarReader(visit);
  const chunks = gunzip(bytes)[Symbol.asyncIterator]();
  let next: Chunk = 'end';
  while (!tar.ended && tar.broken === undefined && !accounts.some(isSpent)) {
    next = await chunkOf(chunks);
    if (!(next instanceof Uint8Array)) break;
    for (const account of accounts) account.bytes -= next.length;
    if (accounts.some(isSpent)) break;
    const before = tar.entries;
    tar.push(next);
    for (const account of accounts) account.entries -= tar.entries - before;
  }
  await chunks.return?.();
  const spent = accounts.find(isSpent);
  if (spent) return [spent.spent];
  if (next === 'broken') return ['it cannot be unpacked, or it is cut off'];
  if (tar.broken !== undefined) return [tar.broken];
  return tar.ended || tar.whole ? [] : ['it ends in the middle of a file'];
}

type Chunk = Uint8Array | 'end' | 'broken';

/** The next piece; 'broken' where the data is not gzip, or is cut off. */
async function chunkOf(chunks: AsyncIterator<Uint8Array>): Promise<Chunk> {
  const read = await chunks.next().catch((error: unknown) => {
    if (error instanceof Error) return 'broken' as const;
    throw error;
  });
  if (read === 'broken') return read;
  return read.done ? 'end' : read.value;
}

/** What gzipped bytes unpack to; ends with an error where they are broken. */
export type Gunzip = (bytes: Uint8Array) => AsyncIterable<Uint8Array>;

/** By what every platform has. */
export const gunzipInStream: Gunzip = async function* (bytes) {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'));
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    // A stream that failed says so again when it is closed.
    await reader.cancel().catch(ignoreBroken);
  }
};

function ignoreBroken(error: unknown): void {
  if (!(error instanceof Error)) throw error;
}

/** A path that stays within the archive; undefined for any other. */
function safePath(name: string): string | undefined {
  const steps = name.split('/').filter((step) => step !== '.' && step !== '');
  const leadsOut = name.startsWith('/') || name.includes('\\') || steps.includes('..') || /^[A-Za-z]:/.test(name);
  return leadsOut || steps.length === 0 ? undefined : steps.join('/');
}
