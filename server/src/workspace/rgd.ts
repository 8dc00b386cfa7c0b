import { memo } from '../base/memo.ts';
import type { Value, ValueMap } from '../base/value.ts';
import { madeOfRgd } from '../kro/derive.ts';
import { rgdGroup } from '../kro/version.ts';
import type { Manifest } from './manifest.ts';
import { fromRgd } from './projections/rgd.ts';

/** Whether an object is one of kro's ResourceGraphDefinitions (RGDs), of which it makes a CRD. */
export function isRgd({ role, apiVersion, kind }: Manifest): boolean {
  return role === 'resource' && isNamedRgd(apiVersion, kind);
}

/** The same of an object by its names alone. */
export function isNamedRgd(apiVersion: Value | undefined, kind: Value | undefined): boolean {
  return kind === 'ResourceGraphDefinition' && apiVersion === `${rgdGroup}/v1alpha1`;
}

/** The CRD that kro makes of an RGD. */
export const crdOfRgd = memo((rgd: Manifest): Manifest => {
  const { document, at } = rgd;
  return {
    ...{ role: 'crd', document, at, apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    get value(): ValueMap {
      return madeOfRgd(rgd.value).value;
    },
    madeOf: { manifest: rgd, role: 'instance' },
    get projection() {
      return fromRgd(at, rgd.value, () => madeOfRgd(rgd.value).value);
    },
  };
});
