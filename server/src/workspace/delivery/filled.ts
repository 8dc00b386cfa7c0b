/** Objects with the variables that Flux fills in on the way to the cluster, as far as those are known. */
import { memo } from '../../base/memo.ts';
import { isMap, type ValueMap } from '../../base/value.ts';
import type { Variables } from '../../flux/substitute.ts';
import { builtMark } from '../kustomized.ts';
import { type Manifest, metadataOf } from '../manifest.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Filling } from './filling.ts';
import { type Delivery, deliveryOf } from './index.ts';
import { fillingOf, folderAppliedBy, isAppliedWith, type Resources } from './kustomizations.ts';
import type { Delivered } from './objects.ts';
import { substitutedObject } from './substituting.ts';

/** Kustomizations that apply one file, each of which may fill in something else. */
const mostFillings = 5;

/** The Kustomizations, each with the folder that it applies and what it fills in there. */
export interface AppliedFolder {
  readonly folder: string;
  readonly filling: Filling | undefined;
  readonly by: Filling['by'];
}

export const appliedFolders = memo((delivery: Delivery): readonly AppliedFolder[] =>
  delivery.objects
    .filter(({ kind }) => kind === 'Kustomization')
    .flatMap((by) => {
      const folder = folderAppliedBy(delivery, by);
      return folder === undefined ? [] : [{ folder, by, filling: fillingOf(delivery, by) }];
    }),
);

/** What is filled in a file before it is applied, by each Kustomization that does. */
export function fillingsFor(snapshot: Snapshot, uri: string): readonly Filling[] {
  if (uri.endsWith(builtMark)) return withFilling(snapshot.filling);
  return fillingsIn(deliveryOf(snapshot), snapshot.resources, uri);
}

const withFilling = (filling: Filling | undefined) => (filling ? [filling] : []);

const fillingsIn = memo((delivery: Delivery, resources: Resources, uri: string): readonly Filling[] => {
  const all = appliedFolders(delivery).filter(({ folder }) => isAppliedWith(resources, folder, uri));
  return all.flatMap(({ filling }) => filling ?? []).slice(0, mostFillings);
});

/** An object as it is applied, where one Kustomization alone fills in its variables. */
export function asApplied(delivery: Delivery, resources: Resources, one: Delivered): Delivered {
  const [filling, ...others] = one.manifest.document.text.includes('$') ? fillingsIn(delivery, resources, one.uri) : [];
  return filling && others.length === 0 ? appliedBy(one, filling) : one;
}

const appliedBy = memo((one: Delivered, filling: Filling): Delivered => {
  const filled = filledIn(one.manifest, filling, false);
  return 'error' in filled || filled.manifest === one.manifest ? one : { ...one, manifest: filled.manifest };
});

const substitute = 'kustomize.toolkit.fluxcd.io/substitute';

/** Whether an object says that its texts are left as they are. */
export function isLeftOut(manifest: Manifest): boolean {
  return ['labels', 'annotations'].some((key) => {
    const map = metadataOf(manifest)?.get(key);
    return isMap(map) && map.get(substitute) === 'disabled';
  });
}

/** An object as a Kustomization fills it in, or why it cannot be. */
export type FilledIn = { readonly manifest: Manifest } | { readonly error: string };

export const filledIn = memo((manifest: Manifest, filling: Filling, strict: boolean): FilledIn => {
  if (isLeftOut(manifest)) return { manifest };
  const values: Variables = valuesOf(filling);
  let isWhole = true;
  const leaves = (name: string) => {
    const isLeft = isElsewhere(filling, name);
    if (isLeft) isWhole = false;
    return isLeft;
  };
  const made = substitutedObject(manifest.value, values, { strict, leaves });
  // What is not here may be the quotes around what is.
  if ('error' in made) return isWhole || !made.isOfText ? made : { manifest };
  return isMap(made.value) ? { manifest: withValue(manifest, made.value) } : { manifest };
});

const valuesOf = memo(({ variables }: Filling): Variables => {
  return new Map(Array.from(variables, ([name, { value }]) => [name, value]));
});

/** Whether a variable may be set by what is not here. */
export function isElsewhere({ variables, elsewhere }: Filling, name: string): boolean {
  return elsewhere.length > 0 && !variables.has(name);
}

function withValue(manifest: Manifest, value: ValueMap): Manifest {
  const { role, document, at, apiVersion, kind, madeOf, variables, projection } = manifest;
  return {
    ...{ role, document, at, apiVersion, kind, value },
    ...(madeOf && { madeOf }),
    ...(variables && { variables }),
    ...(projection && { projection }),
  };
}
