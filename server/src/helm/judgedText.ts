/** A rendering as it is judged: with a variable for each part that nobody knows. */
import { Joined, type Part, sliceOf } from '../template/from.ts';
import type { Printed } from '../template/run.ts';

/** Whoever judges knows such a variable for a value that is filled in elsewhere. */
const variable = `\${unknown}`;

export function judgedText(rendered: Printed): Printed {
  const { text, from } = rendered;
  if (!from.isUnknown) return { text, from };
  const parts: Part[] = [];
  let isAfterUnknown = false;
  for (const { start, end, leaf, action } of from.runs(text.length)) {
    // Blanks around what is not known keep the lines as they are.
    const isUnknown = leaf.isUnknown && text.slice(start, end).trim() !== '';
    if (!isUnknown) parts.push({ ...sliceOf(text, from, start, end), action });
    else if (!isAfterUnknown) parts.push({ text: variable, from: leaf, action });
    isAfterUnknown = isUnknown;
  }
  return { text: parts.map((part) => part.text).join(''), from: new Joined(parts) };
}
