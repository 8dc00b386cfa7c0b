import type { Steps } from '../../base/steps.ts';
import { definitionsIn } from '../../workspace/definitions.ts';
import { withMade } from '../../workspace/languages/go.ts';
import type { GoView } from '../../workspace/projections/goTypes.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { crdLenses } from '../lenses/crdLenses.ts';
import type { Lens } from '../lenses/lens.ts';

/** Over a kind what its rules may cost and how many resources there are, over each rule for how many of them it is true. */
export function* lensesGo(snapshot: Snapshot, view: GoView, resources: readonly SourceFile[]): Steps<Lens[]> {
  const found = yield* crdLenses(judgedByTypes(snapshot, view), view.made, resources);
  const inGo = found.flatMap((lens): Lens[] => {
    const place = view.types.writtenAt(lens.range);
    return place?.uri === view.uri ? [{ ...lens, range: place.range }] : [];
  });
  // A rule of a type that is used in several places is in each of them.
  return [...new Map(inGo.map((lens) => [`${lens.range.start} ${lens.title}`, lens])).values()];
}

/** The CRDs of the types in the place of those that are written to files. */
export function judgedByTypes(snapshot: Snapshot, view: GoView): Snapshot {
  const definitions = new Map(snapshot.definitions);
  for (const one of definitionsIn(view.source)) definitions.set(`${one.group}/${one.kind}`, [one]);
  return { ...withMade(snapshot, view), definitions };
}
