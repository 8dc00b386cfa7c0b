import { isKustomization } from '../../workspace/fileNames.ts';
import type { Files } from '../../workspace/files.ts';
import { baseName, folderOf } from '../../workspace/uri.ts';
import { textsIn } from './beside.ts';
import { scriptsAround, stepsOf } from './scripts.ts';

// `cd config/default && kustomize edit set namespace shop`: what a kustomization builds gets its namespace before that.

/**
 * Whether a script around a file gives a namespace to the kustomization of its folder, or to that of a folder beside it which
 * takes that.
 */
export async function isNamespacedLater(files: Files, uri: string, folders: readonly string[]): Promise<boolean> {
  for await (const text of scriptsAround(files, uri, folders)) {
    for (const way of namespacedIn(text)) if (await isBuiltBy(files, folderOf(uri), way)) return true;
  }
  return false;
}

/** The folders in which a script sets the namespace. */
function namespacedIn(text: string): string[] {
  return text
    .split(/\bedit[ \t]{1,20}set[ \t]{1,20}namespace\b/)
    .slice(0, -1)
    .flatMap((before) => {
      const [last] = [
        ...before.slice(-charactersBefore).matchAll(/\b(?:cd|pushd)[ \t]{1,20}["']?([\w./-]{1,200})/g),
      ].slice(-1);
      return last ? [stepsOf(last[1]!)] : [];
    })
    .filter((way) => way !== '');
}

/** How far before a command the change of the folder is looked for. */
const charactersBefore = 300;

async function isBuiltBy(files: Files, own: string, way: string): Promise<boolean> {
  if (own.endsWith(`/${way}`)) return true;
  const beside = `${folderOf(own)}/${encodeURIComponent(baseName(way))}`;
  for await (const text of textsIn(files, beside, isKustomization, 1))
    if (text.split(/[\s[\],"']+/).includes(`../${baseName(own)}`)) return true;
  return false;
}
