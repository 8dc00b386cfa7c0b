import type { Files } from '../../workspace/files.ts';
import { textOf } from '../../workspace/scan.ts';
import { folderOf, withFolders } from '../../workspace/uri.ts';

/** No file beside another is read further. */
const mostBesideBytes = 200_000;

/** The text of a file beside another; undefined where there is none that can be read. */
export async function textBeside(files: Files, uri: string): Promise<string | undefined> {
  return textOf(await files.read(uri, mostBesideBytes));
}

/** A folder, and which of the names that were asked for are in it. */
interface Asked {
  readonly folder: string;
  readonly names: readonly string[];
}

/** The folder of a file and those around it, as far as its repository goes, which begins where `.git` is. */
export async function* upToRepository(files: Files, uri: string, wanted: readonly string[]): AsyncGenerator<Asked> {
  for (const folder of withFolders(folderOf(uri))) {
    const names = (await files.entries(folder, [...wanted, '.git'])).map(({ name }) => name);
    yield { folder, names };
    if (names.includes('.git')) return;
  }
}

/** The texts of files in a folder whose names are wanted, as many as there may be. */
export async function* textsIn(
  files: Files,
  folder: string,
  isWanted: (name: string) => boolean,
  most: number,
): AsyncGenerator<string> {
  const found = (await files.entries(folder)).filter(({ name, isFolder }) => !isFolder && isWanted(name));
  for (const { name } of found.slice(0, most))
    yield (await textBeside(files, `${folder}/${encodeURIComponent(name)}`)) ?? '';
}
