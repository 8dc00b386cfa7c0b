import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { firstValue } from '../../workspace/delivery/setGit.ts';
import type { Files } from '../../workspace/files.ts';
import { baseName, folderOf, foldersWithin, isInside, resolve } from '../../workspace/uri.ts';
import { textBeside, upToRepository } from './beside.ts';
import { scriptsByFolder } from './scripts.ts';

/** Where vendir says what it copies, and from where. */
const copying = 'vendir.yml';

/** What vendir does not fetch from elsewhere. */
const ownContents = ['directory', 'inline', 'manual'];

/** Whether vendir copies a file from another repository: it writes over what anybody changes here. */
export async function isFetched(files: Files, uri: string): Promise<boolean> {
  for await (const { folder, names } of upToRepository(files, uri, [copying])) {
    if (!names.includes(copying)) continue;
    const text = (await textBeside(files, `${folder}/${copying}`)) ?? '';
    if (fetchedFolders(firstValue(text)).some((way) => isInside(uri, resolve(folder, way)))) return true;
  }
  return false;
}

/** What is removed as a whole, and what fetches charts or archives, in the lines of one recipe. */
const removing = /\brm -(?:rf|fr|r) ([^\n;&|]{1,300})/g;
const fetching = /\bhelm (?:pull|fetch)\b|\b(?:curl|wget)\b|\bgit clone\b|\bkpt pkg get\b/;

/** Whether a script around a file removes a folder that it is in, to fetch that again: `rm -rf charts`, and `helm pull … --untar` below. */
export async function isFetchedByScript(files: Files, uri: string, folders: readonly string[]): Promise<boolean> {
  for await (const { folder, text } of scriptsByFolder(files, uri, folders)) {
    const ways = text.split(/\n[ \t]*\n/).flatMap(fetchedIn);
    if (ways.some((way) => isInside(uri, resolve(folder, way)))) return true;
  }
  return false;
}

/** Whether a chart around a file is as it was fetched: it is unpacked beside its archive, or where the lock of the one around it has it. */
export async function isUnpacked(files: Files, uri: string, folders: readonly string[]): Promise<boolean> {
  for (const at of foldersWithin(uri, folders)) {
    const chart = firstValue((await textBeside(files, `${at}/Chart.yaml`)) ?? '');
    const [name, version] = isMap(chart) ? [chart.get('name'), chart.get('version')] : [];
    if (!isString(name) || !isString(version)) continue;
    if (await isBesideArchive(files, at, `${name}-${version}.tgz`, version)) return true;
    if (await isLocked(files, at, name, version)) return true;
  }
  return false;
}

/** Nobody works on a chart in a folder that is called as one of its versions. */
async function isBesideArchive(files: Files, at: string, archive: string, version: string): Promise<boolean> {
  const around = [folderOf(at), folderOf(folderOf(at))];
  if (![at, around[0]!].some((folder) => baseName(folder) === version)) return false;
  const beside = await Promise.all(around.map((folder) => files.entries(folder, [archive])));
  return beside.flat().length > 0;
}

/** `charts/shop` of a chart whose lock has that from a repository: `helm dependency update` writes it anew. */
async function isLocked(files: Files, at: string, name: string, version: string): Promise<boolean> {
  const charts = folderOf(at);
  if (baseName(charts) !== 'charts') return false;
  const lock = firstValue((await textBeside(files, `${folderOf(charts)}/Chart.lock`)) ?? '');
  return itemsAt(lock, 'dependencies').some((one) => {
    const from = one.get('repository');
    return (
      one.get('name') === name && one.get('version') === version && isString(from) && /^(?:https?|oci):/.test(from)
    );
  });
}

/** The folders that a recipe removes before it fetches something. */
function fetchedIn(recipe: string): string[] {
  const removed = [...recipe.matchAll(removing)].filter(({ index }) => fetching.test(recipe.slice(index)));
  const ways = removed.flatMap(([, all]) => all!.split(/[ \t]+/)).map((way) => way.replace(/^["']|\/?\*?["']?$/g, ''));
  return ways.filter((way) => /^[\w-][\w./-]*$/.test(way.replace(/^\.\//, '')));
}

/** The folders that a configuration of vendir has fetched. */
function fetchedFolders(config: Value | undefined): string[] {
  return itemsAt(config, 'directories').flatMap((directory) =>
    itemsAt(directory, 'contents')
      .filter((contents) => !ownContents.some((one) => contents.has(one)))
      .flatMap((contents) => {
        const [into, below] = [directory.get('path'), contents.get('path')];
        return isString(into) && isString(below) ? [`${into}/${below}`] : [];
      }),
  );
}

function itemsAt(value: Value | undefined, key: string): readonly ValueMap[] {
  const list = isMap(value) ? value.get(key) : undefined;
  return isList(list) ? list.filter(isMap) : [];
}
