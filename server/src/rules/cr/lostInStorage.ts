import { valueAt } from '../../base/value.ts';
import type { ServedCrd } from '../../kubernetes/cr/served.ts';
import { kept } from '../../kubernetes/cr/storage.ts';
import type { ResourceVerdict } from '../../kubernetes/cr/verdict.ts';
import type { LoweredVersion } from '../../kubernetes/crd/lower.ts';
import type { Definition } from '../../workspace/definitions.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { mayGetWebhook } from '../fixing/generated.ts';
import { few } from '../judging/few.ts';
import { problemAt } from '../judging/problemAt.ts';
import { family, type ProblemOf } from '../model/rule.ts';

type LostFacts = { 'cr/lost-in-storage': undefined };

/** Fields that this version has and the storage version has not: accepted, and stored nowhere. */
export function lostInStorage(
  manifest: Manifest,
  definition: Definition,
  crd: ServedCrd,
  version: LoweredVersion,
  verdict: ResourceVerdict,
  isAsApplied: boolean,
): ProblemOf<LostFacts>[] {
  if (version.storage || verdict.stored === undefined) return [];
  const inStore = kept(verdict.stored, crd);
  if (!inStore) return [];
  const { group, version: storage } = inStore.served;
  const written = inStore.lost.filter(({ path }) => valueAt(manifest.value, path) !== undefined);
  const maybeKept = !isAsApplied && mayGetWebhook(definition.manifest);
  const unless = maybeKept ? ', unless a patch adds a conversion webhook' : '';
  return few(written).map(({ text, path }) => {
    const message = `\`${text}\` is lost: the object is stored as ${group}/${storage}, which does not have it${unless}.`;
    const problem = problemAt(manifest, { code: 'cr/lost-in-storage' }, message, path, 'key');
    return maybeKept ? { ...problem, severity: 'information' } : problem;
  });
}

const shelf = (rest: string) => `#- use: shelves
apiVersion: example.com/v1beta1
kind: Shelf
metadata:
  name: a
spec:
${rest}`;

export const lostInStorageRule = family<LostFacts>()({
  'cr/lost-in-storage': {
    severity: 'warning',
    ofStorage: true,
    ofConversion: true,
    title: 'A field that the storage version does not have',
    explanation: `Whatever version an object is written in, the API server stores it in the CRD's storage version. Without
a conversion webhook, fields that this version's schema does not have are silently dropped on the way, although the
request is accepted. Write the object in the storage version, or add the field to its schema.`,
    bad: shelf('  boards: 3\n  wood: ash\n'),
    good: shelf('  boards: 3\n'),
  },
});
