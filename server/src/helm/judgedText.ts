/** A rendering as it is judged: with a mark for each part that nobody knows. */
import { memo } from '../base/memo.ts';
import { unknownMark } from '../base/value.ts';
import { Joined, type Part, sliceOf } from '../template/from.ts';
import type { Printed } from '../template/run.ts';
import { parseStream } from '../yaml/parse.ts';

/** Notes are for people, and are no YAML. */
export function isNotes(name: string): boolean {
  return name.endsWith('NOTES.txt');
}

export const judgedText = memo((rendered: Printed): Printed => {
  const { text, from } = separated(rendered);
  const isBroken = isBrokenByNothing(text);
  if (!from.isUnknown && !isBroken) return { text, from };
  const parts: Part[] = [];
  let line = '';
  for (const { start, end, leaf, action } of from.runs(text.length)) {
    // Blanks, colons and dashes around what is not known are the form of it.
    const run = text.slice(start, end);
    const isMarked = (leaf.isUnknown && /[\p{L}\p{N}]/u.test(run)) || (isBroken && printedNothing.test(run));
    // In the place of a text it is one, and no map.
    const isColon = leaf.isUnknown && isInPlaceOfText(line) && /^:[ \n]*$/.test(run);
    const part = isMarked
      ? { text: unknownMark, from: leaf, action }
      : sliceOf(text, from, isColon ? start + 1 : start, end);
    parts.push(part);
    line = (line + part.text).slice(-longestLine);
    line = line.slice(line.lastIndexOf('\n') + 1);
  }
  return { text: parts.map((part) => part.text).join(''), from: new Joined(parts) };
});

/** What `printf` makes of a value that nobody has given. */
export const printedNothing = /%!\w\(<nil>\)/;

/** Whether nobody can read a text with it, as no value begins with a percent sign: whoever gives the value has another one. */
function isBrokenByNothing(text: string): boolean {
  if (!printedNothing.test(text)) return false;
  return parseStream(text).documents.some(({ document }) => document.readerError !== undefined);
}

/** Characters before a mark that tell where it is. */
const longestLine = 1_000;

/** Whether the mark at the end of a line is what a key in that line has. */
function isInPlaceOfText(line: string): boolean {
  return line.endsWith(unknownMark) && /: /.test(line.slice(0, -1));
}

/** Three dashes at the start of a line and what follows there: Helm takes that for the beginning of another object. */
const separator = /^---[ \t]*(?=[^\s#-])/gm;

/** With an end of the line behind each separator, as others want it. */
function separated({ text, from }: Printed): Printed {
  const ends = Array.from(text.matchAll(separator), ({ index, 0: found }) => index + found.length);
  if (ends.length === 0) return { text, from };
  const parts: Part[] = [];
  let at = 0;
  for (const end of ends) {
    parts.push(sliceOf(text, from, at, end), { text: '\n', from: sliceOf(text, from, end - 1, end).from });
    at = end;
  }
  parts.push(sliceOf(text, from, at));
  return { text: parts.map((part) => part.text).join(''), from: new Joined(parts) };
}
