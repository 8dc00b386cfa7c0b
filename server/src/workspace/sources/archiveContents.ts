import { type Files, yamlName } from '../files.ts';
import { defaultLimits, type SourceLimits } from '../limits.ts';
import { textOf } from '../scan.ts';
import { baseName } from '../uri.ts';
import { walkArchive } from './archive.ts';
import { type Contents, type Row, rowOf } from './place.ts';
import { shownUri } from './shown.ts';

/** What an archive holds: files that speak of CRDs, and the names of files that a test picks. */
export interface ArchiveContents extends Contents {
  readonly picked: readonly string[];
}

/**
 * The files of an archive that speak of CRDs. They are not kept: the archive is unpacked again for the few that are asked
 * for. The first of the candidates that is there is the one; if none is, it holds nothing.
 */
export async function archiveContents(
  files: Files,
  candidates: readonly string[],
  limits: SourceLimits,
  note: (what: string) => void,
  picks: (path: string) => boolean = () => false,
): Promise<ArchiveContents> {
  const all = { ...limits, fileBytes: defaultLimits.fileBytes };
  let archive = candidates[0]!;
  const load = async () => {
    const bytes = await files.read(archive, limits.archiveBytes);
    if (bytes === 'too-large') note(`${baseName(archive)}: larger than ${limits.archiveBytes} bytes, not read`);
    return bytes;
  };
  const rows: Row[] = [];
  const picked: string[] = [];
  let bytes: Awaited<ReturnType<typeof load>>;
  for (const candidate of candidates) {
    archive = candidate;
    bytes = await load();
    if (bytes !== undefined) break;
  }
  const wants = (path: string) => {
    if (picks(path)) picked.push(path);
    return isManifestName(path) && !picks(path);
  };
  const take = (path: string, content: Uint8Array) => {
    const row = rowOf(path, textOf(content) ?? '');
    if (row) rows.push(row);
  };
  const notes = bytes instanceof Uint8Array ? await walkArchive(bytes, all, { wants, take }) : [];
  for (const what of notes) note(`${baseName(archive)}: ${what}`);
  const read = async (wanted: string) => {
    const again = await load();
    let found: Uint8Array | undefined;
    const isDone = () => found !== undefined;
    const keep = (_: string, content: Uint8Array) => {
      found ??= content;
    };
    if (again instanceof Uint8Array)
      await walkArchive(again, all, { wants: (path) => path === wanted, take: keep, isDone });
    return found;
  };
  return { isThere: bytes !== undefined, rows, picked, uriOf: (path) => shownUri(archive, path), read };
}

function isManifestName(path: string): boolean {
  return yamlName.test(path) || path.endsWith('.json');
}
