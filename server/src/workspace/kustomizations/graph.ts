import { append } from '../../base/append.ts';
import { kustomizationNames } from '../fileNames.ts';
import { folderOf, withFolders } from '../uri.ts';
import { chartMark } from './paths.ts';

/** Which kustomizations take what from which files and folders, as far as they say it themselves. */
export interface KustomizationGraph {
  /** By a file or folder: the kustomizations that name it. */
  readonly namedBy: ReadonlyMap<string, readonly string[]>;
  readonly all: ReadonlyMap<string, KustomizationSays>;
}

/** What a kustomization says of others. */
export interface KustomizationSays {
  /** Files and folders, and whatever else may be the name of one. */
  readonly names: readonly string[];
  /** It is only there to be put into others. */
  readonly isComponent: boolean;
}

export const noKustomizations: KustomizationGraph = { namedBy: new Map(), all: new Map() };

export function graphOf(said: ReadonlyMap<string, { readonly kustomization?: KustomizationSays }>): KustomizationGraph {
  const namedBy = new Map<string, string[]>();
  const all = new Map<string, KustomizationSays>();
  for (const [uri, { kustomization }] of said) {
    if (!kustomization) continue;
    all.set(uri, kustomization);
    for (const named of new Set(kustomization.names)) {
      const known = namedBy.get(named);
      if (known) known.push(uri);
      else namedBy.set(named, [uri]);
    }
  }
  return all.size === 0 ? noKustomizations : { namedBy, all };
}

/**
 * The folders that somebody would build to apply a file: of the kustomizations that lead to it, those that no other one
 * names. A component is no such one.
 */
export function rootsOf(graph: KustomizationGraph, uri: string): readonly string[] {
  return foldersWith(graph, uri)
    .flatMap(({ folder, isRoot }) => (isRoot ? [folder] : []))
    .sort();
}

/** A folder that a file has a part in what is built of. */
interface FolderWith {
  readonly folder: string;
  /** No other one names it. */
  readonly isRoot: boolean;
}

export function foldersWith({ namedBy, all }: KustomizationGraph, uri: string): readonly FolderWith[] {
  if (all.size === 0) return [];
  const folders = new Map<string, boolean>();
  const seen = new Set<string>();
  const open = all.has(uri) ? [uri] : [...(namedBy.get(uri) ?? []), ...namingChartOf(namedBy, uri)];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const folder = folderOf(at);
    const above = namedBy.get(folder) ?? [];
    append(open, above);
    const isRoot = above.length === 0 && !all.get(at)?.isComponent;
    folders.set(folder, isRoot || folders.get(folder) === true);
  }
  return Array.from(folders, ([folder, isRoot]) => ({ folder, isRoot }));
}

/** The kustomizations that name a chart which a file is in. */
function namingChartOf(namedBy: KustomizationGraph['namedBy'], uri: string): readonly string[] {
  return [...withFolders(folderOf(uri))].flatMap((folder) => namedBy.get(`${folder}${chartMark}`) ?? []);
}

/** All folders that somebody would build. */
export function allRoots({ namedBy, all }: KustomizationGraph): readonly string[] {
  return [...all].flatMap(([uri, { isComponent }]) => {
    const folder = folderOf(uri);
    return isComponent || namedBy.has(folder) ? [] : [folder];
  });
}

/** The kustomization in a folder. */
export function kustomizationIn({ all }: KustomizationGraph, folder: string): string | undefined {
  return kustomizationNames.map((name) => `${folder}/${name}`).find((uri) => all.has(uri));
}
