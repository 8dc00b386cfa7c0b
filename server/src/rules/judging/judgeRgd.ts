import { madeOfRgd } from '../../kro/derive.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Committed } from '../../workspace/baseline/baseline.ts';
import { type Manifest, metadataText } from '../../workspace/manifest.ts';
import { crdOfRgd } from '../../workspace/rgd.ts';
import { notLookedAt, notMade } from '../kro/rgd.ts';
import type { Problem } from '../model/rule.ts';
import { few } from './few.ts';
import { judgeCrd } from './judgeCrd.ts';

/** How an RGD is judged beside what the API server says of it itself. */
export interface RgdContext {
  readonly kubernetes: KubernetesVersion;
  /** What is committed of the CRD that kro makes. */
  committedOf(crd: Manifest): Committed | undefined;
}

/** What kro, and the API server of the CRD that kro makes, say about an RGD that the API server takes. */
export function judgeRgd(rgd: Manifest, { kubernetes, committedOf }: RgdContext): Problem[] {
  const { mistakes, tooLarge } = madeOfRgd(rgd.value);
  if (tooLarge) return [notLookedAt(rgd, tooLarge)];
  if (mistakes.length > 0) return few(mistakes).map((mistake) => notMade(rgd, mistake));
  const crd = crdOfRgd(rgd);
  const name = metadataText(crd, 'name');
  return judgeCrd(crd, kubernetes, committedOf(crd)).map((problem) => ({ ...problem, inCrd: name }));
}
