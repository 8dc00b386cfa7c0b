import { memo } from '../../base/memo.ts';
import { isYaml } from '../../workspace/fileNames.ts';
import type { Files, Listing } from '../../workspace/files.ts';
import { folderOf } from '../../workspace/uri.ts';
import { textsIn } from './beside.ts';

// `- host: #@ data.values.host` below `#@overlay/match by=overlay.subset({"kind": "Ingress"})`: ytt lays it over an object in a file
// beside it, or in a folder beside that.

const mostFolders = 20;
const mostFiles = 30;

/** What a folder has of ytt, and for which objects that may be. */
interface Folder {
  readonly overlays: readonly string[];
  /** The kinds of objects in it that are whole: its overlays for those are for no other folder's. */
  readonly kinds: ReadonlySet<string>;
}

// Each folder is read, and listed, once for all findings of a run.
const foldersOf = memo((_: Listing) => new Map<string, Promise<Folder>>());
const listedIn = memo((_: Listing) => new Map<string, Promise<readonly string[]>>());

/** Whether an overlay of ytt around a file has another value for a field of the objects of a kind. */
export async function isOverlaid(
  files: Files,
  listing: Listing,
  uri: string,
  kind: string,
  path: readonly (string | number)[],
): Promise<boolean> {
  const steps = path.filter((step) => typeof step === 'string');
  const own = folderOf(uri);
  const known = foldersOf(listing);
  const beside = listedIn(listing);
  if (!beside.has(own)) beside.set(own, foldersFor(files, own));
  for (const folder of await beside.get(own)!) {
    if (!known.has(folder)) known.set(folder, folderAt(files, folder));
    const { overlays, kinds } = await known.get(folder)!;
    const isForOwn = folder !== own && kinds.has(kind);
    if (!isForOwn && overlays.some((text) => overlaysOf(kind, text).some((one) => isSetIn(one, steps)))) return true;
  }
  return false;
}

/** Where an overlay for the objects of a folder may be: in it, around it and beside it. */
async function foldersFor(files: Files, own: string): Promise<readonly string[]> {
  const around = folderOf(own);
  const beside = (await files.entries(around)).filter(({ isFolder }) => isFolder).slice(0, mostFolders);
  return [...new Set([own, around, ...beside.map(({ name }) => `${around}/${encodeURIComponent(name)}`)])];
}

async function folderAt(files: Files, folder: string): Promise<Folder> {
  const overlays: string[] = [];
  const kinds = new Set<string>();
  for await (const text of textsIn(files, folder, isYaml, mostFiles)) {
    if (text.includes('#@overlay/match')) overlays.push(text);
    else for (const [, kind] of text.matchAll(/^kind: *["']?(\w{1,100})/gm)) kinds.add(kind!);
  }
  return { overlays, kinds };
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
  const around: { readonly column: number; readonly key: string }[] = [];
  return document.split('\n').some((line) => {
    const [, blanks, key, value] = /^([ -]{0,200})(\w[^\s#:]{0,200}):(.*)$/.exec(line) ?? [];
    if (key === undefined) return false;
    const column = blanks!.length;
    while (around.length > 0 && around.at(-1)!.column >= column) around.pop();
    around.push({ column, key });
    return (
      value!.startsWith(' #@ ') && around.length === steps.length && around.every((one, i) => one.key === steps[i])
    );
  });
}
