import { runAtEnd } from '../base/text.ts';

const blank = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Go's strings.TrimSpace, which is not quite what JavaScript's trim does. */
export function trimSpace(text: string): string {
  const end = runAtEnd(text, blank);
  let start = 0;
  while (start < end && blank.test(text[start]!)) start++;
  return text.slice(start, end);
}
