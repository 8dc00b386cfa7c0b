/** Go's strconv.Unquote, for the constants of templates. */

const simple = new Map(
  Object.entries({
    a: '\x07',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
    v: '\v',
    '\\': '\\',
  }),
);

/** The text of a constant in its quotes; undefined where its escapes are not valid. */
export function unquote(quoted: string): string | undefined {
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith('`')) return inner.replaceAll('\r', '');
  return inner.includes('\\') ? unescaped(inner, quoted[0]!) : inner;
}

function unescaped(text: string, delimiter: string): string | undefined {
  let out = '';
  for (let at = 0; at < text.length; ) {
    if (text[at] !== '\\') {
      out += text[at++];
      continue;
    }
    const read = readEscape(text, at + 1, delimiter);
    if (!read) return undefined;
    out += read.text;
    at = read.end;
  }
  return out;
}

const numeric = /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})/y;

function readEscape(text: string, at: number, delimiter: string): { text: string; end: number } | undefined {
  const letter = text[at];
  if (letter === undefined) return undefined;
  if (letter === delimiter) return { text: letter, end: at + 1 };
  const known = simple.get(letter);
  if (known !== undefined) return { text: known, end: at + 1 };
  numeric.lastIndex = at;
  const match = numeric.exec(text);
  if (!match) return undefined;
  const code = match[4] === undefined ? Number.parseInt(match[0].slice(1), 16) : Number.parseInt(match[4], 8);
  const isByte = match[1] !== undefined || match[4] !== undefined;
  if (isByte ? code > 0xff : code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return undefined;
  // A byte beyond ASCII alone is not a character: texts here are not bytes.
  return { text: isByte && code > 0x7f ? '\ufffd' : String.fromCodePoint(code), end: at + match[0].length };
}
