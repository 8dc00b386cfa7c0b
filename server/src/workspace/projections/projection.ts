/**
 * How something in what was made came to be: it is written at its source just so, and can be changed there; it was worked
 * out of what is there; nobody has said it; nobody knows.
 */
export type How = 'written' | 'computed' | 'default' | 'unknown';

/** A place at a source, and what it has to do with what was made. */
export interface Origin<Source> {
  readonly place: Source;
  readonly how: How;
}

/**
 * Leads from what is made of sources to where its parts were written, and back. One source may be in several parts, in
 * several documents; one part may come of several sources. Parts and places are paths in documents, with offsets within a
 * text, or ranges of files: each projection says which.
 */
export interface Projection<Part, Source> {
  /** Where a part comes from, the nearest first; where it has no place of its own, that of what is around it. */
  written(part: Part): readonly Origin<Source>[];
  /** The parts that come from a place. */
  made(place: Source): readonly Part[];
}
