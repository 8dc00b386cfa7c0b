import { type Snapshot, settingsFor } from '../snapshot.ts';
import type { SourceFile } from '../sourceFile.ts';
import { rootsOf } from './graph.ts';
import type { FolderBuild } from './kustomizeFiles.ts';
import { type MadeBuild, madeBuild } from './madeBuild.ts';

/** What is built of a folder; undefined as long as not all that it takes was read. */
export function buildOf({ open, kustomize }: Snapshot, root: string): FolderBuild | undefined {
  const { build, unread } = kustomize?.memory.build(root, open, kustomize) ?? {};
  return unread?.length === 0 ? build : undefined;
}

/** The same with its resources as files. */
export function madeOf(snapshot: Snapshot, root: string): MadeBuild | undefined {
  const build = buildOf(snapshot, root);
  return build && snapshot.kustomize && madeBuild(build, root, snapshot.kustomize.memory);
}

/** The folders whose builds a file has a part in. */
export function rootsWith(snapshot: Snapshot, uri: string): readonly string[] {
  return settingsFor(snapshot, uri).kustomize ? rootsOf(snapshot.kustomizations, uri) : [];
}

/** What is built with a file, as files that are nowhere but in memory. */
export function madeOfBuilds(snapshot: Snapshot, uri: string): readonly SourceFile[] {
  return rootsWith(snapshot, uri).flatMap((root) => madeOf(snapshot, root)?.sources ?? []);
}
