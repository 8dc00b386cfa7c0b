import { movedRange, type Range } from '../../base/text.ts';
import type { PlacedDocument } from '../../yaml/parse.ts';
import type { Location } from '../place/location.ts';

/** A line above something, with what can be done there. */
export interface Lens {
  readonly range: Range;
  readonly title: string;
  readonly does: LensAction | undefined;
}

export type LensAction =
  | { readonly run: readonly string[] | 'all' }
  | { readonly debug: string }
  | { readonly show: readonly Location[] }
  | { readonly page: 'changes' | 'try' };

/** A lens at a place of a document, in the document's file. */
export function inFile({ start }: PlacedDocument, range: Range) {
  return (lens: Omit<Lens, 'range'>): Lens => {
    return { ...lens, range: movedRange(range, start) };
  };
}
