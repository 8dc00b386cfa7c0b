import { closeSync, constants, promises as fs, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { answered } from './answers.ts';

/** A file that is there and could not be read. */
export interface Unreadable {
  readonly why: string;
}

/** What reading a file gave; undefined where there is no regular file, or none that we may read. */
export type Read = Uint8Array | 'too-large' | Unreadable | undefined;

// Between a look at a file and opening it a pipe may take its place: nobody waits for one to be written to.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A regular file, opened; undefined where it is something else. Who reads it notes what. */
export async function openRegular(file: string) {
  if (!(await fs.stat(file)).isFile()) return undefined;
  const handle = await fs.open(file, flags);
  let isKept = false;
  try {
    const stat = await handle.stat();
    isKept = stat.isFile();
    return isKept ? { handle, size: stat.size } : undefined;
  } finally {
    if (!isKept) await handle.close();
  }
}

/** What there is to be noted of what was read. */
function saidBy(read: Read): string | Uint8Array | undefined {
  return read === undefined || read === 'too-large' || read instanceof Uint8Array ? read : `not read: ${read.why}`;
}

/** The bytes of a regular file, up to the limit whatever its size claims to be. Pipes and devices are not even opened. */
export async function readRegular(file: string, mostBytes: number): Promise<Read> {
  return answered(await readWhole(file, mostBytes), saidBy, 'content', file, String(mostBytes));
}

async function readWhole(file: string, mostBytes: number): Promise<Read> {
  try {
    const opened = await openRegular(file);
    if (!opened) return undefined;
    const { handle, size } = opened;
    try {
      const taken = new Taken(size, mostBytes);
      while (!taken.isTooMuch) {
        const { bytesRead } = await handle.read(taken.room());
        if (bytesRead === 0) return taken.bytes();
        taken.take(bytesRead);
      }
      return 'too-large';
    } finally {
      await handle.close();
    }
  } catch (error) {
    return unreadable(error);
  }
}

/** The same while everything waits: several times as fast, for a program that has nothing else to do. */
export function readRegularNow(file: string, mostBytes: number): Read {
  const read = openedNow(file, (handle, size) => {
    const taken = new Taken(size, mostBytes);
    while (!taken.isTooMuch) {
      const count = readSync(handle, taken.room());
      if (count === 0) return taken.bytes();
      taken.take(count);
    }
    return 'too-large';
  });
  return answered(read, saidBy, 'content', file, String(mostBytes));
}

/** The beginning of a regular file, likewise. */
export function readHeadNow(file: string, bytes: number): Read {
  const read = openedNow(file, (handle) => {
    const head = Buffer.allocUnsafeSlow(bytes);
    return head.subarray(0, readSync(handle, head));
  });
  return answered(read, saidBy, 'head', file, String(bytes));
}

function openedNow(file: string, read: (handle: number, size: number) => Read): Read {
  try {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
    const handle = openSync(file, flags);
    try {
      const stat = fstatSync(handle);
      return stat.isFile() ? read(handle, stat.size) : undefined;
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    return unreadable(error);
  }
}

/** How much is read at once of a file that has more than it says, as those of /proc do. */
const chunk = 65_536;

/** What was taken of a file so far. One more byte than it should have is asked for, to see its end. */
class Taken {
  isTooMuch: boolean;
  private buffer: Buffer;
  private length = 0;
  private readonly most: number;

  constructor(size: number, most: number) {
    this.most = most;
    this.isTooMuch = size > most;
    this.buffer = Buffer.allocUnsafeSlow(this.isTooMuch || size === 0 ? 0 : size + 1);
  }

  room(): Buffer {
    if (this.length === this.buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(this.most + 1, this.length * 2 + chunk));
      this.buffer.copy(grown);
      this.buffer = grown;
    }
    return this.buffer.subarray(this.length);
  }

  take(count: number): void {
    this.length += count;
    this.isTooMuch = this.length > this.most;
  }

  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }
}

/** Errors that say no more than that there is nothing for us. */
const missing: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && missing.has(String(error.code));
}

/** Whatever the system says of one file is about that file alone. */
function unreadable(error: unknown): Unreadable | undefined {
  if (isMissing(error)) return undefined;
  if (error instanceof Error && 'code' in error) return { why: error.message };
  throw error;
}
