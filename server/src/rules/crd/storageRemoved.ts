import { isList, isMap, valueAt } from '../../base/value.ts';
import { type Committed, storageVersions } from '../../workspace/baseline/baseline.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { problemAt } from '../judging/problemAt.ts';
import { family, type ProblemOf } from '../model/rule.ts';

export type StorageRemovedFacts = { 'crd/storage-version-removed': undefined };

/** The API server knows in which versions objects were stored; the CRD's history only lets it be guessed. */
export function storageRemoved(
  manifest: Manifest,
  { storage, manifest: before }: Committed,
  isUpdate: boolean,
): ProblemOf<StorageRemovedFacts>[] {
  const versions = valueAt(manifest.value, ['spec', 'versions']);
  if (!isList(versions)) return [];
  const names = versions.map((version) => (isMap(version) ? version.get('name') : undefined));
  // Of the committed storage version the update has told already.
  const known = new Set<unknown>([...names, ...(isUpdate ? storageVersions(before) : [])]);
  const removed = [...storage].filter(([name]) => !known.has(name));
  return removed.map(([name, commit]) => {
    const message = `${name} was the storage version in commit ${commit.slice(0, 10)}: the API server does not let you remove it while objects are stored in it.`;
    return problemAt(manifest, { code: 'crd/storage-version-removed' }, message, ['spec', 'versions'], 'key');
  });
}

export const storageRemovedRule = family<StorageRemovedFacts>()({
  'crd/storage-version-removed': {
    severity: 'warning',
    title: 'A version that used to be the storage version is removed',
    explanation: `An earlier commit marked this version with \`storage: true\`, so clusters may still have objects that
were written in it. Such a cluster rejects the update until all objects have been rewritten and the version has been
removed from \`status.storedVersions\`, which is what the storage version migrator does. If no cluster ever ran that
commit, turn this warning off.`,
    bad: `#- use: version
storage: true
`,
    notShown: 'it needs the commits of a repository',
    good: `#- use: version
storage: true
`,
  },
});
