import { isMap, type Path, type Value } from '../base/value.ts';

/** What of a schema's keywords the API server allows at a place: only these, or all without those. */
export interface Allowed {
  readonly names: readonly string[] | undefined;
  readonly without: ReadonlySet<string>;
}

/** What may be written in a map of a CRD that holds this already; undefined where there is no more to say than its schema does. */
export function keywordsAt(map: Path, present: Value | undefined): Allowed | undefined {
  const root = map.indexOf('openAPIV3Schema');
  if (root === -1) return undefined;
  const below = map.slice(root + 1).join('/');
  const only = onlyAllowed.get(below);
  if (only) return { names: only, without: new Set() };
  const without = [...(refused.get(below) ?? []), ...besides(present)];
  return { names: undefined, without: new Set(without) };
}

/** Of metadata a schema may only restrict how objects are named; not even a description may stand there. */
const onlyAllowed: ReadonlyMap<string, readonly string[]> = new Map([
  ['properties/metadata', ['type', 'properties']],
  ['properties/metadata/properties', ['name', 'generateName']],
]);

const refused: ReadonlyMap<string, readonly string[]> = new Map([
  ['', ['additionalProperties', 'default', 'nullable', 'x-kubernetes-list-map-keys', 'x-kubernetes-list-type']],
  ['properties/metadata/properties/name', ['default']],
  ['properties/metadata/properties/generateName', ['default']],
]);

/** What the keywords that are there exclude. */
function besides(present: Value | undefined): string[] {
  if (!isMap(present)) return [];
  const type = present.get('type');
  return [
    ...(type !== undefined && type !== 'array' ? ['x-kubernetes-list-map-keys', 'x-kubernetes-list-type'] : []),
    ...(type !== undefined && type !== 'object' ? ['x-kubernetes-map-type', 'x-kubernetes-embedded-resource'] : []),
    ...(present.has('properties') ? ['additionalProperties'] : []),
    ...(present.has('additionalProperties') ? ['properties'] : []),
  ];
}
