import { movedRange, type Range } from '../../base/text.ts';
import { isList, isMap, isString, type Value, valueAt } from '../../base/value.ts';
import { builtinKindsFor } from '../../workspace/builtin.ts';
import { fileAt, type Snapshot } from '../../workspace/snapshot.ts';
import { rangeOf } from '../../yaml/place.ts';
import { valueOf } from '../../yaml/value.ts';

/**
 * Whether a patch of a component is for whoever has a kind: its target is all objects of that, and another patch of the component is
 * for another kind, of which somebody has one. A kind that nothing defines may be misspelled, and so may a name or a label.
 */
export function isForAnyWithKind(
  snapshot: Snapshot,
  uri: string,
  target: Range,
  isUnmatched: (target: Range) => boolean,
): boolean {
  if (!snapshot.kustomizations.all.get(uri)?.isComponent) return false;
  const all = targetsIn(snapshot, uri);
  const own = all.find(({ range }) => range.start === target.start);
  const kind = own && kindOfAll(own.value);
  if (kind === undefined || !isKnownKind(snapshot, uri, kind)) return false;
  return all.some((one) => !isUnmatched(one.range) && valueAt(one.value, ['kind']) !== kind);
}

interface Target {
  readonly value: Value;
  readonly range: Range;
}

function targetsIn(snapshot: Snapshot, uri: string): Target[] {
  const [placed] = fileAt(snapshot, uri)?.stream.documents ?? [];
  const patches = placed && valueAt(valueOf(placed.document), ['patches']);
  if (!placed || !isList(patches)) return [];
  return patches.flatMap((patch, i) => {
    const value = valueAt(patch, ['target']);
    const range = rangeOf(placed.document, ['patches', i, 'target'], 'value');
    return value === undefined || !range ? [] : [{ value, range: movedRange(range, placed.start) }];
  });
}

/** The kind whose objects a target takes, whatever they are called. */
function kindOfAll(target: Value): string | undefined {
  const kind = valueAt(target, ['kind']);
  const keys = isMap(target) ? [...target.keys()] : [];
  return isString(kind) && keys.every((key) => ['kind', 'group', 'version'].includes(key)) ? kind : undefined;
}

function isKnownKind(snapshot: Snapshot, uri: string, kind: string): boolean {
  const builtin = builtinKindsFor(snapshot, uri)?.kinds.keys() ?? [];
  const isBuiltin = [...builtin].some((key) => key.endsWith(`/${kind}`));
  return isBuiltin || [...snapshot.definitions.values()].flat().some((one) => one.kind === kind);
}
