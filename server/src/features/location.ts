import type { Range } from '../base/text.ts';
import type { ManifestPath } from '../base/value.ts';
import { locateInFile } from '../rules/judging/locate.ts';
import type { Definition } from '../workspace/definitions.ts';

/** A place in a file. */
export interface Location {
  readonly uri: string;
  readonly range: Range;
}

/** A place in the document of a CRD. */
export function placeIn({ file, manifest }: Definition, path: ManifestPath, place: 'key' | 'value'): Location {
  return locateInFile(file, manifest, path, place);
}
