import type { Build } from '../../kustomize/build.ts';
import type { Snapshot } from '../snapshot.ts';
import { settingsFor } from '../snapshot.ts';
import { rootsOf } from './graph.ts';

/** What a folder with a kustomization comes to. */
export interface BuiltFolder {
  readonly root: string;
  readonly build: Build;
}

/** What is built of a folder; undefined as long as not all that it takes was read. */
export function buildOf({ open, kustomize }: Snapshot, root: string): BuiltFolder | undefined {
  const { build, unread } = kustomize.memory.build(root, open, kustomize);
  return unread.length === 0 ? { root, build } : undefined;
}

/** The builds that a file has a part in. */
export function buildsWith(snapshot: Snapshot, uri: string): readonly BuiltFolder[] {
  if (!settingsFor(snapshot, uri).kustomize) return [];
  return rootsOf(snapshot.kustomizations, uri).flatMap((root) => buildOf(snapshot, root) ?? []);
}
