/** Anchors, aliases, tags and directives. */
import { breakLength, hexValue, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, isDigit, isWord } from './chars.ts';
import { type Directive, fail, type Scan } from './scanState.ts';

const BANG = 33;
/** What may end a name beside blanks: ? : , ] } % @ ` */
const afterName = new Set([63, 58, 44, 93, 125, 37, 64, 96]);
const uriMarks = new Set([...";/?:@&=+$,.!~*'()[]%"].map((c) => c.charCodeAt(0)));

function words(s: Scan): string {
  const start = s.pos;
  while (isWord(s.text.charCodeAt(s.pos))) s.pos++;
  return s.text.slice(start, s.pos);
}

function blanks(s: Scan): void {
  while (isBlank(s.text.charCodeAt(s.pos))) s.pos++;
}

/** The name of an anchor or alias; the place is its `&` or `*`. */
export function scanName(s: Scan): string {
  s.pos++;
  const name = words(s);
  const c = s.text.charCodeAt(s.pos);
  if (name === '' || !(isBlankOrEnd(c) || afterName.has(c))) {
    fail(s, 'did not find expected alphabetic or numeric character');
  }
  return name;
}

export function scanTag(s: Scan): { handle: string; suffix: string } {
  const tag = s.text.charCodeAt(s.pos + 1) === 60 ? verbatimTag(s) : shortTag(s);
  if (!s.failed && !isBlankOrEnd(s.text.charCodeAt(s.pos))) fail(s, 'did not find expected whitespace or line break');
  return tag;
}

function verbatimTag(s: Scan): { handle: string; suffix: string } {
  s.pos += 2;
  const suffix = uri(s, '');
  if (s.failed) return { handle: '', suffix };
  if (s.text.charCodeAt(s.pos) === 62) s.pos++;
  else fail(s, "did not find the expected '>'");
  return { handle: '', suffix };
}

function shortTag(s: Scan): { handle: string; suffix: string } {
  const handle = tagHandle(s);
  if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: uri(s, '') };
  const suffix = uri(s, handle);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
}

function tagHandle(s: Scan): string {
  const start = s.pos;
  s.pos++;
  words(s);
  if (s.text.charCodeAt(s.pos) === BANG) s.pos++;
  return s.text.slice(start, s.pos);
}

function uri(s: Scan, head: string): string {
  let out = head.slice(1);
  const start = s.pos;
  for (let c = s.text.charCodeAt(s.pos); isWord(c) || uriMarks.has(c); c = s.text.charCodeAt(s.pos)) {
    if (c === 37) {
      const escaped = uriEscape(s);
      if (escaped === undefined) return out;
      out += escaped;
    } else {
      out += String.fromCharCode(c);
      s.pos++;
    }
  }
  if (head === '' && s.pos === start) fail(s, 'did not find expected tag URI');
  return out;
}

function octetLength(octet: number): number {
  if (octet < 0x80) return 1;
  if ((octet & 0xe0) === 0xc0) return 2;
  if ((octet & 0xf0) === 0xe0) return 3;
  return (octet & 0xf8) === 0xf0 ? 4 : 0;
}

/** One character written as `%XX` octets of its UTF-8 form; undefined after an error. */
function uriEscape(s: Scan): string | undefined {
  const octets: number[] = [];
  for (let left = 1; left > 0; left--) {
    const high = hexValue(s.text.charCodeAt(s.pos + 1));
    const low = hexValue(s.text.charCodeAt(s.pos + 2));
    if (s.text.charCodeAt(s.pos) !== 37 || high < 0 || low < 0) return badEscape(s, 'did not find URI escaped octet');
    const octet = high * 16 + low;
    if (octets.length > 0 && (octet & 0xc0) !== 0x80) return badEscape(s, 'found an incorrect trailing UTF-8 octet');
    if (octets.length === 0) left = octetLength(octet);
    if (left === 0) return badEscape(s, 'found an incorrect leading UTF-8 octet');
    octets.push(octet);
    s.pos += 3;
  }
  return new TextDecoder().decode(Uint8Array.from(octets));
}

function badEscape(s: Scan, text: string): undefined {
  fail(s, text);
  s.pos++;
  return undefined;
}

/** `%YAML 1.1` or `%TAG ! prefix`; the tolerant reading steps over the rest of a line that it cannot read. */
export function scanDirective(s: Scan): Directive | undefined {
  s.pos++;
  const name = words(s);
  let directive: Directive | undefined;
  if (name === '') fail(s, 'could not find expected directive name');
  else if (!isBlankOrEnd(s.text.charCodeAt(s.pos))) fail(s, 'found unexpected non-alphabetical character');
  else if (name === 'YAML') directive = versionDirective(s);
  else if (name === 'TAG') directive = tagDirective(s);
  else fail(s, 'found unknown directive name');
  if (s.failed) return undefined;
  finishLine(s);
  return directive;
}

function versionDirective(s: Scan): Directive | undefined {
  blanks(s);
  const major = versionNumber(s);
  if (s.failed) return undefined;
  if (s.text.charCodeAt(s.pos) !== 46) {
    fail(s, "did not find expected digit or '.' character");
    return undefined;
  }
  s.pos++;
  return { version: `${major}.${versionNumber(s)}` };
}

function versionNumber(s: Scan): number {
  const start = s.pos;
  while (isDigit(s.text.charCodeAt(s.pos))) {
    if (s.pos - start === 2) {
      fail(s, 'found extremely long version number');
      return 0;
    }
    s.pos++;
  }
  if (s.pos === start) fail(s, 'did not find expected version number');
  return Number(s.text.slice(start, s.pos));
}

function tagDirective(s: Scan): Directive | undefined {
  blanks(s);
  if (s.text.charCodeAt(s.pos) !== BANG) return noDirective(s, "did not find expected '!'");
  const handle = tagHandle(s);
  if (handle !== '!' && !handle.endsWith('!')) return noDirective(s, "did not find expected '!'");
  if (!isBlank(s.text.charCodeAt(s.pos))) return noDirective(s, 'did not find expected whitespace');
  blanks(s);
  const prefix = uri(s, '');
  if (s.failed) return undefined;
  if (!isBlankOrEnd(s.text.charCodeAt(s.pos))) return noDirective(s, 'did not find expected whitespace or line break');
  return { handle, prefix };
}

function noDirective(s: Scan, text: string): undefined {
  fail(s, text);
  return undefined;
}

function finishLine(s: Scan): void {
  blanks(s);
  if (s.text.charCodeAt(s.pos) === 35) while (!isBreakOrEnd(s.text.charCodeAt(s.pos))) s.pos++;
  if (!isBreakOrEnd(s.text.charCodeAt(s.pos))) {
    if (!fail(s, 'did not find expected comment or line break')) return;
    while (!isBreakOrEnd(s.text.charCodeAt(s.pos))) s.pos++;
  }
  if (!isBreak(s.text.charCodeAt(s.pos))) return;
  s.pos += breakLength(s.text, s.pos);
  s.line++;
  s.lineStart = s.pos;
}
