/** Where what is built was written, and what changed it on the way. */
import type { Range } from '../base/text.ts';

/**
 * A range of a file's text, in UTF-16 units, from the beginning of one of its pieces: what is typed in a piece leaves the places
 * of the others as they are. `rangeIn` says where that is in the file.
 */
export interface Place {
  readonly file: string;
  readonly piece: number;
  readonly from: number;
  readonly to: number;
}

/** Where the pieces of files begin, of those that have several. */
export type Pieces = ReadonlyMap<string, readonly number[]>;

/** A place of a file that is taken as one piece. */
export function placeIn(file: string, from = 0, to = from): Place {
  return { file, piece: 0, from, to };
}

export function rangeIn(pieces: Pieces, { file, piece, from, to }: Place): Range {
  const start = piece === 0 ? 0 : (pieces.get(file)?.[piece] ?? 0);
  return { start: start + from, end: start + to };
}

/** What kind of text a node was written in. */
export type Source = 'resource' | 'patch' | 'kustomization' | 'data';

/** Written just so, at this place. */
export interface Written {
  readonly how: 'written';
  readonly in: Source;
  readonly place: Place;
  /** What it was put over: the value that a patch replaces. */
  readonly over?: Origin;
}

/** What computes values: the field of a kustomization, or the steps at the end of a build. */
export type Computing =
  | 'namePrefix'
  | 'nameSuffix'
  | 'namespace'
  | 'labels'
  | 'commonLabels'
  | 'commonAnnotations'
  | 'images'
  | 'replicas'
  | 'replacements'
  | 'vars'
  | 'configMapGenerator'
  | 'secretGenerator'
  | 'generatorOptions'
  | 'hash'
  | 'nameReference'
  | 'buildMetadata'
  | 'patches'
  | 'transformers'
  | 'commonMetadata';

/** Not written anywhere as it is. */
export interface Computed {
  readonly how: 'computed';
  readonly what: Computing;
  /** The field that made it so; of a reference to a name, what changed that name. */
  readonly by: Place | undefined;
  /** What was there before. */
  readonly original: Origin | undefined;
}

export type Origin = Written | Computed;

/** The places of an origin, from what was written first to what had the last word. */
export function placesOf(origin: Origin | undefined): Place[] {
  const places: Place[] = [];
  for (let at = origin; at; at = beforeThat(at)) {
    const place = at.how === 'written' ? at.place : at.by;
    if (place) places.push(place);
  }
  return places.reverse();
}

function beforeThat(origin: Origin): Origin | undefined {
  return origin.how === 'computed' ? origin.original : origin.over;
}

/** The origin of what a patch puts in the place of something else. */
export function over(origin: Origin | undefined, before: Origin | undefined): Origin | undefined {
  return origin?.how === 'written' && before && origin !== before ? { ...origin, over: before } : origin;
}

/** Where a value comes from that has no other value to go by. */
export function computed(what: Computing, by: Place | undefined, original?: Origin): Computed {
  return { how: 'computed', what, by, original: merged(what, by, original) };
}

/** Steps of the same field are one. */
function merged(what: Computing, by: Place | undefined, original: Origin | undefined): Origin | undefined {
  if (original?.how !== 'computed' || original.what !== what || original.by !== by) return original;
  return original.original;
}
