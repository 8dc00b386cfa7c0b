/** A rendering as it is judged: with a mark for each part that nobody knows. */
import { unknownMark } from '../base/value.ts';
import { Joined, type Part, sliceOf } from '../template/from.ts';
import type { Printed } from '../template/run.ts';

export function judgedText(rendered: Printed): Printed {
  const { text, from } = rendered;
  if (!from.isUnknown) return { text, from };
  const parts: Part[] = [];
  for (const { start, end, leaf, action } of from.runs(text.length)) {
    // Blanks, colons and dashes around what is not known are the form of it.
    if (leaf.isUnknown && /[\p{L}\p{N}]/u.test(text.slice(start, end)))
      parts.push({ text: unknownMark, from: leaf, action });
    else parts.push(sliceOf(text, from, start, end));
  }
  return { text: parts.map((part) => part.text).join(''), from: new Joined(parts) };
}
