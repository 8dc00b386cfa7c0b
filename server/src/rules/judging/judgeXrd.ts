import { append } from '../../base/append.ts';
import { valueAt } from '../../base/value.ts';
import { droppedOf } from '../../crossplane/dropped.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Committed } from '../../workspace/baseline/baseline.ts';
import { inManifest, type Manifest, metadataText } from '../../workspace/manifest.ts';
import { crdsFrom, madeCrd } from '../../workspace/xrd.ts';
import { droppedProblem, notMade } from '../crossplane/xrd.ts';
import type { AnyLint } from '../lints/lint.ts';
import { lintCrd } from '../lints/lintCrd.ts';
import type { LintSettings } from '../lints/linted.ts';
import type { Problem } from '../model/rule.ts';
import { few } from './few.ts';
import { judgeCrd } from './judgeCrd.ts';

/** How an XRD is judged beside what the API server says of it itself. */
export interface XrdContext {
  readonly kubernetes: KubernetesVersion;
  /** What is committed of a CRD that Crossplane makes. */
  committedOf(crd: Manifest): Committed | undefined;
  readonly settings: LintSettings;
  readonly lints: readonly AnyLint[];
  /** Whether the API server takes the XRD: no CRD is made of one that it refuses. */
  readonly isTaken: boolean;
}

/** What Crossplane, and the API server of the CRDs that Crossplane makes, say about an XRD. */
export function judgeXrd(xrd: Manifest, context: XrdContext): Problem[] {
  const crds = crdsFrom(xrd);
  const refused: Problem[] = [];
  const known = new Set<string>();
  for (const crd of crds) {
    const found = [...render(crd), ...refusals(crd, context)].filter((one) => !known.has(keyOf(one)));
    for (const one of found) known.add(keyOf(one));
    append(refused, found);
  }
  return [
    ...refused.filter((problem) => context.isTaken || isInSchema(problem)),
    ...few(droppedOf(xrd.value)).map((dropped) => droppedProblem(xrd, dropped)),
    ...crds.slice(0, 1).flatMap((crd) => warnings(crd, context)),
  ];
}

/** The CRDs of composite resources and of claims have the same schema: what is wrong in it is said once. */
function keyOf({ code, path }: Problem): string {
  return `${code} ${path.join('/')}`;
}

function render(crd: Manifest): Problem[] {
  const { manifest, role } = crd.madeOf!;
  const made = madeCrd(manifest, role);
  return made?.error ? [notMade(manifest, made.role, made.error)] : [];
}

/** What Crossplane drops before it makes the CRD, and what does not decode into one, is told of the XRD. */
const toldOtherwise = /^crd\/(?:decode|(?:unknown|duplicate)-field)$/;

function refusals(crd: Manifest, { kubernetes, committedOf }: XrdContext): Problem[] {
  const { manifest, role } = crd.madeOf!;
  if (madeCrd(manifest, role)?.error) return [];
  const name = metadataText(crd, 'name');
  return judgeCrd(crd, kubernetes, committedOf(crd))
    .filter(({ code }) => !toldOtherwise.test(code))
    .map((problem) => ({ ...problem, inCrd: name }));
}

function isInSchema({ path, manifest }: Problem): boolean {
  const [spec, versions, , schema] = manifest ? inManifest(manifest, path) : path;
  return spec === 'spec' && versions === 'versions' && schema === 'schema';
}

/** Our own warnings about a CRD, where they are about what the author wrote. */
function warnings(crd: Manifest, { lints, kubernetes, settings, committedOf }: XrdContext): Problem[] {
  const { manifest } = crd.madeOf!;
  return lintCrd(lints, crd, kubernetes, settings, { committed: committedOf(crd) }).filter(
    ({ isAdded, path }) => !isAdded && valueAt(manifest.value, inManifest(manifest, path)) !== undefined,
  );
}
