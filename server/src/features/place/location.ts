import type { Range } from '../../base/text.ts';
import type { ManifestPath } from '../../base/value.ts';
import { locateInFile } from '../../rules/judging/locate.ts';
import type { Definition } from '../../workspace/definitions.ts';

/** A place in a file. */
export interface Location {
  readonly uri: string;
  readonly range: Range;
}

/** Each place once. */
export function locationsOnce(all: readonly Location[]): Location[] {
  return [...new Map(all.map((one) => [`${one.uri} ${one.range.start} ${one.range.end}`, one])).values()];
}

/** A place in the document of a CRD. */
export function placeIn({ file, manifest }: Definition, path: ManifestPath, place: 'key' | 'value'): Location {
  return locateInFile(file, manifest, path, place);
}
