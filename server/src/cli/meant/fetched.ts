import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { firstValue } from '../../workspace/delivery/setGit.ts';
import type { Files } from '../../workspace/files.ts';
import { textOf } from '../../workspace/scan.ts';
import { folderOf, isInside, resolve, withFolders } from '../../workspace/uri.ts';
import { mostBesideBytes } from './beside.ts';

/** Where vendir says what it copies, and from where. */
const copying = 'vendir.yml';

/** What vendir does not fetch from elsewhere. */
const ownContents = ['directory', 'inline', 'manual'];

/** Whether vendir copies a file from another repository: it writes over what anybody changes here. */
export async function isFetched(files: Files, uri: string): Promise<boolean> {
  for (const folder of withFolders(folderOf(uri))) {
    const names = (await files.entries(folder, [copying, '.git'])).map(({ name }) => name);
    if (names.includes(copying)) {
      const text = textOf(await files.read(`${folder}/${copying}`, mostBesideBytes)) ?? '';
      if (fetchedFolders(firstValue(text)).some((way) => isInside(uri, resolve(folder, way)))) return true;
    }
    if (names.includes('.git')) break;
  }
  return false;
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
