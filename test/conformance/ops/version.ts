import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Op } from '../protocol.ts';

/** Which release answers, and the release whose environment compiles new expressions. */
export const version: Op = (_, kubernetes) => {
  const compatibility = kubernetesVersion(kubernetes)?.compatibility;
  return { stored: { binary: kubernetes, compatibility: `1.${compatibility}` } };
};
