import { isYaml } from '../fileNames.ts';
import type { Files } from '../files.ts';
import { defaultLimits, type SourceLimits } from '../limits.ts';
import { textOf } from '../scan.ts';
import { type Contents, type Row, rowOf } from './place.ts';

/** Folders in which a module or chart keeps what is not part of it. */
const passedOver: ReadonlySet<string> = new Set([
  '.git',
  '.github',
  'docs',
  'e2e',
  'hack',
  'node_modules',
  'test',
  'testdata',
  'tests',
  'third_party',
  'vendor',
]);

/** The files below a folder that speak of CRDs. Says so where there was more than is looked at. */
export async function folderContents(
  files: Files,
  folder: string,
  limits: SourceLimits,
  note: (what: string) => void,
): Promise<Contents> {
  const rows: Row[] = [];
  const open = [folder];
  let [folders, read, isThere] = [0, 0, false];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (++folders > limits.folders) {
      note(`${folder}: more than ${limits.folders} folders; the rest were not looked into`);
      break;
    }
    for (const { name, isFolder } of await files.entries(at)) {
      isThere = true;
      const uri = `${at}/${encodeURIComponent(name)}`;
      if (isFolder && !passedOver.has(name)) open.push(uri);
      if (isFolder || !isYaml(name)) continue;
      if (++read > limits.files) {
        note(`${folder}: more than ${limits.files} YAML files; the rest were not read`);
        return contentsOf(files, rows, isThere);
      }
      const row = rowOf(uri, textOf(await files.read(uri, defaultLimits.fileBytes)) ?? '');
      if (row) rows.push(row);
    }
  }
  return contentsOf(files, rows, isThere);
}

/** The path of a row is an address already. */
function contentsOf(files: Files, rows: readonly Row[], isThere: boolean): Contents {
  return { isThere, rows, uriOf: (uri) => uri, read: (uri) => files.read(uri, defaultLimits.fileBytes) };
}

/** A single file. */
export async function fileContents(files: Files, uri: string): Promise<Contents> {
  const row = rowOf(uri, textOf(await files.read(uri, defaultLimits.fileBytes)) ?? '');
  return contentsOf(files, row ? [row] : [], true);
}
