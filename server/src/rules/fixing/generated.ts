import { valueAt } from '../../base/value.ts';
import type { Manifest } from '../../workspace/manifest.ts';

/** Whether a CRD is made from Go types by controller-gen: then what is wrong is best mended in the Go source. */
export function isGenerated({ value }: Manifest): boolean {
  return valueAt(value, ['metadata', 'annotations', 'controller-gen.kubebuilder.io/version']) !== undefined;
}
