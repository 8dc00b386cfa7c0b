import { memo } from '../base/memo.ts';
import type { ManifestPath, ValueMap } from '../base/value.ts';
import { type DerivedCrd, type DerivedRole, derivedCrds, xrdGroup } from '../crossplane/derive.ts';
import { type MadeRole, type Manifest, splitApiVersion } from './manifest.ts';
import { fromXrd } from './projections/xrd.ts';
import { crdOfRgd, isRgd } from './rgd.ts';

/** Whether an object is one of Crossplane's CompositeResourceDefinitions (XRDs), of which it makes CRDs. */
export function isXrd({ role, apiVersion, kind }: Manifest): boolean {
  if (role !== 'resource' || kind !== 'CompositeResourceDefinition') return false;
  const { group, version } = splitApiVersion(apiVersion);
  return group === xrdGroup && (version === 'v1' || version === 'v2');
}

/** The CRD that an object is, or those that Crossplane or kro make of it; none where it is anything else. */
export function crdsFrom(manifest: Manifest): readonly Manifest[] {
  if (manifest.role === 'crd') return [manifest];
  if (isRgd(manifest)) return [crdOfRgd(manifest)];
  return isXrd(manifest) ? madeOf(manifest) : [];
}

/** The parts of a version that an XRD has as a CRD has them. */
const asInCrd: readonly ManifestPath[] = [
  ['schema', 'openAPIV3Schema'],
  ['additionalPrinterColumns'],
  ['subresources', 'scale'],
];

/** The object in which to look at a path of another one: of an XRD, where it is as in a CRD, the one that is made of it. */
export function readAt(manifest: Manifest, path: ManifestPath): Manifest {
  const [spec, versions, index, ...rest] = path;
  if (spec !== 'spec' || versions !== 'versions' || typeof index !== 'number' || !isXrd(manifest)) return manifest;
  return asInCrd.some((part) => part.every((step, i) => step === rest[i])) ? crdsFrom(manifest)[0]! : manifest;
}

/** Whether an object defines kinds. */
export function definesKinds(manifest: Manifest): boolean {
  return manifest.role === 'crd' || isXrd(manifest) || isRgd(manifest);
}

/** The value of a CRD that is made of an object, where one of that role is. */
export function valueMadeOf(manifest: Manifest, role: MadeRole): ValueMap | undefined {
  return crdsFrom(manifest).find(({ madeOf }) => madeOf?.role === role)?.value;
}

/** The CRD of an XRD's composite resources or claims, where it has such. */
export function madeCrd(xrd: Manifest, role: MadeRole): DerivedCrd | undefined {
  return derivedCrds(xrd.value).find((crd) => crd.role === role);
}

const madeOf = memo((xrd: Manifest): readonly Manifest[] => {
  return derivedCrds(xrd.value).map(({ role }) => crdMadeOf(xrd, role));
});

/** By object: an XRD has one CRD of each role, and its value is found anew where its document's is. */
function crdMadeOf(xrd: Manifest, role: DerivedRole): Manifest {
  const { document, at } = xrd;
  return {
    ...{ role: 'crd', document, at, apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    get value(): ValueMap {
      return madeCrd(xrd, role)!.value;
    },
    madeOf: { manifest: xrd, role },
    get projection() {
      return fromXrd(at, xrd.value, role, () => madeCrd(xrd, role)!.value);
    },
  };
}
