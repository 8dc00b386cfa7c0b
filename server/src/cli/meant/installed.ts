import type { Files } from '../../workspace/files.ts';
import { folderOf } from '../../workspace/uri.ts';
import { textsIn } from './beside.ts';

// A document beside an example may say what has to be installed before it: "the `example.com/v1` CRDs".

const mostDocuments = 5;

/** Of versions such as `example.com/v1`, those whose CRDs a document beside a file, or in the folder around, speaks of. */
export async function installedVersions(
  files: Files,
  uri: string,
  versions: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (versions.size === 0) return found;
  for (const folder of [folderOf(uri), folderOf(folderOf(uri))]) {
    for await (const text of textsIn(files, folder, (name) => name.endsWith('.md'), mostDocuments)) {
      const lines = text.split('\n').filter((line) => /\bCRDs?\b|CustomResourceDefinition/.test(line));
      for (const word of lines.flatMap((line) => line.split(/[^\w./-]/))) if (versions.has(word)) found.add(word);
    }
  }
  return found;
}
