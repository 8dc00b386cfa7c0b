import { valueAt } from '../../base/value.ts';
import { createCrd } from '../../kubernetes/crd/create.ts';
import type { CrdFacts, CrdFinding } from '../../kubernetes/crd/findings.ts';
import { laterFindings } from '../../kubernetes/crd/later.ts';
import type { MetadataFacts } from '../../kubernetes/metadata/findings.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Committed } from '../../workspace/baseline/baseline.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { withoutPlaceholders } from '../cr/placeholders.ts';
import { type LeftOutFacts, rulesLeftOut } from '../cr/ruleLeftOut.ts';
import { type StorageRemovedFacts, storageRemoved } from '../crd/storageRemoved.ts';
import type { Problem, ProblemOf } from '../model/rule.ts';
import { celProblems } from './celProblems.ts';
import { compareVerdicts } from './compareVerdicts.ts';
import { few } from './few.ts';
import { ownField } from './ownField.ts';
import { problemAt, problemOf } from './problemAt.ts';
import { saidLater } from './saidLater.ts';
import { saysOfDecoding, saysOfStrict } from './says.ts';
import { annotateWithCommitted, crdUpdate } from './updateVerdict.ts';

type CrdProblem = ProblemOf<CrdFacts & MetadataFacts>;
type Found = CrdProblem | ProblemOf<StorageRemovedFacts & Pick<LeftOutFacts, 'crd/default-left-out'>>;

/** What the API server would say about this CRD: a new one, or one that a commit holds already. */
export function judgeCrd(
  manifest: Manifest,
  kubernetes: KubernetesVersion,
  committed: Committed | undefined,
): Problem[] {
  const all = problemsOf(manifest, kubernetes, committed);
  const found = all.map((one) => (isOfRules(one, all) ? ofRules(one) : one));
  const known = found.length === 0 ? [] : withoutPlaceholders(manifest, found.map(atItsSource));
  const told = isOfNoGroup(manifest) ? known.map(ofNoGroup) : known;
  return told.map((problem) => ({ ...problem, kubernetes }));
}

/** A name that the API server makes of the kind, as that of lists, is as little known as the kind is. */
function atItsSource<P extends Problem>(problem: P): P {
  const isMade = problem.code === ('crd/kind-label' satisfies keyof CrdFacts) && problem.path.at(-1) === 'listKind';
  const { manifest, path } = problem;
  if (!isMade || !manifest || valueAt(manifest.value, path.slice(manifest.at.length)) !== undefined) return problem;
  return { ...problem, path: [...path.slice(0, -1), 'kind'] };
}

/** Whether the rules of a schema would keep to their budget together if each that is told kept to its own. */
function isOfRules(total: Found, all: readonly Found[]): boolean {
  if (total.code !== 'crd/rule-cost-total') return false;
  const cost = BigInt(total.facts.cost);
  const isBelow = ({ path }: Found) => total.path.every((step, i) => step === path[i]);
  const own = all.flatMap((one) => (one.code === 'crd/rule-cost' && isBelow(one) ? [BigInt(one.facts.cost)] : []));
  const dear = own.reduce((sum, one) => sum + one, 0n);
  return own.length > 0 && cost < endlessCost && cost - dear <= BigInt(total.facts.limit);
}

/** So much is not counted any more. */
const endlessCost = 2n ** 64n - 1n;

function ofRules<P extends Found>(problem: P): P {
  const words = 'the rules that exceed their own budgets are what makes it so much';
  return { ...problem, severity: 'information', message: `${problem.message}\n(${words})` };
}

/** Whether controller-gen has made it of a package that names no group: such a file is a slip, and all of it is wrong. */
function isOfNoGroup({ value }: Manifest): boolean {
  const generator = valueAt(value, ['metadata', 'annotations', 'controller-gen.kubebuilder.io/version']);
  return generator !== undefined && valueAt(value, ['spec', 'group']) === '';
}

function ofNoGroup<P extends Problem>(problem: P): P {
  if (problem.code !== 'crd/group-required') return { ...problem, severity: 'information' };
  const words = 'controller-gen made this file of a package without `+groupName`: no API server takes it';
  return { ...problem, message: `${problem.message}\n(${words})` };
}

function problemsOf(manifest: Manifest, kubernetes: KubernetesVersion, committed: Committed | undefined): Found[] {
  const { decode, panic, strict, errors, warnings, leftOut } = createCrd(manifest.value, { kubernetes });
  if (decode) {
    const about = { code: 'crd/decode' as const, facts: decode.target };
    return [problemAt(manifest, about, decode.message, decode.path, 'value', { says: saysOfDecoding(decode) })];
  }
  const unread = few(strict).map(({ kind, message, path }) =>
    problemAt(manifest, { code: `crd/${kind}-field` as const }, message, path, 'key', {
      says: saysOfStrict(message, false),
    }),
  );
  if (panic) {
    const crash = problemAt(manifest, { code: 'crd/server-panic', facts: panic }, panicMessage, panic.path, 'key');
    return [...unread, crash];
  }
  const update = committed && crdUpdate(manifest, committed, kubernetes, errors.length === 0);
  return [
    ...unread,
    ...compareVerdicts(few(errors), update && few(update.errors)).flatMap(({ finding, standing }) =>
      refused(manifest, finding, kubernetes).map((problem) => annotateWithCommitted(problem, standing, committed)),
    ),
    ...few(laterFindings(manifest.value, (update ?? { errors }).errors, kubernetes)).flatMap((finding) =>
      refused(manifest, finding, kubernetes).map(saidLater),
    ),
    ...few(warnings).map((finding) => problemOf(manifest, finding, { severity: 'warning' })),
    ...rulesLeftOut(manifest, 'crd/default-left-out', [...leftOut, ...(update?.leftOut ?? [])]),
    ...(committed ? storageRemoved(manifest, committed, update !== undefined) : []),
  ];
}

function refused(manifest: Manifest, finding: CrdFinding, kubernetes: KubernetesVersion): CrdProblem[] {
  const { path } = finding;
  // The status of the stored object is none of the document's.
  const written = path[0] === 'status' && !manifest.value.has('status') ? ['spec', 'versions'] : path;
  const serverField = ownField(finding);
  const problem = problemOf(manifest, { ...finding, path: written }, { serverField });
  return problem.code === 'crd/rule-compile' || problem.code === 'crd/rule-message-expression'
    ? celProblems(problem, kubernetes)
    : [problem];
}

const panicMessage = 'The API server crashes on this schema because of a bug in its own code, before it can answer.';
