import type { Path } from '../../base/value.ts';
import { crdRoot, propertyNames, schemaAt } from '../../workspace/schemaNode.ts';

/** The fields that a CRD may have at a path. */
export function knownFields(path: Path): string[] {
  const node = schemaAt(crdRoot, path);
  return node ? propertyNames(node, path.length === 0) : [];
}
