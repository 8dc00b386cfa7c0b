import { type DocumentPath, type ManifestPath, type Path, type ValueMap, valueAt } from '../../base/value.ts';
import type { DerivedRole } from '../../crossplane/derive.ts';
import { writtenAt } from '../../crossplane/written.ts';
import type { Projection } from './projection.ts';

/** A CRD that Crossplane makes of an XRD; `at` is where the XRD is in its document. */
export function fromXrd(
  at: DocumentPath,
  xrd: ValueMap,
  role: DerivedRole,
  crd: () => ValueMap,
): Projection<ManifestPath, DocumentPath> {
  const written = (path: ManifestPath) => {
    const place = writtenAt(xrd, role, path);
    // What Crossplane adds has the place of what is around it.
    const isWhole = place.length === path.length && valueAt(xrd, place) !== undefined;
    return [{ place: [...at, ...place], how: isWhole ? ('written' as const) : ('computed' as const) }];
  };
  return {
    written,
    made: (path) => {
      const inXrd = path.slice(at.length);
      const isSame = (candidate: Path) => {
        const place = writtenAt(xrd, role, candidate);
        return place.length === inXrd.length && place.every((step, i) => step === inXrd[i]);
      };
      return candidatesFor(inXrd).filter((one) => valueAt(crd(), one) !== undefined && isSame(one));
    },
  };
}

/** Where a part of an XRD can be in a CRD: mostly where it is, and else what `writtenAt` leads to it. */
function candidatesFor(path: Path): Path[] {
  const [first, second, index, third] = path;
  if (first !== 'spec') return [path];
  if (second === 'claimNames') {
    const names = ['spec', 'names', ...path.slice(2)];
    return path.length === 2 ? [['spec', 'scope'], names] : [names, ['metadata', 'name']];
  }
  if (second === 'metadata') return [path.slice(1)];
  if (second === 'versions' && third === 'referenceable') return [['spec', 'versions', index!, 'storage']];
  return [path];
}
