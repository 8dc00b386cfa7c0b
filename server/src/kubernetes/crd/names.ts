import type { CrdNames } from '../api/crd.ts';
import { child, type FieldPath, index, invalid, notSupported, required } from '../field.ts';
import { dns1035Label, dns1123Subdomain, lowerCase } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { CrdFinding } from './findings.ts';
import type { InternalSpec } from './internal.ts';

export function validateGroup(group: string, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  if (group === '') return [required(spot, '', { code: 'crd/group-required' })];
  const texts = dns1123Subdomain(group);
  if (texts.length > 0) return [invalid(spot, group, texts.join(','), version, { code: 'crd/group-name' })];
  if (group.includes('.')) return [];
  const detail = 'should be a domain with at least one dot';
  return [invalid(spot, group, detail, version, { code: 'crd/group-domain' })];
}

const scopes = ['Cluster', 'Namespaced'];

export function validateScope(scope: string, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const about = { code: 'crd/scope' as const, facts: { scope, supported: scopes } };
  if (scope === '') return [required(spot, '', about)];
  return scopes.includes(scope) ? [] : [notSupported(spot, scope, scopes, version, about)];
}

type NameField = 'plural' | 'singular' | 'kind' | 'listKind';
const nameFields: readonly NameField[] = ['plural', 'singular', 'kind', 'listKind'];

export function validateRequiredNames(spec: InternalSpec, spot: FieldPath): CrdFinding[] {
  return nameFields
    .filter((field) => !spec.names[field])
    .map((field) => required(child(spot, field), '', { code: 'crd/name-required', facts: { field } }));
}

function label(name: string, shown: string, spot: FieldPath, version: KubernetesVersion, kind: boolean): CrdFinding[] {
  const texts = name === '' ? [] : dns1035Label(name);
  if (texts.length === 0) return [];
  const prefix = kind ? 'may have mixed case, but should otherwise match: ' : '';
  const code = kind ? 'crd/kind-label' : 'crd/name-label';
  return [invalid(spot, shown, prefix + texts.join(','), version, { code, facts: { name: shown } })];
}

function listed(names: readonly string[] | undefined, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  return (names ?? []).flatMap((name, i) => {
    const texts = dns1035Label(name);
    const about = { code: 'crd/name-label' as const, facts: { name } };
    return texts.length === 0 ? [] : [invalid(index(spot, i), name, texts.join(','), version, about)];
  });
}

function sameKinds(names: CrdNames, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  if (!names.kind || names.kind !== names.listKind) return [];
  const detail = 'kind and listKind may not be the same';
  return [invalid(child(spot, 'listKind'), names.listKind, detail, version, { code: 'crd/list-kind-same' })];
}

export function validateNames(names: CrdNames, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const { plural = '', singular = '', kind = '', listKind = '' } = names;
  return [
    ...label(plural, plural, child(spot, 'plural'), version, false),
    ...label(singular, singular, child(spot, 'singular'), version, false),
    ...label(lowerCase(kind), kind, child(spot, 'kind'), version, true),
    ...label(lowerCase(listKind), listKind, child(spot, 'listKind'), version, true),
    ...listed(names.shortNames, child(spot, 'shortNames'), version),
    ...sameKinds(names, spot, version),
    ...listed(names.categories, child(spot, 'categories'), version),
  ];
}
