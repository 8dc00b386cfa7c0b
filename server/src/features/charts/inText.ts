/** Features of YAML for the text of templates: they work on what is rendered, and their answers are led back. */
import type { Range, TextEdit } from '../../base/text.ts';
import { type Hover, hover } from '../at/hover.ts';
import { complete } from '../complete/complete.ts';
import type { Completion } from '../complete/completion.ts';

import { onEnter } from '../complete/onEnter.ts';
import { type InMade, markedRenderings, withoutMark } from './markedTemplate.ts';
import type { Seen } from './seen.ts';

/** How many renderings are asked before it is said that there is nothing. */
const mostAsked = 4;

/** What can be written in the text of a template, by the first rendering that has an answer. */
export function completeText(seen: Seen, offset: number): Completion[] {
  return firstAnswer(seen, offset, (place, back) => {
    const items = complete(place.snapshot, place.uri, place.offset);
    return items.flatMap((item) => {
      const range = back(item.range);
      return range ? [{ ...item, range }] : [];
    });
  });
}

export function enterText(seen: Seen, offset: number): TextEdit[] {
  return firstAnswer(seen, offset, (place, back) => {
    const edits = onEnter(place.snapshot, place.uri, place.offset);
    return edits.flatMap(({ range, text }) => {
      const own = back(range);
      return own ? [{ range: own, text }] : [];
    });
  });
}

export function hoverText(seen: Seen, offset: number): Hover | undefined {
  const [found] = firstAnswer(seen, offset, (place, back) => {
    const card = hover(place.snapshot, place.uri, place.offset);
    const range = card && (back(card.range) ?? { start: offset, end: offset });
    return card && range ? [{ ...card, range }] : [];
  });
  return found;
}

type Back = (range: Range) => Range | undefined;

function firstAnswer<T>(seen: Seen, offset: number, ask: (place: InMade, back: Back) => readonly T[]): T[] {
  let left = mostAsked;
  for (const made of markedRenderings(seen, [offset])) {
    if (left-- === 0) break;
    const place = withoutMark(seen, made);
    const found = ask(place, (range) => backFrom(seen, offset, place, range));
    if (found.length > 0) return [...found];
  }
  return [];
}

/** A range around the place in what was made, as that around the cursor, where the same is written there. */
function backFrom(
  { file }: Seen,
  offset: number,
  { offset: at, text }: InMade,
  { start, end }: Range,
): Range | undefined {
  const range = { start: offset + start - at, end: offset + end - at };
  return range.start >= 0 && file.text.slice(range.start, range.end) === text.slice(start, end) ? range : undefined;
}
