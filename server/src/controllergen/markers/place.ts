/** What a marker is written for: the other way round of collecting them. */
import { memo } from '../../base/memo.ts';
import type { Field, GoFile, TypeDeclaration } from '../syntax/model.ts';
import { collectMarkers, type LostWhy } from './collect.ts';
import type { Marker } from './model.ts';
import { readMarker } from './read.ts';

export interface PlacedMarker {
  readonly marker: Marker;
  /** The type it is above, or that has the field. */
  readonly type?: TypeDeclaration;
  readonly field?: Field;
  /** Why it belongs to nothing; it is read as what it could be for then. */
  readonly lost?: LostWhy;
}

/** All markers of a file, in the order of the text. */
export const placedMarkers = memo((file: GoFile): readonly PlacedMarker[] => {
  const { package: ofPackage, ofType, ofField, lost } = collectMarkers(file);
  const all: PlacedMarker[] = ofPackage.map((marker) => ({ marker }));
  for (const [type, markers] of ofType) for (const marker of markers) all.push({ marker, type });
  let at = 0;
  for (const [field, markers] of ofField) {
    // Both are in the order of the text.
    while (at < file.types.length && file.types[at]!.range.end < field.range.end) at++;
    const type = file.types[at];
    for (const marker of markers) all.push({ marker, field, ...(type && { type }) });
  }
  at = 0;
  for (const { raw, why } of lost) {
    // So are these, since comments are gone through from the top.
    while (at < file.types.length && file.types[at]!.range.end <= raw.start) at++;
    const isInType = (file.types[at]?.range.start ?? raw.start) < raw.start;
    all.push({ marker: readMarker(raw, isInType ? 'field' : 'package'), lost: why });
  }
  return all.sort((a, b) => a.marker.range.start - b.marker.range.start);
});

/** The marker whose line an offset is in. */
export function markerAt(file: GoFile, offset: number): PlacedMarker | undefined {
  return placedMarkers(file).find(({ marker: { range } }) => range.start < offset && offset <= range.end);
}
