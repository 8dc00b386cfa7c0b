import type { Range } from '../../base/text.ts';
import type { Definitions } from '../../workspace/definitions.ts';
import type { Files } from '../../workspace/files.ts';
import { splitApiVersion } from '../../workspace/manifest.ts';
import { placedIn, type SourceFile } from '../../workspace/sourceFile.ts';
import { isBelowOne } from '../../workspace/testData.ts';
import {
  baseName,
  compareRanks,
  decode,
  folderOf,
  isInside,
  nearness,
  releasedName,
  releaseOf,
} from '../../workspace/uri.ts';

// `releases/v1.2.0/…` beside `releases/v1.3.0/…`: what was released is what it was.

/** With fewer side by side, the older of two versions may be in use as well. */
const fewestReleases = 3;

/** What is written about a release is for those who have that one. */
const ofDocuments = /^(?:docs?(?:[-_](?:gen|site|src))?|documentation|website|content)$/i;

/** Whether a file is in the folder of a release, beside those of later ones, or beside what goes on. */
export async function isOfEarlierRelease(files: Files, uri: string, folders: readonly string[]): Promise<boolean> {
  for (let at = folderOf(uri); folders.some((folder) => isInside(at, folder)); at = folderOf(at)) {
    const own = releaseOf(baseName(at));
    if (!own && (await isNamedAfterEarlier(files, at, true))) return true;
    if (!own) continue;
    if (await isKeptOf(files, uri, at)) return true;
    const beside = (await files.entries(folderOf(at))).filter(({ isFolder }) => isFolder);
    const releases = beside.map(({ name }) => releaseOf(name)).filter((one) => one !== undefined);
    if (isEarlier(own, releases, isBelowOne(uri, folders, ofDocuments) ? 2 : fewestReleases)) return true;
  }
  return isNamedAfterEarlier(files, uri, false);
}

/** Whether what was released is a copy of a file that goes on beside it: `releases/v1.2.0/chart/a.yaml` of `chart/a.yaml`. */
async function isKeptOf(files: Files, uri: string, release: string): Promise<boolean> {
  const releases = folderOf(release);
  if (!/^releases?$/i.test(baseName(releases))) return false;
  const now = `${folderOf(releases)}${uri.slice(release.length)}`;
  return (await files.entries(folderOf(now))).some(({ name, isFolder }) => !isFolder && name === decode(baseName(now)));
}

/** Where a file has objects whose CRD is kept in several releases, in whose folders it is not: any of them may be installed. */
export function ofAnyRelease(definitions: Definitions, source: SourceFile): Range[] {
  const { uri, manifests } = source;
  return manifests.flatMap(({ role, apiVersion, kind, document }) => {
    const all = definitions.get(`${splitApiVersion(apiVersion).group}/${kind}`) ?? [];
    const releases = all.map(({ file }) => releaseFolder(file.uri, uri));
    const isKept = role === 'resource' && !releases.includes(undefined) && new Set(releases).size > 1;
    const placed = isKept ? placedIn(source, document) : undefined;
    return placed ? [{ start: placed.start, end: placed.start + document.text.length }] : [];
  });
}

/** The folder of a release that leads to a file, and not to another. */
function releaseFolder(uri: string, other: string): string | undefined {
  const steps = uri.split('/').slice(nearness(uri, other), -1);
  return steps.find((step) => /^v?\d{1,4}\.\d{1,4}(?![^.-])/.test(step));
}

/** The same of files or folders side by side: `operator-v1.2.0.yaml`, `operator-1.2.0`. */
async function isNamedAfterEarlier(files: Files, uri: string, ofFolders: boolean): Promise<boolean> {
  const own = releasedName(baseName(uri));
  if (!own) return false;
  const beside = (await files.entries(folderOf(uri))).filter(({ isFolder }) => isFolder === ofFolders);
  const named = beside.flatMap(({ name }) => releasedName(name) ?? []);
  const alike = named.filter(({ rest }) => rest === own.rest);
  return isEarlier(
    own.release,
    alike.map(({ release }) => release),
  );
}

/** Whether it is one of so many that the later ones are in use, and not the last. */
function isEarlier(own: readonly number[], all: readonly (readonly number[])[], fewest = fewestReleases): boolean {
  return all.length >= fewest && all.some((one) => compareRanks(one, own) > 0);
}
