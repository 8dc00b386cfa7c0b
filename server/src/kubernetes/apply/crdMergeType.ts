import { head, type MergeType, plainMap, scalarType } from './mergeType.ts';

// How CRDs are merged by server-side apply, as their Go types say.

const text = scalarType('string');
const list: MergeType = { scalar: undefined, list: { atomic: true, keys: [], item: text }, map: undefined };
const byType = (item: MergeType): MergeType => ({
  scalar: undefined,
  list: { atomic: false, keys: ['type'], item },
  map: undefined,
});
const texts = (names: readonly string[]) => names.map((name) => [name, text] as const);

const names = plainMap([
  ...texts(['kind', 'listKind', 'plural', 'singular']),
  ['shortNames', list],
  ['categories', list],
]);

const clientConfig = plainMap([
  ...texts(['caBundle', 'url']),
  ['service', plainMap([...texts(['namespace', 'name', 'path']), ['port', scalarType('number')]])],
]);

const conversion = plainMap([
  ['strategy', text],
  [
    'webhook',
    plainMap([
      ['clientConfig', clientConfig],
      ['conversionReviewVersions', list],
    ]),
  ],
]);

const condition = plainMap([
  ...texts(['type', 'status', 'reason', 'message']),
  ['lastTransitionTime', scalarType('any')],
  ['observedGeneration', scalarType('number')],
]);

const specFields: readonly (readonly [string, MergeType])[] = [
  ...texts(['group', 'scope']),
  ['names', names],
  // Versions are replaced as a whole, with all that is in them.
  ['versions', list],
  ['conversion', conversion],
  ['preserveUnknownFields', scalarType('boolean')],
];

/** The type of a `CustomResourceDefinition`. */
export const crdMergeType = plainMap([
  ...head,
  ['spec', plainMap(specFields)],
  [
    'status',
    plainMap([
      ['conditions', byType(condition)],
      ['acceptedNames', names],
      ['storedVersions', list],
      ['observedGeneration', scalarType('number')],
    ]),
  ],
]);
