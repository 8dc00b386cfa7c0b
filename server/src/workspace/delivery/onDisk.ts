/** What is known of the disk about what is applied: the files that say it, the charts there are, and the repositories around. */
import { runAtEnd } from '../../base/text.ts';
import { isMap, isString, valueAt } from '../../base/value.ts';
import { valueOf } from '../../yaml/value.ts';
import { isHelmfile, isKustomization, isSourceOverride } from '../fileNames.ts';
import type { Files } from '../files.ts';
import { defaultLimits } from '../limits.ts';
import { textOf } from '../scan.ts';
import { type SourceFile, sourceFile } from '../sourceFile.ts';
import { baseName, folderOf, isInside, withFolders } from '../uri.ts';
import { deliveredIn, mayDeliver } from './objects.ts';
import { noSetFiles, readSetFiles, type SetFiles } from './setFiles.ts';

export interface ChartName {
  readonly name: string;
  readonly version: string;
}

export interface DeliveryOnDisk {
  /** Files that hold such objects, or change some. */
  readonly files: ReadonlyMap<string, SourceFile>;
  /** By their folders. */
  readonly charts: ReadonlyMap<string, ChartName>;
  /** By their folders, what repositories around those files are called where they are fetched from. */
  readonly repositories: ReadonlyMap<string, readonly string[]>;
  /** Archives of charts. */
  readonly archives: readonly string[];
  /** What ApplicationSets look for in their repository. */
  readonly setFiles: SetFiles;
}

export const nothingDelivered: DeliveryOnDisk = {
  files: new Map(),
  charts: new Map(),
  repositories: new Map(),
  archives: [],
  setFiles: noSetFiles,
};

/** What a file that was read matters for. */
export interface DeliveryFile {
  readonly file?: SourceFile;
  readonly chart?: ChartName;
}

export const deliversNothing: DeliveryFile = {};

/** What is kept of a file; nothing where it does not matter here. */
export function deliveryIn(uri: string, text: string, names: ReadonlySet<string> = new Set()): DeliveryFile {
  if (baseName(uri) === 'Chart.yaml') {
    const about = nameOfChart(sourceFile(uri, text));
    return about ? { chart: about } : deliversNothing;
  }
  const matters =
    mayDeliver(text) ||
    isHelmfile(uri) ||
    isSourceOverride(uri) ||
    (isKustomization(uri) && changesDelivery.test(text)) ||
    (names.size > 0 && holdsOneOf(text, names));
  return matters ? { file: sourceFile(uri, text) } : deliversNothing;
}

/** What else is known of the files of a workspace. */
interface Around {
  /** By file: the words that may be names of kinds. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  readonly archives: readonly string[];
}

/** All that files come to, with the ConfigMaps and Secrets that their objects read. */
export async function deliveryOnDisk(
  files: Files,
  found: ReadonlyMap<string, DeliveryFile>,
  { words, archives }: Around,
): Promise<DeliveryOnDisk> {
  const all = new Map<string, SourceFile>();
  const charts = new Map<string, ChartName>();
  for (const [uri, { file, chart }] of found) {
    if (file) all.set(uri, file);
    if (chart) charts.set(folderOf(uri), chart);
  }
  const names = namesRead(all.values());
  for (const [uri, kinds] of names.size > 0 ? words : []) {
    if (all.has(uri) || !kinds.some((kind) => kind === 'ConfigMap' || kind === 'Secret')) continue;
    const text = textOf(await files.read(uri, defaultLimits.fileBytes));
    if (text !== undefined && holdsOneOf(text, names)) all.set(uri, sourceFile(uri, text));
  }
  const repositories = await repositoriesAround(files, [...all.keys()], words.keys());
  return await withSetFiles(files, { files: all, charts, repositories, archives, setFiles: noSetFiles });
}

/** The same with what its ApplicationSets look for now. */
export async function withSetFiles(files: Files, disk: DeliveryOnDisk): Promise<DeliveryOnDisk> {
  const setFiles = await readSetFiles(files, disk.files.values(), (uri) => repositoryAround(disk, uri));
  return setFiles === disk.setFiles ? disk : { ...disk, setFiles };
}

/** The folder of the repository that a file is in. */
export function repositoryAround({ repositories }: DeliveryOnDisk, uri: string): string | undefined {
  let found: string | undefined;
  for (const folder of repositories.keys())
    if (isInside(uri, folder) && folder.length > (found?.length ?? 0)) found = folder;
  return found;
}

/** The same with what one file holds now. */
export function withDeliveryFile(disk: DeliveryOnDisk, uri: string, { file, chart }: DeliveryFile): DeliveryOnDisk {
  const isKnown = disk.files.has(uri) || disk.charts.has(folderOf(uri));
  if (!file && !chart && !isKnown) return disk;
  const [files, charts] = [new Map(disk.files), new Map(disk.charts)];
  if (file) files.set(uri, file);
  else files.delete(uri);
  if (chart) charts.set(folderOf(uri), chart);
  else if (baseName(uri) === 'Chart.yaml') charts.delete(folderOf(uri));
  return { ...disk, files, charts };
}

const changesDelivery = /HelmRelease|postBuild|substitute|kustomize\.toolkit\.fluxcd\.io/;

function nameOfChart({ stream }: SourceFile): ChartName | undefined {
  const about = stream.documents[0] && valueOf(stream.documents[0].document);
  const [name, version] = [valueAt(about, ['name']), valueAt(about, ['version'])];
  return isString(name) && name !== '' ? { name, version: isString(version) ? version : '' } : undefined;
}

/** What the objects of some files read values from, by the names of ConfigMaps and Secrets. */
export function namesRead(files: Iterable<SourceFile>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const file of files) {
    for (const { manifest } of deliveredIn(file)) {
      for (const path of readPaths) {
        const list = valueAt(manifest.value, path);
        if (!Array.isArray(list)) continue;
        for (const one of list) {
          const name = isMap(one) ? one.get('name') : undefined;
          if (isString(name)) names.add(name);
        }
      }
    }
  }
  return names;
}

const readPaths = [
  ['spec', 'valuesFrom'],
  ['spec', 'postBuild', 'substituteFrom'],
];

/** Whether a text has a ConfigMap or Secret of one of some names. */
function holdsOneOf(text: string, names: ReadonlySet<string>): boolean {
  return [...text.matchAll(/(?<![\w-])name["']?:[ \t]*["']?([^\s"'#,{}]+)/g)].some(([, name]) => names.has(name!));
}

/** The repositories that files are in. Where there is none, the folder around all of them is taken for one. */
async function repositoriesAround(
  files: Files,
  uris: readonly string[],
  everything: Iterable<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  const seen = new Map<string, boolean>();
  for (const uri of uris) {
    for (const folder of withFolders(folderOf(uri))) {
      if (seen.has(folder)) break;
      const isRoot = (await files.entries(folder, ['.git'])).some(({ name }) => name === '.git');
      seen.set(folder, isRoot);
      if (isRoot) found.set(folder, await remotesOf(files, folder));
      if (isRoot) break;
    }
  }
  const shared = found.size === 0 && uris.length > 0 ? sharedFolder(everything) : undefined;
  if (shared !== undefined) found.set(shared, []);
  return found;
}

function sharedFolder(uris: Iterable<string>): string | undefined {
  let shared: string | undefined;
  for (const uri of uris) {
    shared ??= folderOf(uri);
    while (shared !== '' && !isInside(uri, shared)) shared = folderOf(shared);
  }
  return shared || undefined;
}

/** The last part of each address that a repository is fetched from: forks keep it. */
async function remotesOf(files: Files, folder: string): Promise<readonly string[]> {
  const text = textOf(await files.read(`${folder}/.git/config`, defaultLimits.fileBytes)) ?? '';
  return [...text.matchAll(/^[ \t]*url[ \t]*=[ \t]*(\S+)/gm)].map(([, url]) => repositoryName(url!));
}

/** What a repository is called in its address. */
export function repositoryName(url: string): string {
  const plain = url.slice(0, runAtEnd(url, /[/\s]/)).replace(/\.git$/, '');
  return plain.slice(Math.max(plain.lastIndexOf('/'), plain.lastIndexOf(':')) + 1).toLowerCase();
}
