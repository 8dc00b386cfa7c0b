import { createHash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import path from 'node:path';

/** Why a folder cannot be worked with. */
export class LogRefused extends Error {}

/** When it has come to this, no more should be put into it. What was on its way still finds room. */
const mostLogBytes = 256 * 1024 * 1024;

/** A log of which less is out of date than this is not written anew. */
const leastWaste = 4 * 1024 * 1024;

/** How many characters in front of each line tell that it is whole. */
const sumLength = 16;

const sumOf = (line: string) => createHash('sha256').update(line).digest('hex').slice(0, sumLength);
const written = (line: string) => `${sumOf(line)} ${line}\n`;

/**
 * Lines that are on the disk once they are settled, whatever happens to the program or to the machine then. When most of them
 * are out of date, they are written anew, in one step.
 */
export class Log {
  private readonly folder: string;
  private handle: fs.FileHandle;
  private pending: string[] = [];
  private bytes: number;
  /** How long it was when it was last written anew. */
  private base: number;
  private working: Promise<void> | undefined;
  /** Why nothing is written any more: what follows a line that is not whole could not be read. */
  private broken: unknown;
  /** Lines that say the same as all that were appended so far. */
  private renewed: () => Iterable<string> = () => [];

  constructor(folder: string, handle: fs.FileHandle, bytes: number) {
    this.folder = folder;
    this.handle = handle;
    this.bytes = bytes;
    this.base = bytes;
  }

  /** Opens the log of a folder, which is made if it is not there, with the lines that it has. */
  static async open(folder: string): Promise<{ log: Log; lines: string[] }> {
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    await lock(folder);
    try {
      return await opened(folder);
    } catch (error) {
      await fs.rm(path.join(folder, lockName), { force: true });
      throw error;
    }
  }

  /** Says what to write in place of all lines when most of them are out of date. */
  renewBy(lines: () => Iterable<string>): void {
    this.renewed = lines;
  }

  get isFull(): boolean {
    return this.bytes >= mostLogBytes;
  }

  append(line: string): void {
    this.pending.push(line);
  }

  /** Until all that was appended is on the disk. */
  async settled(): Promise<void> {
    // What is being written was taken before: only what is written after that has everything.
    if (this.broken !== undefined) throw this.broken;
    while (this.working || this.pending.length > 0) {
      this.working ??= this.write()
        .catch((error: unknown) => {
          this.broken = error;
        })
        .finally(() => {
          this.working = undefined;
        });
      await this.working;
      if (this.broken !== undefined) throw this.broken;
    }
  }

  async close(): Promise<void> {
    if (this.broken === undefined) await this.settled();
    await this.handle.close();
    await fs.rm(path.join(this.folder, lockName), { force: true });
  }

  private async write(): Promise<void> {
    const lines = this.pending;
    this.pending = [];
    const bytes = Buffer.from(lines.map(written).join(''));
    if (this.bytes + bytes.length > 2 * this.base + leastWaste) return await this.renew();
    // Appending may come to its end in pieces.
    for (let at = 0; at < bytes.length; ) at += (await this.handle.write(bytes, at)).bytesWritten;
    await this.handle.datasync();
    this.bytes += bytes.length;
  }

  private async renew(): Promise<void> {
    const file = path.join(this.folder, logName);
    const beside = `${file}.new`;
    await fs.rm(beside, { force: true });
    const handle = await fs.open(beside, 'ax', 0o600);
    let size = 0;
    let chunk: string[] = [];
    const put = async () => {
      const bytes = Buffer.from(chunk.join(''));
      for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
      size += bytes.length;
      chunk = [];
    };
    // They are of this moment, and what is appended meanwhile is written afterwards.
    for (const line of [...this.renewed()]) {
      chunk.push(written(line));
      if (chunk.length >= 1_000) await put();
    }
    await put();
    await handle.sync();
    await fs.rename(beside, file);
    await syncFolder(this.folder);
    await this.handle.close();
    this.handle = handle;
    this.bytes = size;
    this.base = size;
  }
}

async function opened(folder: string): Promise<{ log: Log; lines: string[] }> {
  const file = path.join(folder, logName);
  const handle = await fs.open(file, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    if (size > 2 * mostLogBytes) throw new LogRefused(`${file} is larger than ${2 * mostLogBytes} bytes`);
    const { lines, end } = wholeLines(await handle.readFile(), file);
    // What was not written to its end was never settled.
    if (end < size) await handle.truncate(end);
    await syncFolder(folder);
    return { log: new Log(folder, handle, end), lines };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const logName = 'objects.log';
const lockName = 'lock';

/** The lines that are whole, and where the last one of them ends. */
function wholeLines(bytes: Buffer, file: string): { lines: string[]; end: number } {
  const lines: string[] = [];
  let [at, end, isTorn] = [0, 0, false];
  for (let next = bytes.indexOf(10, at); next !== -1; next = bytes.indexOf(10, at)) {
    const text = bytes.toString('utf8', at, next);
    const line = text.slice(sumLength + 1);
    at = next + 1;
    if (text.slice(0, sumLength) !== sumOf(line)) {
      isTorn = true;
      continue;
    }
    if (isTorn) throw new LogRefused(`${file} is damaged before byte ${at}`);
    lines.push(line);
    end = at;
  }
  return { lines, end };
}

/** One program at a time. */
async function lock(folder: string): Promise<void> {
  const file = path.join(folder, lockName);
  const taken = await fs.writeFile(file, String(process.pid), { flag: 'wx', mode: 0o600 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );
  if (taken) return;
  const holder = Number(await fs.readFile(file, 'utf8'));
  if (isAlive(holder)) {
    throw new LogRefused(`${folder} is in use by process ${holder}; if that is another program, remove ${file}`);
  }
  await fs.writeFile(file, String(process.pid), { mode: 0o600 });
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and another one's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows has no way to do that, and needs none.
  if (process.platform === 'win32') return;
  const handle = await fs.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
