/** All markers of controller-gen, by name and by what they are written for. */
import type { MarkerDefinition, MarkerTarget } from './model.ts';
import { crdMarkers } from './table/crd.ts';
import { otherMarkers } from './table/others.ts';
import { topologyMarkers } from './table/topology.ts';
import { validationMarkers } from './table/validation.ts';

export const allMarkers: readonly MarkerDefinition[] = [
  ...validationMarkers,
  ...topologyMarkers,
  ...crdMarkers,
  ...otherMarkers,
];

const byTarget: Readonly<Record<MarkerTarget, ReadonlyMap<string, MarkerDefinition>>> = {
  package: named('package'),
  type: named('type'),
  field: named('field'),
};

function named(target: MarkerTarget): Map<string, MarkerDefinition> {
  return new Map(allMarkers.filter(({ targets }) => targets.includes(target)).map((row) => [row.name, row]));
}

export function markerNamed(name: string, target: MarkerTarget): MarkerDefinition | undefined {
  return byTarget[target].get(name);
}
