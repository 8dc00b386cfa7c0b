import { createCrd } from '../../../server/src/kubernetes/crd/create.ts';
import type { Verdict } from '../../../server/src/kubernetes/crd/verdict.ts';
import type { Finding } from '../../../server/src/kubernetes/finding.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Answer, Cause, Request } from '../protocol.ts';
import { bodyOf } from './body.ts';

/** A verdict on a CRD or on a custom resource. */
type AnyVerdict = Pick<Verdict, 'decode' | 'strict' | 'stored' | 'panic'> & {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
};

function cause({ type, field, message }: Finding): Cause {
  return { type, field, message };
}

function some<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}

/** A verdict in the oracle's form: what is empty is left out. */
export function verdictAnswer(verdict: AnyVerdict): Answer {
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
  const body = bodyOf(request, 'crd');
  const version = kubernetesVersion(kubernetes);
  if (!version) return { unsupported: kubernetes };
  if ('error' in body) return { decode: body.error };
  return withStrict(verdictAnswer(createCrd(body.json, { kubernetes: version })), body.strict);
}

/** What strict reading of the YAML found comes before what decoding found. */
export function withStrict(answer: Answer, strict: readonly string[]): Answer {
  if (strict.length === 0 || answer.decode !== undefined) return answer;
  return { ...answer, strict: [...strict, ...(answer.strict ?? [])] };
}
