import { isList, isMap, valueAt } from '../base/value.ts';
import type { CrdFinding } from '../kubernetes/crd/codes.ts';
import { createCrd } from '../kubernetes/crd/create.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { type Committed, storageVersions } from '../workspace/baseline/baseline.ts';
import type { Manifest } from '../workspace/manifest.ts';
import { celProblems } from './celProblems.ts';
import { besideCommitted, crdUpdate } from './committed.ts';
import { ownField } from './ownField.ts';
import { problemAt, wordsOf } from './problemAt.ts';
import type { Problem } from './rule.ts';
import { weigh } from './weigh.ts';

/** What the API server would say about this CRD: a new one, or one that a commit holds already. */
export function judgeCrd(
  manifest: Manifest,
  kubernetes: KubernetesVersion,
  committed: Committed | undefined,
): Problem[] {
  return problemsOf(manifest, kubernetes, committed).map((problem) => ({ ...problem, kubernetes }));
}

function problemsOf(manifest: Manifest, kubernetes: KubernetesVersion, committed: Committed | undefined): Problem[] {
  const { decode, panic, strict, errors, warnings } = createCrd(manifest.value, { kubernetes });
  if (decode) {
    return [problemAt(manifest, 'crd/decode', decode.message, decode.path, 'value', { facts: decode.target })];
  }
  if (panic) return [problemAt(manifest, 'crd/server-panic', panicMessage, panic.path, 'key', { facts: panic })];
  const update = committed && crdUpdate(manifest, committed, kubernetes, errors.length === 0);
  return [
    ...strict.map(({ kind, message, path }) => problemAt(manifest, `crd/${kind}-field`, message, path, 'key')),
    ...weigh(errors, update?.errors).flatMap(({ finding, standing }) =>
      refused(manifest, finding, kubernetes).map((problem) => besideCommitted(problem, standing, committed)),
    ),
    ...warnings.map(({ code, message, path, place, facts }) =>
      problemAt(manifest, code, message, path, place, { facts, severity: 'warning' }),
    ),
    ...(committed ? storageRemoved(manifest, committed, update !== undefined) : []),
  ];
}

/** The API server knows in which versions objects were stored; the CRD's history only lets it be guessed. */
function storageRemoved(manifest: Manifest, { storage, manifest: before }: Committed, isUpdate: boolean): Problem[] {
  const versions = valueAt(manifest.value, ['spec', 'versions']);
  if (!isList(versions)) return [];
  const names = versions.map((version) => (isMap(version) ? version.get('name') : undefined));
  // Of the committed storage version the update has told already.
  const known = new Set<unknown>([...names, ...(isUpdate ? storageVersions(before) : [])]);
  const removed = [...storage].filter(([name]) => !known.has(name));
  return removed.map(([name, commit]) => {
    const message = `${name} was the storage version in commit ${commit.slice(0, 10)}: while objects are stored in it, the API server refuses to lose it.`;
    return problemAt(manifest, 'crd/storage-version-removed', message, ['spec', 'versions'], 'key');
  });
}

function refused(manifest: Manifest, finding: CrdFinding, kubernetes: KubernetesVersion): Problem[] {
  const { code, path, place, facts } = finding;
  // The status of the stored object is none of the document's.
  const written = path[0] === 'status' && !manifest.value.has('status') ? ['spec', 'versions'] : path;
  const field = place === 'missing' ? undefined : ownField(finding);
  const problem = problemAt(manifest, code, wordsOf(finding), written, place, { facts, field });
  return code === 'crd/rule-compile' || code === 'crd/rule-message-expression'
    ? celProblems(problem, kubernetes)
    : [problem];
}

const panicMessage = 'The API server fails on this schema: its own code crashes before it can answer.';
