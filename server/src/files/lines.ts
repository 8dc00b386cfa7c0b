import { promises as fs } from 'node:fs';

/** A file that grows by whole lines, in the order in which they come. */
export class LineFile {
  private readonly handle: fs.FileHandle;
  private readonly most: number;
  private bytes: number;
  private before = Promise.resolve();

  private constructor(handle: fs.FileHandle, bytes: number, most: number) {
    this.handle = handle;
    this.bytes = bytes;
    this.most = most;
  }

  /** Only its owner can read what it is given. */
  static async open(file: string, most: number): Promise<LineFile> {
    const handle = await fs.open(file, 'a', 0o600);
    return new LineFile(handle, (await handle.stat()).size, most);
  }

  /** False where the file would become larger than it may: then the line is left out. */
  append(line: string, fault: (error: unknown) => void): boolean {
    const bytes = Buffer.from(`${line}\n`);
    if (this.bytes + bytes.length > this.most) return false;
    this.bytes += bytes.length;
    this.before = this.before.then(() => this.handle.appendFile(bytes)).catch(fault);
    return true;
  }

  async close(): Promise<void> {
    await this.before;
    await this.handle.close();
  }
}
