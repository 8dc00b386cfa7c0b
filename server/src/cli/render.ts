import { storedText } from '../features/preview.ts';
import type { Writing } from '../features/writing.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { baselineReader } from '../workspace/baseline/load.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { withBaseline, withOpen } from '../workspace/snapshot.ts';
import { gitHistory } from '../workspace/sources/git.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import { folderOf } from '../workspace/uri.ts';
import { expandAll, namedSources, readable } from './inputs.ts';
import { complain, nameOf } from './report.ts';
import { type CrdOptions, openWorkspace } from './workspace.ts';

export interface RenderOptions extends CrdOptions {
  readonly paths: readonly string[];
  readonly version: KubernetesVersion;
  readonly writing: Writing;
  /** The commit whose objects are written over; undefined for the last one, if there is any. */
  readonly baseline: string | undefined;
}

/** Prints the objects of files as the API server stores them; gives the exit code. */
export async function render({ paths, version, writing, baseline, ...crds }: RenderOptions): Promise<number> {
  if (paths.length === 0) throw new Error('no files given');
  const listing = await expandAll(paths);
  const workspace = await openWorkspace(listing, crds, { chosen: { kubernetesVersion: version.name } });
  const history = gitHistory();
  const ref = baseline ?? 'HEAD';
  const reader = baselineReader(history, promptFiles, defaultLimits, () => {});
  let { snapshot } = workspace;
  let failures = 0;
  let first = true;
  for await (const file of readable(namedSources(listing.uris), () => failures++)) {
    const { uri } = file;
    snapshot = await workspace.knowing(snapshot, file);
    const committed = writing === 'create' ? undefined : await reader.load(file, ref, snapshot.definitions);
    const isOutside = baseline !== undefined && baseline !== 'none' && committed?.commit === '';
    if (committed?.unknownRef || isOutside) {
      const isPlaced = (await history.repositoryOf(folderOf(uri))) !== undefined;
      complain(`git has no commit ${ref}${isPlaced ? '' : `: ${nameOf(uri)} is outside of git repositories`}`);
      failures++;
      continue;
    }
    const text = storedText(withBaseline(withOpen(snapshot, file), uri, committed), uri, writing) ?? '';
    if (text === '') continue;
    process.stdout.write(first ? text : `---\n${text}`);
    first = false;
  }
  history.close();
  return failures > 0 ? 2 : 0;
}
