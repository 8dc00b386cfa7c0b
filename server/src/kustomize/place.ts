import type { Origin, Place } from './origin.ts';
import type { Node } from './tree/node.ts';

export function placeOf(node: Node | undefined): Place | undefined {
  return placeOfOrigin(node?.origin);
}

/** The place that has the last word. */
export function placeOfOrigin(origin: Origin | undefined): Place | undefined {
  return origin?.how === 'written' ? origin.place : origin?.by;
}
