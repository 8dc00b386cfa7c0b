import { lineStartBefore, type Range } from '../../base/text.ts';
import type { Fix } from '../../rules/model/diagnostic.ts';

/** Where `indent` has blanks before it, which the first line has as well: the word, and by how many it indents. */
function indentBehindBlanks(
  text: string,
  { start, end }: Range,
): { readonly at: number; readonly width: string } | undefined {
  const action = text.slice(start, end);
  const before = text.slice(lineStartBefore(text, start), start);
  const [last, width] = /\|\s{0,20}indent\s{1,20}(\d{1,3})\s{0,20}-?\}\}$/.exec(action.slice(-100)) ?? [];
  if (last === undefined || width === undefined || !/^\{\{(?!-)/.test(action) || !/^[ \t]+$/.test(before))
    return undefined;
  return { at: end - last.length + last.indexOf('indent'), width };
}

/** What is said where two entries cannot be read because of that. */
export function wordsOfIndent(text: string, range: Range): string | undefined {
  return indentBehindBlanks(text, range) && ofTwo;
}

export const ofTwo =
  'The blanks before the braces come before the first line alone, so that two entries cannot be read. Use `nindent`, or begin the line with the braces.';

/** `nindent` begins a line of its own, once the blanks and the line break before it are trimmed away. */
export function fixesOfIndent(text: string, range: Range): Fix[] {
  const found = indentBehindBlanks(text, range);
  if (!found) return [];
  const opened = range.start + '{{'.length;
  const edits = [
    { range: { start: opened, end: opened }, text: /\s/.test(text[opened] ?? '') ? '-' : '- ' },
    { range: { start: found.at, end: found.at }, text: 'n' },
  ];
  return [{ title: `Write \`nindent ${found.width}\`, on a line of its own`, safe: false, edits }];
}
