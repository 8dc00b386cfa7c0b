/** Patches that are written in a kustomization: YAML in a text of YAML. */
import { columnOf, type Range, type TextEdit } from '../../base/text.ts';
import { type DocumentPath, isList, isMap, isString, type Value, valueAt } from '../../base/value.ts';
import { isKustomization } from '../../workspace/fileNames.ts';
import { fileAt, type Snapshot, withOpen } from '../../workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../../workspace/sourceFile.ts';
import { documentAt, type PlacedDocument } from '../../yaml/parse.ts';
import { nodeAtPath } from '../../yaml/place.ts';
import { scalarMap } from '../../yaml/scalarMap.ts';
import { valueOf } from '../../yaml/value.ts';

/** A patch as a file of its own, and the place in it that the cursor is at. */
export interface InPatch {
  readonly snapshot: Snapshot;
  readonly source: SourceFile;
  readonly offset: number;
  /** What the patch is for, as the kustomization says it. */
  readonly target: Value | undefined;
  /** A range of the patch in the kustomization. */
  back(range: Range): Range;
}

/** The patch that an offset of a kustomization is in. */
export function patchAt(snapshot: Snapshot, uri: string, offset: number): InPatch | undefined {
  const file = isKustomization(uri) ? fileAt(snapshot, uri) : undefined;
  const placed = documentAt(file?.stream, offset);
  if (!placed) return undefined;
  for (const { path, target } of patchesIn(placed)) {
    const found = textAround(placed, path, offset - placed.start);
    if (!found) continue;
    const source = sourceFile(`${uri}#${path.join('.')}`, found.text, { made: true });
    const back = ({ start, end }: Range) => ({
      start: placed.start + found.toText(start),
      end: placed.start + found.toText(end),
    });
    return { snapshot: withOpen(snapshot, source), source, offset: found.at, target, back };
  }
  return undefined;
}

interface Patch {
  readonly path: DocumentPath;
  readonly target: Value | undefined;
}

function patchesIn({ document }: PlacedDocument): Patch[] {
  const root = valueOf(document);
  if (!isMap(root)) return [];
  const listed = (key: string) => {
    const all = root.get(key);
    return isList(all) ? all.map((one, i) => ({ one, path: [key, i] as DocumentPath })) : [];
  };
  const named = [...listed('patches'), ...listed('patchesJson6902')].flatMap(({ one, path }) =>
    isString(valueAt(one, ['patch'])) ? [{ path: [...path, 'patch'], target: valueAt(one, ['target']) }] : [],
  );
  const merges = listed('patchesStrategicMerge').filter(({ one }) => isString(one) && one.includes('\n'));
  return [...named, ...merges.map(({ path }) => ({ path, target: undefined }))];
}

interface TextAround {
  readonly text: string;
  readonly at: number;
  toText(offset: number): number;
}

/** The text of a scalar, with the blank line below it that somebody goes on in. */
function textAround({ document }: PlacedDocument, path: DocumentPath, offset: number): TextAround | undefined {
  const found = nodeAtPath(document, path);
  const map = scalarMap(document, path);
  if (!map || found?.node.kind !== 'scalar' || offset < found.start) return undefined;
  const inside = map.toValue(offset);
  const column = columnOf(document.text, offset);
  // In front of the text of a line nobody writes anything.
  if (inside !== undefined && map.toText(inside) === offset)
    return { text: map.value, at: inside, toText: (at) => map.toText(at) };
  const { indent, style, length } = found.node;
  const end = found.start + length;
  const isBelow = style === 'literal' && column >= indent && document.text.slice(end, offset).trim() === '';
  if (!isBelow || offset < end - column) return undefined;
  const text = `${withBreak(map.value)}${' '.repeat(column - indent)}`;
  return {
    text,
    at: text.length,
    toText: (at) => (at >= map.value.length ? offset - (text.length - at) : map.toText(at)),
  };
}

function withBreak(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** What a feature has for a patch, with its ranges in the kustomization. */
export function inPatch<Answer>(
  of: (place: InPatch) => Answer,
  other: (snapshot: Snapshot, uri: string, offset: number) => Answer,
): (snapshot: Snapshot, uri: string, offset: number) => Answer {
  return (snapshot, uri, offset) => {
    const place = patchAt(snapshot, uri, offset);
    return place ? of(place) : other(snapshot, uri, offset);
  };
}

export function backEdits({ back }: InPatch, edits: readonly TextEdit[]): TextEdit[] {
  return edits.map(({ range, text }) => ({ range: back(range), text }));
}
