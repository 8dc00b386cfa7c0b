import { append } from '../../base/append.ts';
import { archiveName } from '../files.ts';
import type { SourceLimits } from '../limits.ts';
import { type TarEntry, type TarVisitor, tarReader } from './tar.ts';

/** What is done with the files of an archive. Archives in it are looked into as if they were folders. */
export interface ArchiveVisitor {
  wants(path: string): boolean;
  take(path: string, content: Uint8Array): void;
  /** Whether enough is known. */
  isDone?(): boolean;
}

/** What is left of an archive's bounds. One count for it and all archives in it. */
interface Budget {
  bytes: number;
  entries: number;
}

export interface ArchiveLimits extends SourceLimits {
  /** Bytes of one file. */
  readonly fileBytes: number;
}

/** Walks through a gzipped tar archive. Gives what is wrong with it or was left out, one line each. */
export async function walkArchive(
  bytes: Uint8Array,
  limits: ArchiveLimits,
  visitor: ArchiveVisitor,
): Promise<readonly string[]> {
  const budget = { bytes: limits.unpackedBytes, entries: limits.archiveEntries };
  return [...new Set(await walk(bytes, '', limits.archiveLevels, limits, budget, visitor))];
}

async function walk(
  bytes: Uint8Array,
  prefix: string,
  levels: number,
  limits: ArchiveLimits,
  budget: Budget,
  visitor: ArchiveVisitor,
): Promise<string[]> {
  const notes: string[] = [];
  const inner: { readonly path: string; readonly content: Uint8Array }[] = [];
  const wants = ({ name, size }: TarEntry): boolean => {
    const path = safePath(name);
    if (path === undefined) {
      notes.push('names that lead out of it were passed over');
      return false;
    }
    const isArchive = archiveName.test(path);
    if (!isArchive && !visitor.wants(prefix + path)) return false;
    if (size <= (isArchive ? limits.archiveBytes : limits.fileBytes)) return true;
    notes.push('files in it that are too large were passed over');
    return false;
  };
  const take = ({ name }: TarEntry, content: Uint8Array) => {
    const path = prefix + safePath(name)!;
    if (archiveName.test(path)) inner.push({ path, content });
    else visitor.take(path, content);
  };
  append(notes, await unpack(bytes, limits, budget, { wants, take }, visitor));
  for (const { path, content } of inner) {
    if (visitor.isDone?.()) break;
    if (levels <= 1) notes.push(`archives inside each other are read ${limits.archiveLevels} deep`);
    else append(notes, await walk(content, `${path}/`, levels - 1, limits, budget, visitor));
  }
  return notes;
}

/** Unpacks as long as the budget lasts. */
async function unpack(
  bytes: Uint8Array,
  limits: ArchiveLimits,
  budget: Budget,
  visit: TarVisitor,
  { isDone }: ArchiveVisitor,
): Promise<string[]> {
  const tar = tarReader(visit);
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'));
  const reader = stream.getReader();
  let entries = 0;
  let next: Chunk = 'end';
  while (!tar.ended && tar.broken === undefined && !isDone?.()) {
    next = await chunkOf(reader);
    if (!(next instanceof Uint8Array)) break;
    budget.bytes -= next.length;
    if (budget.bytes >= 0) tar.push(next);
    budget.entries -= tar.entries - entries;
    entries = tar.entries;
    if (budget.bytes < 0 || budget.entries < 0) break;
  }
  await reader.cancel().catch(ignoreBroken);
  if (budget.bytes < 0) return [`it unpacks to more than ${limits.unpackedBytes} bytes; the rest was not read`];
  if (budget.entries < 0) return [`it holds more than ${limits.archiveEntries} files; the rest were not read`];
  if (next === 'broken') return ['it cannot be unpacked, or it is cut off'];
  if (tar.broken !== undefined) return [tar.broken];
  return next === 'end' && !tar.whole ? ['it ends in the middle of a file'] : [];
}

type Chunk = Uint8Array | 'end' | 'broken';

/** The next piece; 'broken' where the data is not gzip, or is cut off. */
async function chunkOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Chunk> {
  const read = await reader.read().catch((error: unknown) => {
    if (error instanceof Error) return 'broken' as const;
    throw error;
  });
  if (read === 'broken') return read;
  return read.done ? 'end' : read.value;
}

/** A stream that failed says so again when it is closed. */
function ignoreBroken(error: unknown): void {
  if (!(error instanceof Error)) throw error;
}

/** A path that stays within the archive; undefined for any other. */
function safePath(name: string): string | undefined {
  const steps = name.split('/').filter((step) => step !== '.' && step !== '');
  const leadsOut = name.startsWith('/') || name.includes('\\') || steps.includes('..') || /^[A-Za-z]:/.test(name);
  return leadsOut || steps.length === 0 ? undefined : steps.join('/');
}
