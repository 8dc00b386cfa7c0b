import { goText } from '../../gostd/bytes.ts';
import { isKustomization, kustomizationNames } from '../fileNames.ts';
import type { Files } from '../files.ts';
import { defaultLimits } from '../limits.ts';
import type { Snapshot } from '../snapshot.ts';
import { isAmong } from '../sources/named.ts';
import { folderOf, isInside } from '../uri.ts';
import { type KustomizationGraph, namedBelow } from './graph.ts';
import type { KustomizeFiles, OnDisk } from './kustomizeFiles.ts';

/** Files and folders that are looked at for one build, and the bytes of all of them. */
const mostAsked = 20_000;
const mostBytes = 128_000_000;

/** As long as a build goes on asking, at most so often. */
const mostRounds = 200;

/** What is read of the disk for builds. */
export interface ReadBuilds {
  readonly entries: ReadonlyMap<string, OnDisk>;
  readonly notes: readonly string[];
}

/**
 * Reads what a build asks for, which is known only while it is built: it is built again until nothing is missing. What lies
 * outside of some folders is not read, and is nothing to the build.
 */
export async function readForBuild(
  files: Files,
  { open, kustomizations }: Snapshot,
  root: string,
  known: KustomizeFiles,
  homes: readonly string[],
): Promise<ReadBuilds> {
  const entries = new Map<string, OnDisk>();
  const notes: string[] = [];
  let left = mostBytes;
  const take = async (uris: readonly string[], isTooMuch = false) => {
    for (const uri of uris) {
      const found = isTooMuch ? 'nothing' : await look(files, uri, homes, notes);
      if (typeof found === 'object') left -= found.text.length;
      entries.set(uri, found);
    }
  };
  // A build ends at the first thing that is missing: what is named is read before.
  await take(
    likelyAsked(kustomizations, root)
      .filter((uri) => !known.entries.has(uri))
      .slice(0, mostAsked),
  );
  for (let round = 0; ; round++) {
    const { unread } = known.memory.build(root, open, known.with(entries, []));
    if (unread.length === 0) return { entries, notes };
    const isTooMuch = round >= mostRounds || entries.size + unread.length > mostAsked || left <= 0;
    if (isTooMuch) notes.push(`${root}: too many files are read for one build; the rest is taken for missing`);
    await take(unread, isTooMuch);
  }
}

/** What is named, and what kustomize looks for in each folder: each thing found missing later costs a whole build. */
function likelyAsked(graph: KustomizationGraph, root: string): readonly string[] {
  const named = namedBelow(graph, root);
  const folders = named.filter(isKustomization).map(folderOf);
  const looked = folders.flatMap((folder) => [folder, ...kustomizationNames.map((name) => `${folder}/${name}`)]);
  return [...new Set([...named, ...looked])];
}

async function look(files: Files, uri: string, homes: readonly string[], notes: string[]): Promise<OnDisk> {
  // What is around a home is there, whatever else is in it.
  if (homes.some((home) => isInside(home, uri))) return 'folder';
  if (!(await isAmong(files, homes, uri))) {
    return 'outside';
  }
  const read = await files.read(uri, defaultLimits.fileBytes);
  if (read instanceof Uint8Array) return { text: goText(read) };
  if (read === undefined) return (await files.entries(uri)).length > 0 ? 'folder' : 'nothing';
  notes.push(read === 'too-large' ? `${uri} is too large to be read` : `${uri} could not be read: ${read.why}`);
  return 'nothing';
}
