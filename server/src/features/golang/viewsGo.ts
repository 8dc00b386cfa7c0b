import type { Steps } from '../../base/steps.ts';
import { valueAt } from '../../base/value.ts';
import { withMade } from '../../workspace/languages/go.ts';
import type { GoView } from '../../workspace/projections/goTypes.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import type { Location } from '../place/location.ts';
import { costMap, type VersionCost } from '../views/costMap.ts';
import type { KindRef } from '../views/schemaTree.ts';
import { partAt } from './shownCrd.ts';

/** What the rules of the kinds of a Go file may cost. What another file says has the place of its kind. */
export function* costsGo(snapshot: Snapshot, view: GoView): Steps<VersionCost[]> {
  const found = yield* costMap(withMade(snapshot, view), view.made);
  return found.flatMap(({ fields, ...version }) => {
    const place = inGo(view, version.place);
    if (!place) return [];
    const at = <One extends { readonly place: Location }>(one: One) => ({
      ...one,
      place: inGo(view, one.place) ?? place,
    });
    const moved = fields.map(({ expressions, ...field }) => ({ ...at(field), expressions: expressions.map(at) }));
    return [{ ...version, place, fields: moved }];
  });
}

function inGo(view: GoView, { range }: Location): Location | undefined {
  const place = view.types.writtenAt(range);
  return place?.uri === view.uri ? place : undefined;
}

/** The kind that a place in Go is a part of, where a file has the CRD of it. */
export function kindAtGo({ definitions }: Snapshot, view: GoView, offset: number): KindRef | undefined {
  const part = partAt(view, offset);
  const spec = part && valueAt(part.crd.value, ['spec']);
  const [group, kind] = [valueAt(spec, ['group']), valueAt(spec, ['names', 'kind'])];
  const [definition] = definitions.get(`${group}/${kind}`) ?? [];
  const index = part?.path[1] === 'versions' ? Number(part.path[2]) : 0;
  const version = valueAt(spec, ['versions', index, 'name']);
  if (!definition || typeof version !== 'string' || !definition.versions.includes(version)) return undefined;
  return { uri: definition.file.uri, group: definition.group, kind: definition.kind, version };
}
