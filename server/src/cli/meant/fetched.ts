import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { firstValue } from '../../workspace/delivery/setGit.ts';
import type { Files } from '../../workspace/files.ts';
import { isInside, resolve } from '../../workspace/uri.ts';
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
