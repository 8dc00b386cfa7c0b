import { equalValues, isList, isMap, type ManifestPath, type ValueMap, valueAt } from '../../base/value.ts';
import type { Origin, Projection } from './projection.ts';

/**
 * Leads from a CRD that controller-gen wrote to the one that it would write now, whose places in Go are known: what is there
 * as it was written is `written`, all else has changed since. Versions are known by their names.
 */
export function generatedCrd(crd: ValueMap, now: ValueMap): Projection<ManifestPath, ManifestPath> {
  return {
    written: (path) => origins(crd, now, path),
    made: (place) => origins(now, crd, place).map(({ place: path }) => path),
  };
}

function origins(from: ValueMap, to: ValueMap, path: ManifestPath): readonly Origin<ManifestPath>[] {
  const place = sameVersion(from, to, path);
  if (!place) return [];
  return [{ place, how: equalValues(valueAt(from, path), valueAt(to, place)) ? 'written' : 'computed' }];
}

/** The same path where the versions stand in another order; undefined where there is no such version. */
function sameVersion(from: ValueMap, to: ValueMap, path: ManifestPath): ManifestPath | undefined {
  const [spec, versions, index, ...rest] = path;
  if (spec !== 'spec' || versions !== 'versions' || typeof index !== 'number') return path;
  const name = valueAt(from, ['spec', 'versions', index, 'name']);
  const others = valueAt(to, ['spec', 'versions']);
  const at = isList(others) ? others.findIndex((one) => isMap(one) && one.get('name') === name) : -1;
  return at === -1 ? undefined : [spec, versions, at, ...rest];
}
