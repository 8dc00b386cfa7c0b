import { kubernetesVersion, newestVersion } from '../../kubernetes/versions.ts';
import { type RulePlace, rulePlace } from '../../rules/cel/rulePlace.ts';
import { type Snapshot, settingsFor } from '../../workspace/snapshot.ts';
import type { Cursor } from '../place.ts';

/** An expression, and the offset in it that the cursor stands at. */
export interface ExpressionAt {
  readonly place: RulePlace;
  readonly offset: number;
  /** From an offset of the expression to one of the file. */
  toFile(offset: number): number;
}

/** The expression under the cursor, if there is one. */
export function expressionAt(snapshot: Snapshot, cursor: Cursor): ExpressionAt | undefined {
  const { manifest, spot, placed } = cursor;
  if (manifest?.role !== 'crd' || spot.at !== 'value') return undefined;
  const kubernetes = kubernetesVersion(settingsFor(snapshot, cursor.file.uri).kubernetes) ?? newestVersion;
  const place = rulePlace(manifest, spot.path, kubernetes);
  const offset = place?.map.toValue(cursor.offset);
  if (!place || offset === undefined) return undefined;
  return { place, offset, toFile: (at) => place.map.toText(at) + placed.start };
}
