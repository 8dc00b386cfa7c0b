import type { Value } from '../../base/value.ts';
import { type Conversion, type Crd, type CrdSpec, type CrdVersion, crdStruct } from '../api/crd.ts';
import { storeStruct } from '../api/store.ts';
import { withMergedOwners } from '../metadata/owners.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { type Part, partsAlike } from './internal.ts';
import { withStoredDefaults } from './storedDefaults.ts';

/** A CRD as v1 JSON, as the API server would store and return it. */
export function storedCrd(crd: Crd, version: KubernetesVersion): Value {
  const stored: Crd = {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { ...withMergedOwners(crd.metadata), managedFields: undefined },
    spec: storedSpec(crd.spec, version),
    status: crd.status,
  };
  return storeStruct(crdStruct, stored, { zeroTimestamp: version.printsZeroCreationTimestamp });
}

/** The spec after its way through the internal type and back. */
function storedSpec(spec: CrdSpec, version: KubernetesVersion): CrdSpec {
  return {
    ...spec,
    versions: spec.versions && storedVersions(spec.versions, version),
    conversion: spec.conversion && storedConversion(spec.conversion),
  };
}

function storedConversion({ strategy, webhook }: Conversion): Conversion {
  const says = webhook?.clientConfig !== undefined || webhook?.conversionReviewVersions !== undefined;
  return { strategy, webhook: says ? webhook : undefined };
}

/** What all versions have alike was kept once, and comes back from the first. */
function storedVersions(all: readonly CrdVersion[], version: KubernetesVersion): CrdVersion[] {
  const alike = partsAlike(all);
  const first = all[0];
  return all.map((one) => {
    const from = (part: Part) => (alike.has(part) ? first! : one);
    const { schema } = from('schema');
    const props = schema?.openAPIV3Schema;
    return {
      ...one,
      schema: schema && { openAPIV3Schema: props && withStoredDefaults(props, version) },
      subresources: from('subresources').subresources,
      additionalPrinterColumns: from('additionalPrinterColumns').additionalPrinterColumns,
      selectableFields: from('selectableFields').selectableFields,
    };
  });
}
