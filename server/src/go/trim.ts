const blanks = '\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const ends = new RegExp(`^[${blanks}]+|[${blanks}]+$`, 'g');

/** Go's strings.TrimSpace. */
export function trimSpace(text: string): string {
  return text.replace(ends, '');
}
