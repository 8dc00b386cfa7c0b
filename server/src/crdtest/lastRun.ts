import { memo } from '../base/memo.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import type { YamlDocument } from '../yaml/parse.ts';

interface Kept<Run> {
  readonly basis: readonly unknown[];
  readonly run: Run | undefined;
}

/** Runs a document anew where what its run rests on is another than for the last one: everybody who asks gets the same. */
export function lastRuns<Run>() {
  const kept = memo((_: YamlDocument, __: KubernetesVersion): { last?: Kept<Run> } => ({}));
  return (
    document: YamlDocument,
    usual: KubernetesVersion,
    basis: readonly unknown[],
    run: () => Run | undefined,
  ): Run | undefined => {
    const known = kept(document, usual);
    const { last } = known;
    const isSame = last?.basis.length === basis.length && basis.every((one, i) => one === last.basis[i]);
    if (!isSame) known.last = { basis, run: run() };
    return known.last?.run;
  };
}
