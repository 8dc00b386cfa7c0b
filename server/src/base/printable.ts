/** Text of files and their names as it can be shown: none of it moves the cursor, or begins a line of its own. */
export function printable(text: string): string {
  return text.replace(
    /[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/g,
    (char) => {
      return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
    },
  );
}
