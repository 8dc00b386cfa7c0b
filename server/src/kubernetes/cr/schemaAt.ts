import type { Path } from '../../base/value.ts';
import { metadataFieldNames } from '../api/objectMeta.ts';
import type { Structural } from '../schema/structural.ts';

/** The schema of what stands at a path of a resource, where it has one. */
export function structuralAt(root: Structural | undefined, path: Path): Structural | undefined {
  let at = root;
  for (const step of path) {
    if (!at) return undefined;
    at = typeof step === 'number' ? at.items : (at.properties?.get(step) ?? at.additionalProperties?.schema);
  }
  return at;
}

const typeFields = ['apiVersion', 'kind', 'metadata'];

/** The fields that a map at a path may have by name. */
export function knownFields(root: Structural | undefined, path: Path): readonly string[] {
  const at = structuralAt(root, path);
  const isResource = path.length === 0 || at?.extensions.embeddedResource === true;
  const declared = [...(at?.properties?.keys() ?? [])];
  if (isResource) return [...new Set([...typeFields, ...declared])];
  return path.length === 1 && path[0] === 'metadata' ? metadataFieldNames : declared;
}
