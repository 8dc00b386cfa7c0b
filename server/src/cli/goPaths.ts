import path from 'node:path';
import { addressOf } from '../files/address.ts';
import { entriesNow, kindNow } from '../files/folders.ts';
import { readRegularNow } from '../files/read.ts';
import { goMarkers } from '../workspace/goMarkers.ts';
import { isSkipped, mostGoBytes } from '../workspace/goPackages.ts';
import { textOf } from '../workspace/scan.ts';

/** Folders of Go packages that paths name, and the files, where single ones are named. */
export interface GoPaths {
  readonly folders: readonly string[];
  /** Addresses; undefined for all files of the folders. */
  readonly files: ReadonlySet<string> | undefined;
}

const deep = /(?:^|[/\\])\.\.\.$/;

/** Whether a path can only be one of Go: a file, or `./api/...`. */
export function isGoPath(named: string): boolean {
  return named.endsWith('.go') || deep.test(named);
}

/** The folder that `./api/...` is about; any other path as it is. */
export function withoutDots(named: string): string {
  return deep.test(named) ? named.slice(0, -'...'.length) || '.' : named;
}

/** Packages with markers alone, or also those that have kinds without any: controller-gen takes these for no group's. */
type Wanted = 'marked' | 'kinds';

/** Whether there are Go packages at a path. */
export function hasGo(named: string, wanted: Wanted = 'marked'): boolean {
  return goPaths([named], wanted).folders.length > 0;
}

/**
 * The Go packages that paths name: a folder is one if files in it have markers, and `/...` is also what is below. Those
 * that are not read are none of ours.
 */
export function goPaths(paths: readonly string[], wanted: Wanted = 'marked'): GoPaths {
  const folders = new Set<string>();
  const files = new Set<string>();
  let hasFolders = false;
  for (const named of paths) {
    if (named === '-') continue;
    const at = path.resolve(withoutDots(named));
    const isFile = named.endsWith('.go') && kindNow(at) === 'file';
    const found = isFile ? [path.dirname(at)] : packagesIn(at, deep.test(named), wanted);
    for (const folder of found) folders.add(folder);
    if (isFile) files.add(addressOf(at));
    else hasFolders ||= found.length > 0;
  }
  const uris = [...folders].sort().map((folder) => addressOf(folder));
  return { folders: uris, files: hasFolders || files.size === 0 ? undefined : files };
}

function packagesIn(folder: string, isDeep: boolean, wanted: Wanted): string[] {
  if (kindNow(folder) !== 'folder') return [];
  const found: string[] = [];
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = entriesNow(at);
    if (entries.some((entry) => entry.isFile() && isWanted(path.join(at!, entry.name), wanted))) found.push(at);
    if (!isDeep) continue;
    for (const entry of entries) {
      if (entry.isDirectory() && !isSkipped(entry.name)) open.push(path.join(at, entry.name));
    }
  }
  return found.sort();
}

function isWanted(file: string, wanted: Wanted): boolean {
  if (!file.endsWith('.go') || file.endsWith('_test.go')) return false;
  const text = textOf(readRegularNow(file, mostGoBytes));
  if (text === undefined) return false;
  return goMarkers.test(text) || (wanted === 'kinds' && text.includes('TypeMeta') && text.includes('ObjectMeta'));
}
