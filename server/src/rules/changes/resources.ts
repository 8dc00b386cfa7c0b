import { createResource } from '../../kubernetes/cr/create.ts';
import { type ServedCrd, serveCrd } from '../../kubernetes/cr/served.ts';
import { updateResource } from '../../kubernetes/cr/update.ts';
import type { ResourceVerdict } from '../../kubernetes/cr/verdict.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { type Manifest, splitApiVersion } from '../../workspace/manifest.ts';

/** What becomes of a resource that the old CRD accepts. */
export interface ResourceOutcome {
  readonly resource: Manifest;
  /** What the API server has against it now, in its own words. */
  readonly errors: readonly string[];
  /** The fields that it loses. */
  readonly dropped: readonly string[];
  /** Stored already, it passes updates that leave what is wrong as it is. */
  readonly forgiven: boolean;
}

export interface ResourceOutcomes {
  /** Those that the old CRD accepts. */
  readonly asked: number;
  readonly worse: readonly ResourceOutcome[];
}

/** What becomes of the known resources of a kind: the API server's own answers, before and after. */
export function resourceOutcomes(
  old: Manifest,
  now: Manifest,
  resources: readonly Manifest[],
  kubernetes: KubernetesVersion,
): ResourceOutcomes {
  const [before, after] = [serveCrd(old.value, kubernetes), serveCrd(now.value, kubernetes)];
  if ('error' in before || 'error' in after) return { asked: 0, worse: [] };
  let asked = 0;
  const worse = resources.flatMap((resource) => {
    const then = verdictOf(resource, before, kubernetes);
    if (refusals(then).length > 0) return [];
    asked++;
    const { value } = resource;
    const verdict = verdictOf(resource, after, kubernetes);
    const errors = refusals(verdict);
    const known = new Set(then?.strict.map(({ message }) => message));
    const dropped = verdict?.strict.filter(({ message }) => !known.has(message)).map(({ message }) => message) ?? [];
    if (errors.length + dropped.length === 0) return [];
    const forgiven =
      verdict !== undefined &&
      !verdict.decode &&
      updateResource(value, value, after, { kubernetes }).errors.length === 0;
    return [{ resource, errors, dropped, forgiven }];
  });
  return { asked, worse };
}

/** Undefined where its version is not served. */
function verdictOf(
  { value, apiVersion }: Manifest,
  crd: ServedCrd,
  kubernetes: KubernetesVersion,
): ResourceVerdict | undefined {
  const { version } = splitApiVersion(apiVersion);
  const served = crd.lowered.versions.some((one) => one.served && one.name === version);
  return served ? createResource(value, crd, { kubernetes }) : undefined;
}

function refusals(verdict: ResourceVerdict | undefined): string[] {
  if (!verdict) return ['its version is not served'];
  if (verdict.decode) return [verdict.decode.message];
  // That rules were not checked is no further fault.
  const faults = verdict.errors.filter(({ code }) => code !== 'cr/rules-not-checked');
  return faults.map(({ field, message }) => (message.includes(field) ? message : `${field}: ${message}`));
}
