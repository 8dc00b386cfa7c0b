import { type CelType, opaqueType, structType } from '../../../cel/types.ts';

export const urlType = structType('kubernetes.URL');
export const quantityType = structType('kubernetes.Quantity');
export const semverType = structType('kubernetes.Semver');
export const formatType = structType('kubernetes.NamedFormat');
export const ipType = opaqueType('net.IP');
export const cidrType = opaqueType('net.CIDR');
export const authorizerTypes: readonly CelType[] = [
  'Authorizer',
  'PathCheck',
  'GroupCheck',
  'ResourceCheck',
  'Decision',
].map((name) => structType(`kubernetes.authorization.${name}`));

/** The types that Kubernetes adds to CEL, by name, for the signatures of its libraries. */
export const kubernetesTypes: ReadonlyMap<string, CelType> = new Map(
  [urlType, quantityType, semverType, formatType, ipType, cidrType, ...authorizerTypes].map((type) => [
    type.name,
    type,
  ]),
);
