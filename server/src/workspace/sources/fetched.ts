import type { Files } from '../files.ts';
import type { WantedKind } from '../kinds.ts';
import { defaultLimits } from '../limits.ts';
import type { Origin } from '../origin.ts';
import { textOf } from '../scan.ts';
import { type SourceFile, sourceFile } from '../sourceFile.ts';
import { folderOf } from '../uri.ts';
import {
  cachedPath,
  fetchedFolder,
  fetchedPath,
  kindOf,
  type LockRow,
  lockName,
  parseLock,
  sha256Of,
  sourceText,
} from './lock.ts';
import type { Place } from './place.ts';
import { shownUri } from './shown.ts';

/** A lock file with the CRDs that it names: in the folder beside it, or in a user's cache. */
export interface Lock {
  rows(): Promise<readonly LockRow[]>;
  /** What a row names, if it is there and is what the row says; else why not. */
  open(row: LockRow): Promise<Opened | Fault>;
}

type Fault = 'missing' | 'differs';

interface Opened {
  readonly uri: string;
  readonly text: string;
}

/** The lock file of a workspace. Its CRDs may be in the cache alone. */
export function workspaceLock(files: Files, uri: string, cache: string | undefined, note: Note): Lock {
  const folder = `${folderOf(uri)}/${fetchedFolder}`;
  return lockAt(files, uri, note, (row) => [
    `${folder}/${fetchedPath(row)}`,
    ...(cache === undefined ? [] : [`${cache}/${cachedPath(row)}`]),
  ]);
}

/** What was fetched before, for whatever workspace. */
export function cacheLock(files: Files, cache: string, note: Note): Lock {
  return lockAt(files, `${cache}/${lockName}`, note, (row) => [`${cache}/${cachedPath(row)}`]);
}

type Note = (what: string) => void;

function lockAt(files: Files, uri: string, note: Note, placesOf: (row: LockRow) => readonly string[]): Lock {
  const read = async () => {
    const text = textOf(await files.read(uri, defaultLimits.fileBytes));
    if (text === undefined) return [];
    const { rows, faults } = parseLock(text);
    for (const fault of faults) note(`${uri}: ${fault}`);
    return rows;
  };
  let rows: Promise<readonly LockRow[]> | undefined;
  return {
    rows: () => {
      rows ??= read();
      return rows;
    },
    open: (row) => openRow(files, row, placesOf(row)),
  };
}

async function openRow(files: Files, { sha256 }: LockRow, uris: readonly string[]): Promise<Opened | Fault> {
  let fault: Fault = 'missing';
  for (const uri of uris) {
    const text = textOf(await files.read(uri, defaultLimits.fileBytes));
    if (text === undefined) continue;
    if ((await sha256Of(text)) === sha256) return { uri, text };
    fault = 'differs';
  }
  return fault;
}

/** The CRDs that the lock file of a workspace names. */
export function lockPlace(lock: Lock, uri: string, shown: string): Place {
  const origin = { text: `in ${shown}`, source: 'lockFile', namedBy: uri } as const;
  const find = (wanted: WantedKind) =>
    findIn(lock, wanted, (row) => ({ ...origin, text: `${sourceText(row.source)}, in ${shown}` }));
  return {
    name: lockName,
    origin,
    find: async (wanted) => fileOf(await find(wanted)),
    absent: async (wanted) => {
      const found = await find(wanted);
      if (typeof found !== 'string') return undefined;
      const what = `${shown} names its CRD, which ${found === 'missing' ? 'is not here' : 'has been changed since'}.`;
      return { what, command: 'kube-crd crds fetch --locked' };
    },
  };
}

/** What was fetched to the user's cache, for whatever workspace. */
export function cachePlace(lock: Lock): Place {
  const origin = { text: 'fetched before', source: 'userCache' } as const;
  const originOf = (row: LockRow) => ({ ...origin, text: `${sourceText(row.source)}, fetched before` });
  return { name: 'user cache', origin, find: async (wanted) => fileOf(await findIn(lock, wanted, originOf)) };
}

type Found = SourceFile | Fault | undefined;

const fileOf = (found: Found) => (typeof found === 'string' ? undefined : found);

async function findIn(lock: Lock, wanted: WantedKind, originOf: (row: LockRow) => Origin): Promise<Found> {
  const row = (await lock.rows()).find((one) => kindOf(one) === kindOf(wanted));
  const opened = row && (await lock.open(row));
  if (!row || !opened || typeof opened === 'string') return opened as Found;
  const origin: Origin = { ...originOf(row), ...(row.fromSchema && { fromSchema: true }) };
  return sourceFile(addressOf(opened.uri, row), opened.text, { limits: defaultLimits, origin });
}

/** What is in a cache under its hash is shown by its name, to be read only. */
function addressOf(uri: string, row: LockRow): string {
  return uri.endsWith(cachedPath(row)) ? shownUri(folderOf(folderOf(uri)), fetchedPath(row)) : uri;
}

/** What of a lock file is not as it says, one line each. */
export async function lockFaults(files: Files, uri: string, cache: string | undefined): Promise<string[]> {
  const faults: string[] = [];
  const lock = workspaceLock(files, uri, cache, (what) => faults.push(what));
  for (const row of await lock.rows()) {
    const opened = await lock.open(row);
    if (typeof opened !== 'string') continue;
    const why = opened === 'missing' ? 'is missing' : 'is not the one that was fetched';
    faults.push(`the CRD of ${kindOf(row)} ${why}`);
  }
  return faults;
}
