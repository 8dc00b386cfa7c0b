import type { Value } from '../../base/value.ts';
import { type Conversion, type Crd, type CrdSpec, type CrdVersion, crdStruct } from '../api/crd.ts';
import { storeStruct } from '../api/store.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { semanticEqual } from './equal.ts';
import { withStoredDefaults } from './storedDefaults.ts';

/** A CRD as v1 JSON, as the API server would store and return it. */
export function storedCrd(crd: Crd, version: KubernetesVersion): Value {
  const stored: Crd = {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { ...crd.metadata, managedFields: undefined },
    spec: storedSpec(crd.spec, version),
    status: crd.status,
  };
  return storeStruct(crdStruct, stored, { zeroTimestamp: version.printsZeroCreationTimestamp });
}

/** The spec after its way through the internal type and back. */
function storedSpec(spec: CrdSpec, version: KubernetesVersion): CrdSpec {
  return {
    ...spec,
    versions: spec.versions?.map((one, _, all) => storedVersion(one, all, version)),
    conversion: spec.conversion && storedConversion(spec.conversion),
  };
}

function storedConversion({ strategy, webhook }: Conversion): Conversion {
  const says = webhook?.clientConfig !== undefined || webhook?.conversionReviewVersions !== undefined;
  return { strategy, webhook: says ? webhook : undefined };
}

/** What all versions have alike was kept once, and comes back from the first. */
function shared<P extends keyof CrdVersion>(version: CrdVersion, all: readonly CrdVersion[], part: P): CrdVersion[P] {
  const first = all[0]?.[part];
  return all.every((other) => semanticEqual(other[part], first)) ? first : version[part];
}

function storedVersion(one: CrdVersion, all: readonly CrdVersion[], version: KubernetesVersion): CrdVersion {
  const schema = shared(one, all, 'schema')?.openAPIV3Schema;
  return {
    ...one,
    schema: shared(one, all, 'schema') && { openAPIV3Schema: schema && withStoredDefaults(schema, version) },
    subresources: shared(one, all, 'subresources'),
    additionalPrinterColumns: shared(one, all, 'additionalPrinterColumns'),
    selectableFields: shared(one, all, 'selectableFields'),
  };
}
