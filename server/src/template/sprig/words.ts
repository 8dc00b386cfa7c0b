/** Texts by their words: camel case and its like, initials, wrapping. */
import { goBytes, goText } from '../../gostd/bytes.ts';
import { isLower, isSpace, isUpper, lowerOf, titleOf, upperOf, wellFormed } from '../../gostd/letters.ts';
import { plain } from '../functions.ts';
import type { Call, Int } from '../value.ts';

export const words = [
  plain('snakecase(string) string', ([text]: [string]) => lowerWords(wellFormed(text), '_')),
  plain('kebabcase(string) string', ([text]: [string]) => lowerWords(wellFormed(text), '-')),
  plain('camelcase(string) string', ([text]: [string]) => pascalCase(wellFormed(text))),
  plain('untitle(string) string', ([text]: [string]) => untitled(wellFormed(text))),
  plain('swapcase(string) string', ([text]: [string]) => swapped(wellFormed(text))),
  plain('nospace(string) string', ([text]: [string]) => [...wellFormed(text)].filter((one) => !isSpace(one)).join('')),
  plain('initials(string) string', ([text]: [string]) => initials(text)),
  plain('wrap(int, string) string', ([width, text]: [Int, string], call: Call) =>
    wrapped(text, { width: Number(width.value), mark: '\n', breaksWords: false }, call),
  ),
  plain('wrapWith(int, string, string) string', ([width, mark, text]: [Int, string, string], call: Call) =>
    wrapped(text, { width: Number(width.value), mark: mark === '' ? '\n' : mark, breaksWords: true }, call),
  ),
];

type Kind = 'connector' | 'punctuation' | 'upper' | 'letters' | 'number' | 'other';

interface Word {
  readonly kind: Kind;
  readonly text: string;
}

const space = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
/** Letters of CJK are no words of an alphabet. */
const cjk = '\\u3400-\\u4d85\\u4e00-\\u9fcc\\u{20000}-\\u{2b81d}';
const lowerLetter = `(?![\\p{Lu}${cjk}])\\p{L}`;

/** In the order in which a word is asked what it is. Of several capitals, the last belongs to the letters behind it. */
const kinds: readonly (readonly [Kind, RegExp])[] = [
  ['connector', new RegExp(`[-_${space}]+`, 'uy')],
  ['punctuation', /\p{P}+/uy],
  ['upper', new RegExp(`\\p{Lu}(?:${lowerLetter})+|\\p{Lu}+(?=\\p{Lu}${lowerLetter})|\\p{Lu}+`, 'uy')],
  ['letters', new RegExp(`(?:${lowerLetter})+`, 'uy')],
  ['number', /\p{N}+/uy],
  ['other', new RegExp(`(?:(?![-_${space}\\p{N}\\p{P}]|\\p{Lu}|${lowerLetter})[\\s\\S])+`, 'uy')],
];

function wordsOf(text: string): Word[] {
  const found: Word[] = [];
  for (let at = 0; at < text.length; ) {
    const word = wordAt(text, at);
    found.push(word);
    at += word.text.length;
  }
  return found;
}

function wordAt(text: string, at: number): Word {
  for (const [kind, pattern] of kinds) {
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0];
    if (match !== undefined) return { kind, text: match };
  }
  return { kind: 'other', text: String.fromCodePoint(text.codePointAt(at)!) };
}

/** Words in lower case with a connector between them; digits stay with what they follow, or with what follows them. */
function lowerWords(text: string, connector: string): string {
  const all = wordsOf(text);
  const lower = (word: Word | undefined) => (word ? lowered(word, connector) : '');
  let out = '';
  let at = 0;
  const connect = () => {
    const next = all[at]?.kind;
    if (next !== undefined && next !== 'connector' && next !== 'punctuation') out += connector;
  };
  const glue = () => {
    for (; all[at]?.kind === 'letters' || all[at]?.kind === 'number'; at++) out += lower(all[at]);
  };
  while (at < all.length - 1) {
    const word = all[at++]!;
    out += lower(word);
    if (word.kind === 'number') {
      glue();
      connect();
    } else if (word.kind !== 'connector' && word.kind !== 'punctuation') {
      if (all[at]!.kind !== 'number') connect();
      else if (at < all.length - 1) {
        const digits = lower(all[at++]);
        if (all[at]!.kind === 'letters') {
          out += connector + digits;
          glue();
        } else out += digits;
        connect();
      }
    }
  }
  return out + lower(all[at]);
}

function lowered({ kind, text }: Word, connector: string): string {
  if (kind === 'connector') return connector.repeat([...text].length);
  return kind === 'upper' ? Array.from(text, (one) => (isUpper(one) ? lowerOf(one) : one)).join('') : text;
}

function isConnector(character: string | undefined): boolean {
  return character !== undefined && (character === '-' || character === '_' || isSpace(character));
}

/** Connectors between words go, and the letter behind one becomes a capital. */
function pascalCase(text: string): string {
  const all = [...text];
  let start = 0;
  while (start < all.length && isConnector(all[start])) start++;
  // The library writes the last of nothing but connectors twice.
  if (start >= all.length) return text + (all.at(-1) ?? '');
  let out = all.slice(0, start).join('');
  let isCapital = isUpper(all[start]!);
  let current = upperOf(all[start]!);
  for (const next of all.slice(start + 1)) {
    const before = current;
    current = next;
    if (isConnector(next) && isConnector(before)) {
      out += before;
      continue;
    }
    if (isConnector(before)) {
      isCapital = isUpper(next);
      current = upperOf(next);
      continue;
    }
    if (isCapital && isUpper(next)) current = lowerOf(next);
    else if (isCapital) isCapital = false;
    out += before;
  }
  return out + current;
}

function untitled(text: string): string {
  let isFirst = true;
  return Array.from(text, (one) => {
    const made = isFirst && !isSpace(one) ? lowerOf(one) : one;
    isFirst = isSpace(one);
    return made;
  }).join('');
}

function swapped(text: string): string {
  let isAfterSpace = true;
  return Array.from(text, (one) => {
    const wasAfterSpace = isAfterSpace;
    isAfterSpace = false;
    if (isUpper(one) || /^\p{Lt}$/u.test(one)) return lowerOf(one);
    if (isLower(one)) return wasAfterSpace ? titleOf(one) : upperOf(one);
    isAfterSpace = isSpace(one);
    return one;
  }).join('');
}

/** The library looks at bytes, and takes each for a letter. */
function initials(text: string): string {
  let isAfterGap = true;
  let out = '';
  for (const byte of goBytes(text)) {
    const letter = String.fromCharCode(byte);
    const isGap = isSpace(letter);
    if (!isGap && isAfterGap) out += letter;
    isAfterGap = isGap;
  }
  return out;
}

interface Wrapping {
  readonly width: number;
  readonly mark: string;
  /** Whether a word that is longer than a line is broken. */
  readonly breaksWords: boolean;
}

/** Lines of at most so many bytes, broken at blanks. */
function wrapped(text: string, { width, mark, breaksWords }: Wrapping, call: Call): string {
  const most = Math.max(1, width);
  const bytes = goBytes(text);
  call.spend(bytes.length * (1 + mark.length));
  const lines: string[] = [];
  const take = (from: number, to: number) => goText(bytes.subarray(from, to));
  let at = 0;
  while (bytes.length - at > most) {
    if (bytes[at] === blank) {
      at++;
      continue;
    }
    const last = bytes.subarray(at, most + at + 1).lastIndexOf(blank) + at;
    if (last >= at) {
      lines.push(take(at, last));
      at = last + 1;
    } else if (breaksWords) {
      lines.push(take(at, at + most));
      at += most;
    } else {
      const next = bytes.indexOf(blank, at + most);
      if (next === -1) break;
      lines.push(take(at, next));
      at = next + 1;
    }
  }
  return [...lines, take(at, bytes.length)].join(mark);
}

const blank = 0x20;
