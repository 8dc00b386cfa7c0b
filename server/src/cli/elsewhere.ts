import type { Files, Listing } from '../workspace/files.ts';
import { baseName, folderOf, withFolders } from '../workspace/uri.ts';

// A CRD that controller-gen has made of types in another repository is mended there.

const madeByControllerGen = /^ {4}controller-gen\.kubebuilder\.io\/version:/m;

/** Whether a file has CRDs of Go types, and there is no Go module around, nor anywhere among the files that are checked. */
export async function isMadeElsewhere(
  files: Files,
  { uri, text }: { readonly uri: string; readonly text: string },
  { leads }: Pick<Listing, 'leads'>,
): Promise<boolean> {
  if (!madeByControllerGen.test(text)) return false;
  if (leads.some((lead) => baseName(lead) === 'go.mod')) return false;
  for (const folder of withFolders(folderOf(uri))) {
    const names = (await files.entries(folder)).map(({ name }) => name);
    if (names.includes('go.mod')) return false;
    if (names.includes('.git')) return true;
  }
  return true;
}
