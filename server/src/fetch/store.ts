import path from 'node:path';
import { realPath } from '../files/folders.ts';
import { readRegular } from '../files/read.ts';
import { NotWritten, writeWhole } from '../files/write.ts';
import { type FetchedCrd, FetchFailure } from '../workspace/fetcher.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import {
  cachedPath,
  type FetchSource,
  fetchedFolder,
  fetchedPath,
  isKindName,
  kindOf,
  type LockRow,
  lockName,
  parseLock,
  printLock,
  sha256Of,
  sourceText,
} from '../workspace/sources/lock.ts';

// What was fetched is kept by its hash in the user's cache, and by its name in a workspace where that is asked for.

/** Where to keep what was fetched. */
export interface Keep {
  /** The user's cache. */
  readonly cache: string;
  /** The folder of a workspace that gets the CRDs and a lock file. */
  readonly workspace?: string | undefined;
}

/** The rows of a folder's lock file; none where there is none. One that cannot be read is not written over. */
export async function readLock(folder: string): Promise<readonly LockRow[]> {
  const file = path.join(folder, lockName);
  const read = await readRegular(file, defaultLimits.fileBytes);
  if (read === undefined) return [];
  const text = textOf(read);
  if (text === undefined) throw new FetchFailure(`${file} cannot be read`);
  const { rows, faults } = parseLock(text);
  if (faults.length > 0) throw new FetchFailure(`${file}: ${faults[0]}`);
  return rows;
}

/** The row that a CRD gets in a lock file. */
export async function rowOf(crd: FetchedCrd, source: FetchSource): Promise<LockRow> {
  const { group, kind, fromSchema } = crd;
  return { group, kind, source, sha256: await sha256Of(crd.text), ...(fromSchema && { fromSchema }) };
}

/** Keeps CRDs and notes them in the lock files. */
export async function keep(
  crds: readonly FetchedCrd[],
  source: FetchSource,
  { cache, workspace }: Keep,
): Promise<void> {
  if (crds.length === 0) return;
  const odd = crds.find((crd) => !isKindName(crd));
  if (odd) throw new FetchFailure(`${sourceText(source)} has a CRD of ${kindOf(odd)}, which is not a name of a kind`);
  const rows = await Promise.all(crds.map((crd) => rowOf(crd, source)));
  // What would fail comes first, so that nothing is half done.
  const known = workspace === undefined ? [] : await readLock(workspace);
  if (workspace !== undefined) await noWayOut(workspace, rows);
  await keepIn(cache, '', rows, crds, cachedPath);
  // The cache's own list can be made anew by fetching; a user cannot be asked to mend it.
  const cached = await readLock(cache).catch((error: unknown) => {
    if (error instanceof FetchFailure) return [];
    throw error;
  });
  await write(path.join(cache, lockName), printLock(merged(cached, rows)), cache);
  if (workspace === undefined) return;
  await keepIn(workspace, fetchedFolder, rows, crds, fetchedPath);
  await write(path.join(workspace, lockName), printLock(merged(known, rows)), workspace);
}

async function keepIn(
  home: string,
  folder: string,
  rows: readonly LockRow[],
  crds: readonly FetchedCrd[],
  pathOf: (row: LockRow) => string,
): Promise<void> {
  for (const [i, row] of rows.entries()) await write(path.join(home, folder, pathOf(row)), crds[i]!.text, home);
}

function merged(known: readonly LockRow[], rows: readonly LockRow[]): LockRow[] {
  return [...new Map([...known, ...rows].map((row) => [kindOf(row), row])).values()];
}

/** A link in a repository must not make us write anywhere else. */
async function noWayOut(workspace: string, rows: readonly LockRow[]): Promise<void> {
  const home = await realPath(workspace);
  const folders = new Set(rows.map((row) => path.dirname(path.join(fetchedFolder, fetchedPath(row)))));
  for (const folder of [fetchedFolder, ...folders]) {
    const real = await realPath(path.join(workspace, folder));
    if (real !== undefined && (home === undefined || real !== path.join(home, folder)))
      throw new FetchFailure(`${folder} is a link that leads out of ${workspace}; nothing is written there`);
  }
}

async function write(file: string, text: string, inside: string): Promise<void> {
  await writeWhole(file, text, inside).catch((error: unknown) => {
    throw error instanceof NotWritten ? new FetchFailure(error.message) : error;
  });
}

/** The text of a row's CRD as it was kept; undefined where it is gone or changed. */
export async function keptText(row: LockRow, { cache, workspace }: Keep): Promise<string | undefined> {
  const places = [
    ...(workspace === undefined ? [] : [path.join(workspace, fetchedFolder, fetchedPath(row))]),
    path.join(cache, cachedPath(row)),
  ];
  for (const file of places) {
    const text = textOf(await readRegular(file, defaultLimits.fileBytes));
    if (text !== undefined && (await sha256Of(text)) === row.sha256) return text;
  }
  return undefined;
}
