import { readJson } from '../../../server/src/go/json.ts';
import type { CrdFinding } from '../../../server/src/kubernetes/crd/codes.ts';
import { createCrd } from '../../../server/src/kubernetes/crd/create.ts';
import type { Verdict } from '../../../server/src/kubernetes/crd/verdict.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/versions.ts';
import type { Answer, Cause, Request } from '../protocol.ts';

function cause({ type, field, message }: CrdFinding): Cause {
  return { type, field, message };
}

function some<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}

/** A verdict in the oracle's form: what is empty is left out. */
export function verdictAnswer(verdict: Verdict): Answer {
  if (verdict.panic) return { panic: verdict.panic.message };
  if (verdict.decode) return { decode: verdict.decode.message };
  const strict = some(verdict.strict.map((problem) => problem.message));
  const errors = some(verdict.errors.map(cause));
  const warnings = some(verdict.warnings.map((warning) => warning.message));
  return {
    ...(strict && { strict }),
    ...(errors && { errors }),
    ...(warnings && { warnings }),
    ...(verdict.stored !== undefined && { stored: verdict.stored }),
  };
}

export function crdCreate(request: Request, kubernetes: string): Answer {
  if (request.raw('format') === '"yaml"') return { unsupported: 'format yaml' };
  const read = readJson(request.raw('crd') ?? 'null');
  if ('error' in read) return { unsupported: read.error.message };
  const version = kubernetesVersion(kubernetes);
  return version ? verdictAnswer(createCrd(read.json, { kubernetes: version })) : { unsupported: kubernetes };
}
