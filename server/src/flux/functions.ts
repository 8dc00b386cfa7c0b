/** What Flux's envsubst makes of a value: `${NAME^^}`, `${NAME/a/b}` and all others. */
import { goBytes, goLength, goText } from '../gostd/bytes.ts';
import { lowerOf, toLower, toUpper, upperOf, wellFormed } from '../gostd/letters.ts';
import { parseGoInt } from '../gostd/parseInt.ts';
import { BadPattern, type Budget, bytesOf, matches } from './match.ts';

type Make = (value: string, args: readonly string[], budget: Budget) => string;

const functions: ReadonlyMap<string, Make> = new Map<string, Make>([
  [',', (value) => withFirst(value, lowerOf)],
  [',,', toLower],
  ['^', (value) => withFirst(value, upperOf)],
  ['^^', toUpper],
  [
    '#',
    (value, args, budget) => (args.length === 0 ? String(goLength(value)) : trimmed(value, args, 'shortest', budget)),
  ],
  ['##', (value, args, budget) => trimmed(value, args, 'longest', budget)],
  ['%', (value, args, budget) => trimmedEnd(value, args, 'shortest', budget)],
  ['%%', (value, args, budget) => trimmedEnd(value, args, 'longest', budget)],
  [':', partOf],
  ['/', (value, [from = '', to = '']) => replaced(value, from, to, false)],
  ['//', (value, [from = '', to = '']) => replaced(value, from, to, true)],
  [
    '/#',
    (value, args) =>
      args.length === 2 && value.startsWith(args[0]!) ? replaced(value, args[0]!, args[1]!, false) : value,
  ],
  [
    '/%',
    (value, args) =>
      args.length === 2 && value.endsWith(args[0]!) ? value.slice(0, value.length - args[0]!.length) + args[1]! : value,
  ],
]);

/** The value with what an operator makes of it; what none knows gives the default. */
export function made(op: string, value: string, args: readonly string[], budget: Budget): string {
  const make = functions.get(op);
  // A part of a character may be in others, which JavaScript's texts do not know.
  if (op.startsWith('/') && [value, ...args].some((text) => /\p{Cs}/u.test(text))) {
    const [bytes, ...others] = [value, ...args].map(bytesOf);
    return goText(Uint8Array.from(make!(bytes!, others, budget), (byte) => byte.charCodeAt(0)));
  }
  return make ? make(value, args, budget) : value === '' ? args.join('') : value;
}

function withFirst(value: string, change: (character: string) => string): string {
  if (value === '') return value;
  const first = String.fromCodePoint(value.codePointAt(0)!);
  return change(first) + value.slice(first.length);
}

/** By bytes, as Go cuts texts. Numbers that are none leave the value as it is. */
function partOf(value: string, args: readonly string[]): string {
  const [from, length] = args.map(numberIn);
  if (args.length === 0 || from === undefined) return value;
  const bytes = goBytes(value);
  const start = from < 0 ? Math.max(0, bytes.length + from) : from;
  if (args.length === 1) return start < bytes.length ? goText(bytes.slice(start)) : '';
  if (length === undefined) return value;
  const end = length < 0 ? bytes.length + length : Math.min(start + length, bytes.length);
  return end < start ? '' : goText(bytes.slice(start, end));
}

function numberIn(text: string): number | undefined {
  const read = parseGoInt(text, 10);
  return 'error' in read ? undefined : Number(read.value);
}

function replaced(value: string, from: string, to: string, all: boolean): string {
  if (from !== '') return all ? value.replaceAll(from, () => to) : value.replace(from, () => to);
  return all ? to + Array.from(value, (character) => character + to).join('') : to + value;
}

type Which = 'shortest' | 'longest';

/** Without what a pattern fits at the beginning. */
function trimmed(value: string, args: readonly string[], which: Which, budget: Budget): string {
  if (args.length === 0) return value;
  const [bytes, pattern] = [bytesOf(value), bytesOf(args[0]!)];
  try {
    const cut = fitting(bytes, pattern, which, budget);
    return cut === 0 ? value : goText(goBytes(value).slice(cut));
  } catch (error) {
    if (error instanceof BadPattern) return value;
    throw error;
  }
}

/** How many bytes of the beginning a pattern fits: the program tries the longest first, and one that means nothing throws. */
function fitting(bytes: string, pattern: string, which: Which, budget: Budget): number {
  let found = 0;
  for (let end = bytes.length; end > 0; end--) {
    if (!matches(pattern, bytes.slice(0, end), budget)) continue;
    found = end;
    if (which === 'longest') break;
  }
  return found;
}

function trimmedEnd(value: string, args: readonly string[], which: Which, budget: Budget): string {
  return args.length === 0 ? value : backwards(trimmed(backwards(value), [backwards(args[0]!)], which, budget));
}

/** Character by character: bytes that are none become a sign for that. */
function backwards(text: string): string {
  return Array.from(wellFormed(text)).reverse().join('');
}
