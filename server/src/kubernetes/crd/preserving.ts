import type { Crd } from '../api/crd.ts';
import { child, invalid } from '../field.ts';
import { goAny } from '../goValue.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { CrdFinding } from './findings.ts';
import { specPath } from './spec.ts';

/** `preserveUnknownFields: true` is a thing of the past, kept only where it was. */
export function validatePreserving(crd: Crd, old: Crd | undefined, version: KubernetesVersion): CrdFinding[] {
  if (!crd.spec.preserveUnknownFields || old?.spec.preserveUnknownFields) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  const value = { go: 'pointer', type: '*bool', to: goAny(true) } as const;
  const about = { code: 'crd/preserve-unknown-fields-true' as const };
  return [invalid(child(specPath, 'preserveUnknownFields'), value, detail, version, about)];
}
