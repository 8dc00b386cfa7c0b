import type { Path } from '../base/value.ts';
import type { CrdFinding } from '../kubernetes/crd/codes.ts';
import { createCrd } from '../kubernetes/crd/create.ts';
import type { Place } from '../kubernetes/finding.ts';
import type { KubernetesVersion } from '../kubernetes/versions.ts';
import type { Manifest } from '../workspace/manifest.ts';
import { celProblems } from './celProblems.ts';
import { locate } from './locate.ts';
import type { Problem } from './rule.ts';

/** What the API server would say about creating this CRD. */
export function judgeCrd(manifest: Manifest, kubernetes: KubernetesVersion): Problem[] {
  return problemsOf(manifest, kubernetes).map((problem) => ({ ...problem, kubernetes }));
}

function problemsOf(manifest: Manifest, kubernetes: KubernetesVersion): Problem[] {
  const { decode, panic, strict, errors, warnings } = createCrd(manifest.value, { kubernetes });
  if (decode) {
    return [problemAt(manifest, 'crd/decode', decode.message, decode.path, 'value', { facts: decode.target })];
  }
  if (panic) return [problemAt(manifest, 'crd/server-panic', panicMessage, panic.path, 'key', { facts: panic })];
  return [
    ...strict.map(({ kind, message, path }) => problemAt(manifest, `crd/${kind}-field`, message, path, 'key')),
    ...errors.flatMap((finding) => refused(manifest, finding)),
    ...warnings.map(({ code, message, path, place, facts }) =>
      problemAt(manifest, code, message, path, place, { facts, severity: 'warning' }),
    ),
  ];
}

function refused(manifest: Manifest, { code, message, path, place, facts }: CrdFinding): Problem[] {
  const problem = problemAt(manifest, code, message, path, place, { facts });
  return code === 'crd/rule-compile' || code === 'crd/rule-message-expression' ? celProblems(problem) : [problem];
}

const panicMessage = 'The API server fails on this schema: its own code crashes before it can answer.';

/** A problem of an engine, at its place in the manifest's document. */
export function problemAt(
  manifest: Manifest,
  code: string,
  message: string,
  path: Path,
  place: Place,
  rest: Partial<Problem> = {},
): Problem {
  const inDocument = [...manifest.at, ...path];
  const range = locate(manifest.document, inDocument, place);
  return { code, message, range, document: manifest.document, manifest, path: inDocument, ...rest };
}
