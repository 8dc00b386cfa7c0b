import { valueAt } from '../../base/value.ts';
import type { Manifest } from '../../workspace/manifest.ts';

/** Whether controller-gen generated a CRD from Go types: mistakes are then best fixed in the Go source. */
export function isGenerated({ value }: Manifest): boolean {
  return valueAt(value, ['metadata', 'annotations', 'controller-gen.kubebuilder.io/version']) !== undefined;
}

/** Whether a kustomization may add a conversion webhook: controller-gen never writes one, patches beside its CRDs do. */
export function mayGetWebhook(manifest: Manifest): boolean {
  return isGenerated(manifest) && valueAt(manifest.value, ['spec', 'conversion']) === undefined;
}
