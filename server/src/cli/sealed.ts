import { createHash } from 'node:crypto';
import path from 'node:path';
import { isOurs } from '../files/folders.ts';
import { readRegularNow } from '../files/read.ts';
import { NotWritten, writeWhole } from '../files/write.ts';

// Files of the user's cache that are taken as they are: only from a place that nobody else may write to, and only whole
// and of what they are asked for by.

const sealLength = 32;

const sealOf = (of: string, content: Uint8Array) => createHash('sha256').update(of).update(content).digest();

/** What was kept in a file of something; undefined where that is not there, is of something else, or is not whole. */
export function unsealed(file: string, of: string, mostBytes: number): Buffer | undefined {
  if (![path.dirname(file), file].every(isOurs)) return undefined;
  const whole = readRegularNow(file, mostBytes);
  if (!(whole instanceof Buffer) || whole.length < sealLength) return undefined;
  const content = whole.subarray(sealLength);
  return sealOf(of, content).equals(whole.subarray(0, sealLength)) ? content : undefined;
}

/**
 * Keeps something in a file of at most so many bytes. Where it is larger, the file cannot be written, or its folder is
 * another's, it is made anew the next time.
 */
export async function keepSealed(file: string, of: string, content: Uint8Array, mostBytes: number): Promise<void> {
  const folder = path.dirname(file);
  if (sealLength + content.length > mostBytes || isOurs(folder) === false) return;
  const whole = Buffer.concat([sealOf(of, content), content]);
  await writeWhole(file, whole, folder, { isSecret: true }).catch((error) => {
    if (!(error instanceof NotWritten)) throw error;
  });
}
