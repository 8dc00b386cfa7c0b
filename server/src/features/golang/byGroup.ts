import { valueAt } from '../../base/value.ts';
import type { GeneratedCrd } from '../../controllergen/crd/model.ts';
import type { GoResult } from '../../workspace/goPackages.ts';
import { withMade } from '../../workspace/languages/go.ts';
import { crdsOf, type GoCrds, type GoView, viewOf } from '../../workspace/projections/goTypes.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { folderOf } from '../../workspace/uri.ts';
import { diagnose } from '../problems/diagnose.ts';

/** A file beside the CRDs of its own group, and beside those of other groups that have something to say of it. */
export interface GroupedView {
  readonly view: GoView;
  readonly others: readonly GoView[];
}

/** The CRDs of many packages, those of each API group in a file of their own: what is wrong in one hides no other. */
export function viewsByGroup(snapshot: Snapshot, result: GoResult): (uri: string) => GroupedView | undefined {
  const byFolder = new Map<string, GoCrds>();
  const byFile = new Map<string, GoCrds[]>();
  for (const crds of groupsOf(result.crds)) {
    const folders = crds.flatMap(({ kinds }) => kinds.map(({ place }) => folderOf(place.uri)));
    const made = crdsOf({ ...result, crds }, folders[0]!);
    for (const folder of folders) byFolder.set(folder, made);
    for (const uri of urisIn(snapshot, made)) byFile.set(uri, [...(byFile.get(uri) ?? []), made]);
  }
  return (uri) => {
    const own = byFolder.get(folderOf(uri)) ?? crdsOf({ ...result, crds: [] }, folderOf(uri));
    const view = viewOf(own, uri);
    const others = (byFile.get(uri) ?? []).filter((made) => made !== own).flatMap((made) => viewOf(made, uri) ?? []);
    return view && { view, others };
  };
}

function groupsOf(crds: readonly GeneratedCrd[]): Iterable<readonly GeneratedCrd[]> {
  const groups = new Map<string, GeneratedCrd[]>();
  for (const crd of crds) {
    const group = String(valueAt(crd.value, ['spec', 'group']));
    const known = groups.get(group);
    if (known) known.push(crd);
    else groups.set(group, [crd]);
  }
  return groups.values();
}

/** The files in which something is found that is wrong with CRDs. */
function urisIn(snapshot: Snapshot, types: GoCrds): ReadonlySet<string> {
  const { source } = types;
  const uris = diagnose(withMade(snapshot, { source }), source.uri).flatMap(({ range, about }) => {
    const made = types.documentAt(range.start);
    const origins = made ? types.written(types.partOf(made, about?.path ?? [], range)) : [];
    return origins.map(({ place }) => place.uri);
  });
  return new Set(uris);
}
