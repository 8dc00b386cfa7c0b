import { memo } from '../../base/memo.ts';
import type { Definition } from '../definitions.ts';
import type { Snapshot } from '../snapshot.ts';
import { type AsBuilt, crdInBuilds } from './builtCrds.ts';

/** The CRD of a file as those who apply it have it; as it is written, where nobody changes it or that is not known. */
export function crdAsBuilt(snapshot: Snapshot, definition: Definition, uri: string): AsBuilt {
  // Every resource asks, and most workspaces have no kustomization: then nothing of them is loaded.
  const isBuilt = snapshot.kustomizations.all.size > 0;
  return (isBuilt ? crdInBuilds(snapshot, definition, uri) : undefined) ?? asWritten(definition);
}

const asWritten = memo((definition: Definition): AsBuilt => ({ ways: [definition], isSettled: false }));
