import type { ObjectMeta, OwnerReference } from '../api/objectMeta.ts';
import type { MetadataFinding } from './findings.ts';

// The handlers of the API server merge owner references that are equal in all fields before anything is validated.

/** An owner reference, and its place in the list as it was written. */
export interface PlacedOwner {
  readonly reference: OwnerReference;
  readonly place: number;
}

/** The references that stay, and the places of those that go. */
interface MergedOwners {
  readonly kept: readonly PlacedOwner[];
  readonly repeated: readonly number[];
}

export function mergedOwners(references: readonly OwnerReference[]): MergedOwners {
  // There are few, mostly: then nothing can be repeated.
  if (references.length < 2) return { kept: placedOwners(references), repeated: [] };
  const seen = new Set<string>();
  const kept: PlacedOwner[] = [];
  const repeated: number[] = [];
  for (const [place, reference] of references.entries()) {
    const key = fieldsText(reference);
    if (seen.has(key)) repeated.push(place);
    else kept.push({ reference, place });
    seen.add(key);
  }
  return { kept, repeated };
}

/** References that nobody has merged. */
export function placedOwners(references: readonly OwnerReference[]): PlacedOwner[] {
  return references.map((reference, place) => ({ reference, place }));
}

function fieldsText({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string {
  return JSON.stringify([apiVersion ?? '', kind ?? '', name ?? '', uid ?? '', controller, blockOwnerDeletion]);
}

/** Metadata as it is once equal references are merged. */
export function withMergedOwners<M extends ObjectMeta>(meta: M): M {
  const { kept, repeated } = mergedOwners(meta.ownerReferences ?? []);
  return repeated.length === 0 ? meta : { ...meta, ownerReferences: kept.map(({ reference }) => reference) };
}

/** What is said of references that are merged: the server lists their uids in one warning. */
export function ownerWarnings({ ownerReferences = [] }: ObjectMeta): MetadataFinding[] {
  const { repeated } = mergedOwners(ownerReferences);
  const [first] = repeated;
  if (first === undefined) return [];
  const uids = repeated.map((place) => ownerReferences[place]!.uid ?? '');
  const message =
    '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, ' +
    'and may reject such requests as early as 1.24; please fix your requests; ' +
    `duplicate UID(s) observed: ${uids.join(', ')}`;
  return [
    {
      code: 'metadata/repeated-owner',
      type: 'FieldValueDuplicate',
      field: 'metadata.ownerReferences',
      message,
      path: ['metadata', 'ownerReferences', first],
      anchor: 'value',
    },
  ];
}
