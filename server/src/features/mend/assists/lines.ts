import { lineStartBefore, type Range } from '../../../base/text.ts';

/** From the comments above an entry to the one behind it, without the blanks before the first of them. */
export function linesWithComments(text: string, start: number, end: number): Range {
  const rest = /[^\r\n]*/y;
  rest.lastIndex = end;
  let from = start;
  for (let line = lineStartBefore(text, start); line > 0; ) {
    const above = lineStartBefore(text, text.startsWith('\r\n', line - 2) ? line - 2 : line - 1);
    if (!/^[ \t]*#/.test(text.slice(above, line))) break;
    from = above + /^[ \t]*/.exec(text.slice(above))![0].length;
    line = above;
  }
  return { start: from, end: end + rest.exec(text)![0].length };
}
