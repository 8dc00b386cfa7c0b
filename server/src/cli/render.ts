import { storedText } from '../features/preview.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { withOpen } from '../workspace/snapshot.ts';
import { expandAll, namedSources, readable } from './inputs.ts';
import { type CrdOptions, openWorkspace } from './workspace.ts';

export interface RenderOptions extends CrdOptions {
  readonly paths: readonly string[];
  readonly version: KubernetesVersion;
}

/** Prints the objects of files as the API server stores them; gives the exit code. */
export async function render({ paths, version, ...crds }: RenderOptions): Promise<number> {
  if (paths.length === 0) throw new Error('no files given');
  const listing = await expandAll(paths);
  const workspace = await openWorkspace(listing, crds, { chosen: { kubernetesVersion: version.name } });
  let { snapshot } = workspace;
  let unread = 0;
  let first = true;
  for await (const file of readable(namedSources(listing.uris), () => unread++)) {
    const { uri } = file;
    snapshot = await workspace.knowing(snapshot, file);
    const text = storedText(withOpen(snapshot, file), uri) ?? '';
    if (text === '') continue;
    process.stdout.write(first ? text : `---\n${text}`);
    first = false;
  }
  return unread > 0 ? 2 : 0;
}
