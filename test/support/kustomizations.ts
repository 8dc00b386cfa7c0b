import { ChartFolder } from '../../server/src/workspace/charts/chartFolder.ts';
import { isKustomization, isYaml } from '../../server/src/workspace/fileNames.ts';
import { allRoots } from '../../server/src/workspace/kustomizations/graph.ts';
import { KustomizeFiles, type OnDisk } from '../../server/src/workspace/kustomizations/kustomizeFiles.ts';
import { chartMark } from '../../server/src/workspace/kustomizations/paths.ts';
import { combined, saidOfOthers } from '../../server/src/workspace/parts.ts';
import type { Snapshot } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { folderOf, isInside, withFolders } from '../../server/src/workspace/uri.ts';

interface TextFile {
  readonly uri: string;
  readonly text: string;
}

/** The snapshot with all that its kustomizations take, as if it had been read. */
export function withKustomizations(snapshot: Snapshot, files: readonly TextFile[]): Snapshot {
  const entries = new Map<string, OnDisk>();
  for (const { uri, text } of files) {
    for (const at of withFolders(folderOf(uri))) entries.set(at, 'folder');
    entries.set(uri, { text });
  }
  const read = files.filter(({ uri }) => isYaml(uri) || isKustomization(uri));
  const said = new Map(read.map(({ uri, text }) => [uri, saidOfOthers(sourceFile(uri, text), folderOf(uri))]));
  const known = { ...snapshot, ...combined(said) };
  return { ...known, kustomize: wholly(known, new KustomizeFiles(entries)) };
}

function chartAt(uri: string, { entries }: KustomizeFiles): OnDisk | undefined {
  if (!uri.endsWith(chartMark)) return undefined;
  const root = uri.slice(0, -chartMark.length);
  const files = [...entries].flatMap(([id, file]) => {
    if (!isInside(id, root) || typeof file !== 'object' || !('text' in file)) return [];
    return [{ id, path: id.slice(root.length + 1), text: file.text }];
  });
  return { chart: new ChartFolder({ root, files, archives: [], notes: [], missing: [], standIns: [] }) };
}

/** What builds ask for beside these files is not there. */
function wholly({ open, kustomizations }: Snapshot, files: KustomizeFiles): KustomizeFiles {
  let all = files;
  for (;;) {
    const roots = allRoots(kustomizations);
    const unread = roots.flatMap(
      (root) => all.memory.build({ root, folder: root, addition: undefined }, open, all).unread,
    );
    if (unread.length === 0) return all;
    all = all.with(new Map(unread.map((uri) => [uri, chartAt(uri, all) ?? 'nothing'])), []);
  }
}
