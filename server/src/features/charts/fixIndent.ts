import { lineStartBefore, type Range } from '../../base/text.ts';
import type { Fix } from '../../rules/model/diagnostic.ts';

/** The longest action that is looked at. */
const longestAction = 2_000;

/**
 * `indent` behind blanks gives the first line these as well. `nindent` begins a line of its own, once the blanks and the line break
 * before it are trimmed away.
 */
export function fixesOfIndent(text: string, { start, end }: Range): Fix[] {
  const action = text.slice(start, Math.min(end, start + longestAction));
  const before = text.slice(lineStartBefore(text, start), start);
  const [last, width] = /\|\s{0,20}indent\s{1,20}(\d{1,3})\s{0,20}-?\}\}$/.exec(action) ?? [];
  if (last === undefined || width === undefined || !action.startsWith('{{') || action.startsWith('{{-')) return [];
  if (!/^[ \t]+$/.test(before)) return [];
  const word = end - last.length + last.indexOf('indent');
  const edits = [
    { range: { start: start + 2, end: start + 2 }, text: /\s/.test(action[2] ?? '') ? '-' : '- ' },
    { range: { start: word, end: word }, text: 'n' },
  ];
  return [{ title: `Write \`nindent ${width}\`, on a line of its own`, safe: false, edits }];
}
