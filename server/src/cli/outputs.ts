import { promises as fs } from 'node:fs';
import path from 'node:path';

/** Writes a file with its folders: it is there whole or not at all. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.tmp`;
  await fs.writeFile(unfinished, text);
  await fs.rename(unfinished, file);
}
