import type { Finding } from '../../kubernetes/finding.ts';

/**
 * Against a committed object a finding is `refused` on create and on update alike, `forgiven` because the update does
 * not touch it, or refused only because of what it `changes`.
 */
export type Standing = 'refused' | 'forgiven' | 'changes';

export interface Compared<F> {
  readonly finding: F;
  readonly standing: Standing;
}

/** What create says beside what update says, in the order of update, forgiven findings last. */
export function compareVerdicts<F extends Finding>(
  create: readonly F[],
  update: readonly F[] | undefined,
): Compared<F>[] {
  if (!update) return create.map((finding) => ({ finding, standing: 'refused' }));
  const left = new Map(create.map((finding, i) => [i, finding]));
  const take = (like: F, same: (a: F, b: F) => boolean): boolean => {
    const found = [...left].find(([, finding]) => same(finding, like));
    return found !== undefined && left.delete(found[0]);
  };
  const distinct = update.filter((finding, i) => update.findIndex((other) => sameWords(other, finding)) === i);
  // First the ones that are equal to the letter: what is left may only be worded otherwise.
  const equal = new Set(distinct.filter((finding) => take(finding, sameWords)));
  const compared = distinct.map((finding): Compared<F> => {
    const refused = equal.has(finding) || take(finding, samePlace);
    return { finding, standing: refused ? 'refused' : 'changes' };
  });
  return [...compared, ...[...left.values()].map((finding): Compared<F> => ({ finding, standing: 'forgiven' }))];
}

function sameWords(a: Finding, b: Finding): boolean {
  return a.message === b.message && a.field === b.field && samePlace(a, b);
}

function samePlace(a: Finding, b: Finding): boolean {
  return a.code === b.code && a.path.length === b.path.length && a.path.every((step, i) => step === b.path[i]);
}
