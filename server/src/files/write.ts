import { randomBytes } from 'node:crypto';
import { constants, promises as fs, type Stats } from 'node:fs';
import path from 'node:path';
import { isBelow, isInside, realPath } from './folders.ts';

/** Why a file was not written. What was there is as it was. */
export class NotWritten extends Error {}

/**
 * Writes a file with its folders in one step: whoever reads it meanwhile, or after the machine went down, finds the old
 * one or the new one. Nothing outside of the folder is written: links are followed only where they stay inside. What is
 * secret is read by nobody but the user.
 */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  inside: string,
  { isSecret = false } = {},
): Promise<void> {
  try {
    await fs.mkdir(inside, { recursive: true });
    await replace(await targetOf(path.resolve(file), path.resolve(inside)), content, isSecret);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new NotWritten(`${file} cannot be written: ${error.message}`);
  }
}

/** The file that a path leads to. Its folders are made one by one, so that none is made behind a link that leads out. */
async function targetOf(file: string, inside: string): Promise<string> {
  if (file === inside || !isBelow(file, inside)) throw new NotWritten(`${file} is outside of ${inside}; not written`);
  let at = inside;
  for (const step of path.relative(inside, path.dirname(file)).split(path.sep)) {
    at = path.join(at, step);
    await fs.mkdir(at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if (!(await isInside(at, inside))) throw leadsOut(at, inside);
  }
  if (!(await present(fs.lstat(file)))?.isSymbolicLink()) return file;
  const real = await realPath(file);
  if (real === undefined || !(await isInside(real, inside))) throw leadsOut(file, inside);
  return real;
}

function leadsOut(place: string, folder: string): NotWritten {
  return new NotWritten(`${place} is a link that leads out of ${folder}; nothing is written there`);
}

async function present(stat: Promise<Stats>): Promise<Stats | undefined> {
  return await stat.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

async function replace(file: string, content: string | Uint8Array, isSecret: boolean): Promise<void> {
  const before = await present(fs.stat(file));
  if (before && !before.isFile()) throw new NotWritten(`${file} is not a file; not written`);
  // A file that must not be written could otherwise be replaced by whoever may write to its folder.
  if (before) await fs.access(file, constants.W_OK);
  const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await fs.open(beside, 'wx', isSecret ? 0o600 : 0o666);
    try {
      await handle.writeFile(content);
      if (before && !isSecret) await keepOwner(handle, before);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await fs.rename(beside, file);
  } catch (error) {
    await fs.rm(beside, { force: true });
    throw error;
  }
}

/** Owner first: changing it takes bits from the mode. */
async function keepOwner(handle: fs.FileHandle, before: Stats): Promise<void> {
  const now = await handle.stat();
  if (now.uid !== before.uid || now.gid !== before.gid) await handle.chown(before.uid, before.gid);
  await handle.chmod(before.mode & 0o7777);
}
