import { memo } from '../../base/memo.ts';
import { type AppliedFolder, appliedFolders } from '../delivery/filled.ts';
import { deliveryOf } from '../delivery/index.ts';
import { isAppliedWith, isSurelyHere, type Resources } from '../delivery/kustomizations.ts';
import { type Snapshot, settingsFor } from '../snapshot.ts';
import type { SourceFile } from '../sourceFile.ts';
import { type AppliedBuild, type AppliedBuilds, appliedBuildsIn } from './appliedBuilds.ts';
import { foldersWith, type KustomizationGraph } from './graph.ts';
import type { FolderBuild, Wanted } from './kustomizeFiles.ts';
import { type MadeBuild, madeBuild } from './madeBuild.ts';

/** The builds of Flux's Kustomizations and Argo CD's Applications. */
function appliedBuildsOf(snapshot: Snapshot): AppliedBuilds {
  return appliedBuildsIn(deliveryOf(snapshot), snapshot.kustomizations);
}

/** What a root is the build of, if whoever applies it adds something to that. */
export function appliedBuildOf(snapshot: Snapshot, root: string): AppliedBuild | undefined {
  return root.includes('#') ? appliedBuildsOf(snapshot).byRoot.get(root) : undefined;
}

/** The folder of a root. */
export function folderOfRoot(root: string): string {
  const end = root.indexOf('#');
  return end === -1 ? root : root.slice(0, end);
}

/** What is to be built for a root. */
export function wantedOf(snapshot: Snapshot, root: string): Wanted {
  return { root, folder: folderOfRoot(root), addition: appliedBuildOf(snapshot, root)?.addition };
}

/** What is built of a folder; undefined as long as not all that it takes was read. */
export function buildOf(snapshot: Snapshot, root: string): FolderBuild | undefined {
  const { open, kustomize } = snapshot;
  const { build, unread } = kustomize?.memory.build(wantedOf(snapshot, root), open, kustomize) ?? {};
  return unread?.length === 0 ? build : undefined;
}

/** The same with its resources as files. */
export function madeOf(snapshot: Snapshot, root: string): MadeBuild | undefined {
  const build = buildOf(snapshot, root);
  const filling = appliedBuildOf(snapshot, root)?.filling;
  return build && snapshot.kustomize && madeBuild(build, root, snapshot.kustomize.memory, filling);
}

/**
 * The folders whose builds a file has a part in, as somebody builds them to apply them: what is applied with additions has
 * the name of its folder with that of the object behind it.
 */
export function rootsWith(snapshot: Snapshot, uri: string): readonly string[] {
  if (!settingsFor(snapshot, uri).kustomize) return [];
  const { kustomizations, resources } = snapshot;
  return rootsIn(kustomizations, appliedBuildsOf(snapshot), resources, uri);
}

const rootsIn = memo(
  (graph: KustomizationGraph, builds: AppliedBuilds, resources: Resources, uri: string): readonly string[] => {
    const roots = new Set<string>();
    const take = (some: readonly AppliedBuild[] = []) => {
      for (const { root } of some) roots.add(root);
    };
    for (const { folder, isRoot } of foldersWith(graph, uri)) {
      const applied = builds.byFolder.get(folder);
      take(applied);
      take(builds.byComponent.get(folder));
      if (isRoot && !applied) roots.add(folder);
    }
    take(builds.generated.filter(({ folder }) => isAppliedWith(resources, folder, uri)));
    take(builds.byFile.get(uri));
    return [...roots].sort();
  },
);

/** What is built with a file, as files that are nowhere but in memory. */
export function madeOfBuilds(snapshot: Snapshot, uri: string): readonly SourceFile[] {
  return rootsWith(snapshot, uri).flatMap((root) => madeOf(snapshot, root)?.objects ?? []);
}

/** The folders of this repository that the Kustomizations of Flux in a file name. */
export function foldersNamedIn(snapshot: Snapshot, uri: string): readonly AppliedFolder[] {
  if (!settingsFor(snapshot, uri).kustomize) return [];
  const delivery = deliveryOf(snapshot);
  return appliedFolders(delivery).filter(({ by }) => by.uri === uri && isSurelyHere(delivery, by));
}

/** Those of them that nobody has looked for yet. */
export function foldersUnseen(snapshot: Snapshot, uri: string): readonly string[] {
  const folders = foldersNamedIn(snapshot, uri).map(({ folder }) => folder);
  return folders.filter((folder) => snapshot.kustomize?.entries.get(folder) === undefined);
}
