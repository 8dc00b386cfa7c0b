import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { memo } from '../../base/memo.ts';
import { addressOf } from '../../files/address.ts';
import { ignoredByGit } from '../../git/ignored.ts';
import { appliersOf } from '../../workspace/delivery/appliers.ts';
import { isKustomization, isYaml } from '../../workspace/fileNames.ts';
import { rootsWith } from '../../workspace/kustomizations/builds.ts';
import { kustomizationIn } from '../../workspace/kustomizations/graph.ts';
import { isCompleted, mayLackParts } from '../../workspace/kustomized.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { promptFiles } from '../../workspace/sources/nodeFiles.ts';
import { baseName, decode, folderOf, isInside, resolve, withFolders } from '../../workspace/uri.ts';
import type { Builds } from '../kustomizations.ts';
import { textBeside, textsIn } from './beside.ts';
import { writtenByScripts } from './replaced.ts';

// What the kustomizations around a file do with it, or leave to others.

/** Whether what adds to a file's objects cannot be built, which is told of there. */
export function isUnbuilt(snapshot: Snapshot, builds: Builds, uri: string): boolean {
  if (isOfFolderMadeLater(snapshot, uri)) return true;
  if (!isCompleted(snapshot.kustomized.completed, uri)) return false;
  const roots = rootsWith(snapshot, uri);
  return roots.length > 0 && roots.every((root) => builds.get(root)?.isBuilt === false);
}

/** Whether a kustomization takes a folder around a file in which there is none, so that one is made there before it is built. */
function isOfFolderMadeLater({ kustomized, kustomizations }: Snapshot, uri: string): boolean {
  return [...withFolders(folderOf(uri))].some(
    (folder) => kustomized.completed.has(folder) && kustomizationIn(kustomizations, folder) === undefined,
  );
}

/** Endings of what a script makes files of. */
const madeOf = ['.in', '.tmpl', '.tpl', '.template', '.envsubst'];

/**
 * The files that a kustomization lacks and that are made when they are needed: git ignores them, there is what they are made
 * of, a script writes them, or there is nothing but the kustomization.
 */
export async function madeLater(
  uri: string,
  missing: readonly string[],
  folders: readonly string[],
): Promise<ReadonlySet<string>> {
  const namesIn = async (folder: string) => (await promptFiles.entries(folder)).map(({ name }) => name);
  const isAlone = (await namesIn(folderOf(uri))).length === 1;
  const ignored = ignoredByGit(path.dirname(fileURLToPath(uri)), missing);
  const names = new Set(missing.map((file) => path.basename(file)).filter((name) => name !== 'kustomization.yaml'));
  const written = await writtenByScripts(promptFiles, uri, folders, names);
  const later = missing.map(async (file) => {
    const beside = await namesIn(addressOf(path.dirname(file)));
    const isMade = madeOf.some((ending) => beside.includes(path.basename(file) + ending));
    return isAlone || isMade || written.has(path.basename(file)) || ignored?.has(file) ? [file] : [];
  });
  return new Set((await Promise.all(later)).flat());
}

/**
 * Whether a kustomization is as before anything is added: there is nothing in its folder but that, or it has a file in a comment that
 * is not there yet, and nothing here builds it.
 */
export async function isBegun(snapshot: Snapshot, uri: string, text: string): Promise<boolean> {
  if (snapshot.kustomizations.namedBy.has(folderOf(uri)) || appliersOf(snapshot, uri).length > 0) return false;
  if ((await promptFiles.entries(folderOf(uri))).length === 1) return true;
  const files = waysInComments(text)
    .filter((way) => isYaml(way) && !way.includes('://'))
    .slice(0, mostBeside);
  const missing = await Promise.all(files.map((way) => isMissing(resolve(folderOf(uri), way))));
  return missing.includes(true);
}

async function isMissing(uri: string): Promise<boolean> {
  return !(await promptFiles.entries(folderOf(uri))).some(({ name }) => name === decode(baseName(uri)));
}

const mostBeside = 30;

/** Whether a kustomization in a folder beside that of a file names that folder in a comment, as scaffolds do, and none takes it. */
export async function isLeftOut({ kustomizations }: Snapshot, uri: string): Promise<boolean> {
  const own = folderOf(uri);
  if (kustomizations.namedBy.has(own)) return false;
  const beside = (await promptFiles.entries(folderOf(own))).filter(({ isFolder }) => isFolder).slice(0, mostBeside);
  for (const { name } of beside) {
    const folder = `${folderOf(own)}/${encodeURIComponent(name)}`;
    for await (const text of textsIn(promptFiles, folder, isKustomization, 1))
      if (commentedOut(text).includes(baseName(own))) return true;
  }
  return false;
}

/** Folders around that of a kustomization in which others are looked for. */
const mostAround = 3;

/**
 * Whether one around a folder has it in a comment, or the file in which Flux is told to build it (`# - ./routes/ks.yaml`), and
 * none elsewhere takes it.
 */
export async function isOfTurnedOff(snapshot: Snapshot, uri: string): Promise<boolean> {
  const own = folderOf(uri);
  if (snapshot.kustomizations.namedBy.has(own)) return false;
  const around = [...withFolders(folderOf(own))].slice(0, mostAround);
  for (const folder of around) {
    for await (const text of textsIn(promptFiles, folder, isKustomization, 1)) {
      const files = waysInComments(text).map((way) => resolve(folder, way.replace(/\/$/, '')));
      if (files.includes(own) && appliersOf(snapshot, uri).length === 0) return true;
      for (const file of files.filter((one) => isYaml(one) && isInside(own, folderOf(one))))
        if (isBuilt((await textBeside(promptFiles, file)) ?? '', own)) return true;
    }
  }
  return false;
}

/** Whether a text says that Flux builds a folder. */
function isBuilt(text: string, folder: string): boolean {
  if (!text.includes('kustomize.toolkit.fluxcd.io/')) return false;
  const ways = text.matchAll(/^ {2}path: ["']?(?:\.\/)?([\w./-]{1,300})/gm);
  return Array.from(ways, ([, way]) => way!.replace(/\/$/, '')).some((way) => decode(folder).endsWith(`/${way}`));
}

/** What a kustomization has in comments instead of a resource. */
function waysInComments(text: string): string[] {
  const lines = text.split('\n').map((line) => /^[ \t]*#[ \t]*-[ \t]+(?:\.\/)?(\S{1,200})[ \t\r]*$/.exec(line)?.[1]);
  return lines.filter((way) => way !== undefined);
}

/** Whether the kustomization of a file's folder has the file in a comment, so that nothing applies what it holds. */
export async function isTurnedOff(uri: string): Promise<boolean> {
  for await (const text of textsIn(promptFiles, folderOf(uri), isKustomization, 1))
    if (waysInComments(text).includes(baseName(uri))) return true;
  return false;
}

function commentedOut(text: string): string[] {
  const lines = text.matchAll(/^[ \t]{0,20}#[ \t]{0,20}-[ \t]{1,20}\.\.\/([\w.-]{1,100})\/?[ \t\r]{0,20}$/gm);
  return Array.from(lines, ([, name]) => name!);
}

/** Whether a file is called a patch, be it in its first line, and lies among kustomizations of which none takes it. */
function isCalledPatch(uri: string): boolean {
  return (
    /(?:^|[-_.])patch(?:es|ing)?[-_.]/i.test(baseName(uri)) || /\/(?:patch|(?:[a-z]{1,40}[-_])?patches)\//i.test(uri)
  );
}

/** Whether kustomizations take files beside it as patches, and not this one. */
export function isBesidePatches(snapshot: Snapshot, uri: string): boolean {
  return patchedFolders(snapshot.patches).has(folderOf(uri)) && isUnlisted(snapshot, uri);
}

const patchedFolders = memo((patches: Snapshot['patches']) => new Set([...patches].map(folderOf)));

/** Whether it is in a folder for kustomize that has no kustomization: a program writes that, as modules of Terraform do. */
function isForKustomize({ kustomized }: Snapshot, uri: string): boolean {
  return /\/(?:kustomize|overlays?)\/[^/]+$/i.test(uri) && !kustomized.folders.has(folderOf(uri));
}

/** Whether it is one of those that the tests of operators of Ansible choose from: `kustomize edit add patch`. */
function isForMolecule(uri: string): boolean {
  return /\/testing\/pull_policy\/[^/]+$/.test(uri);
}

/** Whether it is called a patch, wherever it is, and no kustomization takes it: a script may. */
export function isLoosePatch(snapshot: Snapshot, uri: string): boolean {
  const isPatch = isCalledPatch(uri) || isForMolecule(uri) || isForKustomize(snapshot, uri);
  return isPatch && isUnlisted(snapshot, uri);
}

/** Whether it is called a patch, and a kustomization takes it as a resource. */
export function isAppliedPatch({ kustomized }: Snapshot, uri: string): boolean {
  return isCalledPatch(uri) && kustomized.listed.has(uri);
}

export function isUnlisted({ kustomized, patches }: Snapshot, uri: string): boolean {
  return !patches.has(uri) && !kustomized.listed.has(uri);
}

export function isUnusedPatch(snapshot: Snapshot, { uri, text }: Pick<SourceFile, 'uri' | 'text'>): boolean {
  if (!isUnlisted(snapshot, uri)) return false;
  // As the templates of Cluster API's providers have it.
  if (/^kustomize/i.test(baseName(uri)) && !isKustomization(uri)) return true;
  if (/^# [\w-]{0,60}-patch\.\w{1,4}\r?\n/.test(text)) return true;
  return isCalledPatch(uri) && mayLackParts(snapshot.kustomized, uri);
}
