import { codePoint } from '../../../gostd/quote.ts';
import type { Report } from './numbers.ts';

// Strings and characters in quotes, of which Go reads every escape.

/** Where a string in double quotes ends; without a closing one at the end of its line. */
export function stringEnd(text: string, start: number, report: Report): number {
  const escapes = new Escapes(text, '"', report);
  let at = start + 1;
  for (;;) {
    const char = text[at];
    if (char === undefined || char === '\n') {
      report(start, 'string literal not terminated');
      return at;
    }
    at++;
    if (char === '"') return at;
    if (char === '\\') at = escapes.behind(at).end;
  }
}

export function characterEnd(text: string, start: number, report: Report): number {
  const escapes = new Escapes(text, "'", report);
  let isRight = true;
  let count = 0;
  let at = start + 1;
  for (; ; count++) {
    const char = text.codePointAt(at);
    if (char === undefined || char === 10) {
      if (isRight) report(start, 'rune literal not terminated');
      return at;
    }
    at += char > 0xffff ? 2 : 1;
    if (char === 39) break;
    if (char !== 92) continue;
    const escape = escapes.behind(at);
    isRight &&= escape.isRight;
    at = escape.end;
  }
  if (isRight && count !== 1) report(start, 'illegal rune literal');
  return at;
}

/** How many digits there are behind a letter, of which base, and what they may come to. */
const numbered: ReadonlyMap<string, readonly [digits: number, base: number, most: number]> = new Map([
  ['x', [2, 16, 255]],
  ['u', [4, 16, 0x10ffff]],
  ['U', [8, 16, 0x10ffff]],
]);

interface Escape {
  readonly end: number;
  readonly isRight: boolean;
}

class Escapes {
  private readonly text: string;
  private readonly mark: string;
  private readonly report: Report;

  constructor(text: string, mark: string, report: Report) {
    this.text = text;
    this.mark = mark;
    this.report = report;
  }

  /** What follows a backslash; where it is wrong, up to what is wrong. */
  behind(start: number): Escape {
    const char = this.text[start];
    if (char === undefined) return this.wrong(start, 'escape sequence not terminated');
    if (/[abfnrtv\\]/.test(char) || char === this.mark) return { end: start + 1, isRight: true };
    if (/[0-7]/.test(char)) return this.number(start, start, [3, 8, 255]);
    const kind = numbered.get(char);
    return kind ? this.number(start, start + 1, kind) : this.wrong(start, 'unknown escape sequence');
  }

  private number(start: number, from: number, [digits, base, most]: readonly [number, number, number]): Escape {
    let value = 0;
    for (let at = from; at < from + digits; at++) {
      const digit = Number.parseInt(this.text[at] ?? '', base);
      if (Number.isNaN(digit)) return this.wrong(at, this.whyNoDigit(at));
      value = value * base + digit;
    }
    const end = from + digits;
    if (value <= most && !(value >= 0xd800 && value < 0xe000)) return { end, isRight: true };
    this.report(start, 'escape sequence is invalid Unicode code point');
    return { end, isRight: false };
  }

  private whyNoDigit(at: number): string {
    const code = this.text.codePointAt(at);
    return code === undefined
      ? 'escape sequence not terminated'
      : `illegal character ${codePoint(String.fromCodePoint(code))} in escape sequence`;
  }

  private wrong(at: number, message: string): Escape {
    this.report(at, message);
    return { end: at, isRight: false };
  }
}
