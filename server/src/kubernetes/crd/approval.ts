import { parseRequestUri } from '../../gostd/url.ts';
import type { Crd } from '../api/crd.ts';
import { child, invalid, key, required, rootPath } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { CrdFinding } from './findings.ts';

const annotation = 'api-approved.kubernetes.io';
const proposal = 'https://github.com/kubernetes/enhancements/pull/1111';

type Approval = 'missing' | 'bypassed' | 'approved' | 'invalid';

function isProtected(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

function approvalOf(crd: Crd, version: KubernetesVersion): Approval {
  const text = crd.metadata.annotations?.get(annotation) ?? '';
  if (text === '') return 'missing';
  if (text.startsWith('unapproved')) return 'bypassed';
  const parsed = parseRequestUri(text, version.strictUrlColons);
  return 'url' in parsed && parsed.url.host !== '' && parsed.url.scheme !== '' ? 'approved' : 'invalid';
}

/** Groups of the Kubernetes community need an annotation that says they are approved, or openly that they are not. */
export function validateApproval(crd: Crd, old: Crd | undefined, version: KubernetesVersion): CrdFinding[] {
  if (!isProtected(crd.spec.group ?? '')) return [];
  const approval = approvalOf(crd, version);
  if (old && approvalOf(old, version) === approval) return [];
  const spot = key(child(child(rootPath, 'metadata'), 'annotations'), annotation);
  const prefix = `protected groups must have approval annotation "${annotation}"`;
  if (approval === 'missing') {
    return [required(spot, `${prefix}, see ${proposal}`, { code: 'crd/api-approved-missing' })];
  }
  if (approval !== 'invalid') return [];
  const detail = `${prefix} with either a URL or a reason starting with "unapproved", see ${proposal}`;
  const value = crd.metadata.annotations?.get(annotation) ?? '';
  return [invalid(spot, value, detail, version, { code: 'crd/api-approved-invalid' })];
}
