/** The files and folders of a repository that git generators of ApplicationSets ask for. */
import { isList, isMap, isString, type Value, valueAt } from '../../base/value.ts';
import { compareStrings } from '../../gostd/jsonPrint.ts';
import { gitPattern } from '../../gostd/patterns.ts';
import type { Files } from '../files.ts';
import { defaultLimits } from '../limits.ts';
import { textOf } from '../scan.ts';
import type { SourceFile } from '../sourceFile.ts';
import { isInside, resolve } from '../uri.ts';
import { deliveredIn } from './objects.ts';

export interface SetFiles {
  /** The repositories that were looked through. */
  readonly repositories: ReadonlySet<string>;
  /** By address, the texts of files that some generator asks for. */
  readonly texts: ReadonlyMap<string, string>;
  /** The patterns for which that is so, as they are written. */
  readonly patterns: ReadonlySet<string>;
  /** All folders that do not begin with a dot, and are in none that does. */
  readonly folders: readonly string[];
}

export const noSetFiles: SetFiles = { repositories: new Set(), texts: new Map(), patterns: new Set(), folders: [] };

/** Folders that are looked into for one repository, and files that are read. */
const mostFolders = 5_000;
const mostFiles = 500;

/** Generators within each other that are looked at. */
const deepestAsked = 5;

/** Reads what the ApplicationSets of some files ask for. A repository that is too large is not among those that were looked through. */
export async function readSetFiles(
  files: Files,
  delivering: Iterable<SourceFile>,
  repositoryOf: (uri: string) => string | undefined,
): Promise<SetFiles> {
  const asked = new Map<string, Set<string>>();
  for (const file of delivering) {
    const repository = repositoryOf(file.uri);
    if (repository === undefined) continue;
    for (const { kind, manifest } of deliveredIn(file)) {
      if (kind !== 'ApplicationSet') continue;
      const patterns = patternsIn(valueAt(manifest.value, ['spec', 'generators']) ?? null);
      if (!patterns) continue;
      const known = asked.get(repository) ?? new Set<string>();
      for (const one of patterns) known.add(one);
      asked.set(repository, known);
    }
  }
  let all = noSetFiles;
  for (const [repository, patterns] of asked) all = await withRepository(all, files, repository, patterns);
  return all;
}

/** The patterns of files in generators; undefined where there is no git generator at all. */
export function patternsIn(generators: Value, depth = deepestAsked): readonly string[] | undefined {
  if (!isList(generators) || depth === 0) return undefined;
  const found = generators.filter(isMap).map((one) => {
    const git = one.get('git');
    const inside = ['matrix', 'merge'].map((key) => patternsIn(valueAt(one, [key, 'generators']) ?? null, depth - 1));
    return [isMap(git) ? pathRows(git.get('files')).map(({ path }) => path) : undefined, ...inside];
  });
  const known = found.flat().filter((one) => one !== undefined);
  return known.length === 0 ? undefined : known.flat();
}

/** A row of a git generator: paths that it wants, or leaves out. */
export interface PathRow {
  readonly path: string;
  readonly excludes: boolean;
}

export function pathRows(rows: Value | undefined): readonly PathRow[] {
  return (isList(rows) ? rows : []).flatMap((row) => {
    const path = isMap(row) ? row.get('path') : undefined;
    return isMap(row) && isString(path) ? [{ path, excludes: row.get('exclude') === true }] : [];
  });
}

async function withRepository(
  all: SetFiles,
  files: Files,
  repository: string,
  patterns: ReadonlySet<string>,
): Promise<SetFiles> {
  const found = await walked(files, repository);
  if (!found) return all;
  // What a template stands for is not known before it is filled in.
  const fits = [...patterns].map((pattern) => gitPattern(pattern.replace(/\{\{[^{}]*\}\}/g, '*')));
  const wanted = found.files.filter((path) => fits.some((one) => one(path)));
  if (wanted.length > mostFiles) return all;
  const texts = new Map(all.texts);
  for (const path of wanted) {
    const uri = resolve(repository, path);
    const text = (await files.isInside(uri, repository))
      ? textOf(await files.read(uri, defaultLimits.fileBytes))
      : undefined;
    if (text !== undefined) texts.set(uri, text);
  }
  return {
    repositories: new Set([...all.repositories, repository]),
    texts,
    patterns: new Set([...all.patterns, ...patterns]),
    folders: [...all.folders, ...found.folders.map((path) => resolve(repository, path))],
  };
}

interface Walked {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** All files and folders of a repository by their paths, in the order of a walk; undefined where there are too many. */
async function walked(files: Files, repository: string): Promise<Walked | undefined> {
  const found = { files: [] as string[], folders: [] as string[] };
  let looked = 0;
  const walk = async (at: string, isHidden: boolean): Promise<void> => {
    if (++looked > mostFolders) return;
    const entries = await files.entries(at === '' ? repository : resolve(repository, at));
    for (const { name, isFolder } of [...entries].sort((a, b) => compareStrings(a.name, b.name))) {
      const path = at === '' ? name : `${at}/${name}`;
      if (!isFolder) found.files.push(path);
      else if (name !== '.git' && name !== 'node_modules') {
        const isHiddenToo = isHidden || name.startsWith('.');
        if (!isHiddenToo) found.folders.push(path);
        await walk(path, isHiddenToo);
      }
    }
  };
  await walk('', false);
  return looked > mostFolders ? undefined : found;
}

/** Whether what is known may change with a file. */
export function matterToSets({ repositories }: SetFiles, uris: readonly string[]): boolean {
  return uris.some((uri) => [...repositories].some((folder) => isInside(uri, folder)));
}
