import { toShare } from '../features/views/toShare.ts';
import { playgroundAddress } from '../share/address.ts';
import { fragmentOf, isPlayName, LinkError, type PlayFile } from '../share/link.ts';
import { kubernetesFor, withOpen } from '../workspace/snapshot.ts';
import { listingAt, readable, sourcesAt } from './inputs.ts';
import { nameOf } from './report.ts';
import { complain, emit } from './terminal.ts';
import { type CrdOptions, openWorkspace } from './workspace.ts';

/** Prints a link to the playground that holds files and the CRDs of their kinds. Nothing is sent anywhere. */
export async function sayPlayground(paths: readonly string[], crds: CrdOptions, versions?: string): Promise<void> {
  const listing = await listingAt(paths);
  const chosen = versions === undefined ? {} : { kubernetesVersion: versions };
  const workspace = await openWorkspace(listing, { ...crds, paths }, { chosen });
  let { snapshot } = workspace;
  const files = new Map<string, PlayFile>();
  let kubernetes = kubernetesFor(snapshot, '').name;
  for await (const file of readable(sourcesAt(paths, listing), () => {})) {
    snapshot = withOpen(await workspace.knowing(snapshot, file), file);
    kubernetes = kubernetesFor(snapshot, file.uri).name;
    const shared = toShare(snapshot, file.uri, linkName(nameOf(file.uri)));
    if (shared.problem !== undefined) complain(`not in the link: ${shared.problem}`);
    for (const one of shared.files) if (!files.has(one.name)) files.set(one.name, one);
  }
  if (files.size === 0) return complain('there is nothing that a link to the playground could hold');
  try {
    emit(`\n${playgroundAddress}#${await fragmentOf({ kubernetes, files: [...files.values()] })}\n`);
    complain(`the link holds ${[...files.keys()].join(', ')}; browsers keep what is behind # to themselves`);
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    complain(error.message);
  }
}

/** A name that links may hold: without the folders of a file that is outside, or of one with letters of its own. */
function linkName(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  if (isPlayName(name)) return name;
  return isPlayName(last) ? last : 'file.yaml';
}
