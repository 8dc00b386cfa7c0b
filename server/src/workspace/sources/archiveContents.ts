import type { Read } from '../../files/read.ts';
import { catalogueName, isYaml } from '../fileNames.ts';
import type { Files } from '../files.ts';
import { defaultLimits, type SourceLimits } from '../limits.ts';
import { textOf } from '../scan.ts';
import { baseName } from '../uri.ts';
import { type Account, gunzipInStream, isSpent, walkArchive } from './archive.ts';
import { isGroup } from './isCatalogue.ts';
import { type Contents, type Row, rowOf } from './place.ts';
import { shownUri } from './shown.ts';

/** What an archive holds: files that speak of CRDs, and the names of JSON schemas in the layout of a catalogue. */
export interface ArchiveContents extends Contents {
  readonly schemas: readonly string[];
}

/**
 * What an archive holds. It is unpacked once, whatever is asked of it later: the files that may matter are kept, and so
 * the account that it shares with others is a bound for memory too. The first of the candidates that is there is the one;
 * if none is, it holds nothing.
 */
export async function archiveContents(
  files: Files,
  candidates: readonly string[],
  limits: SourceLimits,
  account: Account,
  note: (what: string) => void,
): Promise<ArchiveContents> {
  const all = { ...limits, fileBytes: defaultLimits.fileBytes };
  let archive = candidates[0]!;
  let bytes: Read;
  for (const candidate of isSpent(account) ? [] : candidates) {
    archive = candidate;
    bytes = await files.read(archive, limits.archiveBytes);
    if (bytes !== undefined) break;
  }
  const rows: Row[] = [];
  const schemas: string[] = [];
  const kept = new Map<string, Uint8Array>();
  const take = (path: string, content: Uint8Array) => {
    if (kept.has(path)) return;
    const row = isSchemaPath(path) ? undefined : rowOf(path, textOf(content) ?? '');
    if (row) rows.push(row);
    else if (isSchemaPath(path)) schemas.push(path);
    else return;
    kept.set(path, content);
  };
  const visitor = { wants: isManifestName, take };
  const { gunzip = gunzipInStream } = files;
  if (isSpent(account)) note(account.spent);
  else if (bytes === 'too-large') note(`${baseName(archive)}: larger than ${limits.archiveBytes} bytes, not read`);
  else if (bytes instanceof Uint8Array)
    for (const what of await walkArchive(bytes, all, visitor, gunzip, [account]))
      note(what === account.spent ? what : `${baseName(archive)}: ${what}`);
  return {
    isThere: bytes !== undefined,
    rows,
    schemas,
    uriOf: (path) => shownUri(archive, path),
    read: async (path) => kept.get(path),
  };
}

function isManifestName(path: string): boolean {
  return isYaml(path) || path.endsWith('.json');
}

/** Whether a file has the name of a JSON schema in a catalogue: `{group}/{kind}_{version}.json`. */
function isSchemaPath(path: string): boolean {
  const [group = '', name = ''] = path.split('/').slice(-2);
  return catalogueName.test(name) && isGroup(group);
}
