import { objectReason } from '../features/problems/notJudged.ts';
import { isConfig } from '../workspace/config.ts';
import { isPlayground, isTestFile } from '../workspace/fileNames.ts';
import type { Snapshot } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import type { Found } from './report.ts';

/** What is at least begun to be an object of Kubernetes, or asks something of us. */
const ours = /(?:^|[\s{,"'])(?:apiVersion|kind)["']?\s{0,20}:|# *kube-crd:/m;

/**
 * Whether a file is other programs': they may read JSON with comments, or YAML in which `on` is a word. Nothing is said of
 * how it is written.
 */
export function isOfOthers({ uri, text, manifests }: SourceFile): boolean {
  if (manifests.length > 0 || isTestFile(uri) || isPlayground(uri) || isConfig(uri)) return false;
  return isOfRole(uri) || !ours.test(text);
}

/** Whether it is part of a role of Ansible, for which `kind` is a name of a variable or an argument like others. */
function isOfRole(uri: string): boolean {
  return /\/roles\/[^/]{1,200}\/(?:defaults|vars|tasks|handlers|meta)\/[^/]{1,200}$/.test(uri);
}

/** Of a file whose objects are all for programs, what an API server would ignore in it: none is given it. */
export function withoutIgnored(
  snapshot: Snapshot,
  { uri, manifests }: SourceFile,
  found: readonly Found[],
): readonly Found[] {
  if (!found.some(isIgnored)) return found;
  const isForPrograms =
    manifests.length > 0 && manifests.every((manifest) => objectReason(snapshot, manifest, uri) === 'for-programs');
  return isForPrograms ? found.filter((one) => !isIgnored(one)) : found;
}

const isIgnored = ({ diagnostic: { code } }: Found) => code === 'yaml/ignored';

export function withoutText(found: readonly Found[]): Found[] {
  return found.filter(({ diagnostic }) => !diagnostic.code.startsWith('yaml/'));
}
