import { toShare } from '../features/views/toShare.ts';
import { playgroundAddress } from '../share/address.ts';
import { fragmentOf, isPlayName, LinkError } from '../share/link.ts';
import { kubernetesFor } from '../workspace/snapshot.ts';
import { baseName } from '../workspace/uri.ts';
import type { Context } from './context.ts';
import { kindsSettled } from './kinds.ts';
import type { PlaygroundLink, PlaygroundLinkAsked } from './protocol.ts';

/** A link to the playground that holds an open file and the CRDs of its kinds. */
export async function answerPlaygroundLink(context: Context, { uri }: PlaygroundLinkAsked): Promise<PlaygroundLink> {
  await context.session.loaded;
  await kindsSettled(context);
  const { snapshot } = context.session;
  const name = decodeURIComponent(baseName(uri));
  const { files, problem } = toShare(snapshot, uri, isPlayName(name) ? name : 'file.yaml');
  if (problem !== undefined) return { names: [], problem };
  try {
    const fragment = await fragmentOf({ kubernetes: kubernetesFor(snapshot, uri).name, files });
    return { address: `${playgroundAddress}#${fragment}`, names: files.map((one) => one.name) };
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    return { names: [], problem: error.message };
  }
}
