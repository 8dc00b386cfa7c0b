import { isMap, type ValueMap } from '../base/value.ts';
import { newestVersion, releaseOf } from '../kubernetes/releases/all.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { renderBlock } from '../yaml/render.ts';
import type { Origin } from './origin.ts';
import { type Snapshot, withDisk, withoutOpen } from './snapshot.ts';
import { type SourceFile, sourceFile } from './sourceFile.ts';
import { shownUri } from './sources/shown.ts';

// The CRDs that a cluster stores, as files.

/** A CRD as a cluster stores it, without what only tells who wrote it. */
export function storedCrdText(crd: ValueMap): string {
  const metadata = crd.get('metadata');
  const kept = new Map(isMap(metadata) ? metadata : []);
  kept.delete('managedFields');
  return `${renderBlock(new Map(crd).set('metadata', kept), 0, { eol: '\n', step: 2, indentLists: false })}\n`;
}

/** Files with the CRDs that a cluster stores. */
export function storedSide(crds: readonly ValueMap[], context: string): SourceFile[] {
  return crds.map((crd, i) => sourceFile(storedUri(context, i), storedCrdText(crd), { made: true }));
}

/** No folder of it has the context's name: one that is called `test` has no test data in it. */
const storedUri = (context: string, nth: number) => shownUri(`${context}/cluster`, `${nth}.yaml`);

/** The CRDs that a cluster has, each as its text. */
export interface ClusterCrds {
  readonly context: string;
  readonly texts: readonly string[];
}

/** Files by which others are judged as the cluster would judge them. */
export function clusterFiles({ context, texts }: ClusterCrds): SourceFile[] {
  const origin: Origin = { text: `the cluster ${context}`, source: 'cluster' };
  return texts.map((text, i) => sourceFile(storedUri(context, i), text, { origin, dormant: true, made: true }));
}

export function withCluster(snapshot: Snapshot, files: readonly SourceFile[]): Snapshot {
  return files.reduce((known, file) => withDisk(known, file.uri, file), snapshot);
}

export function withoutCluster(snapshot: Snapshot, files: readonly SourceFile[]): Snapshot {
  return files.reduce((known, { uri }) => {
    // One that the editor shows must not count any longer either.
    const shut = known.open.has(uri) ? withoutOpen(known, uri) : known;
    return withDisk(shut, uri, undefined);
  }, snapshot);
}

/** The release that a cluster runs, by what it says of itself; the newest that is known, where that one is not. */
export function releaseLike(gitVersion: string): { readonly release: KubernetesVersion; readonly isKnown: boolean } {
  const release = releaseOf(gitVersion);
  return { release: release ?? newestVersion, isKnown: release !== undefined };
}
