import { type DocumentPath, type ManifestPath, type ValueMap, valueAt } from '../../base/value.ts';
import { madeAt, writtenAt } from '../../kro/written.ts';
import type { Projection } from './projection.ts';

/** A CRD that kro makes of an RGD; `at` is where the RGD is in its document. */
export function fromRgd(at: DocumentPath, rgd: ValueMap, crd: () => ValueMap): Projection<ManifestPath, DocumentPath> {
  return {
    written: (path) => {
      const place = writtenAt(rgd, path);
      const isAsIs = valueAt(rgd, place) === valueAt(crd(), path);
      return [{ place: [...at, ...place], how: isAsIs ? ('written' as const) : ('computed' as const) }];
    },
    made: (path) => madeAt(path.slice(at.length)).filter((one) => valueAt(crd(), one) !== undefined),
  };
}
