import { isScript } from '../../workspace/fileNames.ts';
import type { Files } from '../../workspace/files.ts';
import { decode, folderOf } from '../../workspace/uri.ts';
import { textsIn } from './beside.ts';
import { scriptsAround } from './scripts.ts';

/** `cat overlays/shop/kustomization.yaml > kustomization.yaml`: the ways in it lead on from where a script puts it. */
const copies =
  /\b(?:cat|cp)[ \t]{1,20}["']?([\w./-]{1,200})\/kustomization\.\w{3,4}["']?[ \t>]{1,20}["']?[\w./-]{1,200}/g;

/** Whether a script around a kustomization copies it to another folder. */
export async function isCopiedByScript(files: Files, uri: string, folders: readonly string[]): Promise<boolean> {
  const own = decode(folderOf(uri));
  for await (const text of scriptsAround(files, uri, folders)) {
    const ways = Array.from(text.matchAll(copies), ([, way]) => way!.split('/').filter((step) => !/^\.*$/.test(step)));
    if (ways.some((steps) => steps.length > 0 && own.endsWith(`/${steps.join('/')}`))) return true;
  }
  return false;
}

/** Scripts beside a kustomization. */
const mostBeside = 20;

/** Whether a script beside a kustomization writes it before it builds it: `yq -i '.resources[0] = "…"' kustomization.yaml`. */
export async function isWrittenByScript(files: Files, uri: string): Promise<boolean> {
  for await (const text of textsIn(files, folderOf(uri), isScript, mostBeside))
    if (text.split('\n').some(writes)) return true;
  return false;
}

function writes(line: string): boolean {
  const [before, behind] = line.split(/(?<![\w./-])kustomization\.\w{3,4}/);
  return (
    behind !== undefined && (/>[ \t]{0,20}$/.test(before!) || (before!.includes('yq ') && before!.includes(' -i ')))
  );
}
