import type { Files } from '../../workspace/files.ts';
import { textOf } from '../../workspace/scan.ts';

/** No file beside another is read further. */
export const mostBesideBytes = 200_000;

/** The texts of files in a folder whose names are wanted, as many as there may be. */
export async function* textsIn(
  files: Files,
  folder: string,
  isWanted: (name: string) => boolean,
  most: number,
): AsyncGenerator<string> {
  const found = (await files.entries(folder)).filter(({ name, isFolder }) => !isFolder && isWanted(name));
  for (const { name } of found.slice(0, most))
    yield textOf(await files.read(`${folder}/${encodeURIComponent(name)}`, mostBesideBytes)) ?? '';
}
