import { isYaml } from '../../workspace/fileNames.ts';
import type { Files } from '../../workspace/files.ts';
import { folderOf } from '../../workspace/uri.ts';
import { textsIn } from './beside.ts';

// `- host: #@ data.values.host` below `#@overlay/match by=overlay.subset({"kind": "Ingress"})`: ytt lays it over an object in a file
// beside it, or in a folder beside that.

const mostFolders = 20;
const mostFiles = 30;

/** Whether an overlay of ytt around a file has another value for a field of the objects of a kind. */
export async function isOverlaid(
  files: Files,
  uri: string,
  kind: string,
  path: readonly (string | number)[],
): Promise<boolean> {
  const steps = path.filter((step) => typeof step === 'string');
  const own = folderOf(uri);
  const around = folderOf(own);
  const beside = (await files.entries(around)).filter(({ isFolder }) => isFolder).slice(0, mostFolders);
  const folders = [own, around, ...beside.map(({ name }) => `${around}/${encodeURIComponent(name)}`)];
  for (const folder of new Set(folders)) {
    for await (const text of textsIn(files, folder, isYaml, mostFiles))
      if (text.includes('#@overlay/match') && overlaysOf(kind, text).some((one) => isSetIn(one, steps))) return true;
  }
  return false;
}

/** The documents of a file that are for all objects of a kind: what they are for is in the comments before each. */
function overlaysOf(kind: string, text: string): string[] {
  const documents = text.split(/^---/m);
  return documents.slice(1).filter((_, i) => {
    const before = documents[i]!;
    return before.slice(before.lastIndexOf('#@overlay/match by=')).replaceAll(' ', '').includes(`({"kind":"${kind}"})`);
  });
}

/** Whether a document leads to a field whose value ytt works out. */
function isSetIn(document: string, steps: readonly string[]): boolean {
  const lines = document.split('\n').map((line) => line.trim().replace(/^- /, ''));
  const last = `${steps.at(-1)}: #@ `;
  return (
    lines.some((line) => line.startsWith(last)) &&
    steps.slice(0, -1).every((step) => lines.some((line) => line.startsWith(`${step}:`)))
  );
}
