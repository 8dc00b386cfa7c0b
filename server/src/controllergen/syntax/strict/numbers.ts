import { quoteRune } from '../../../gostd/quote.ts';

/** Says what is wrong, and where. */
export type Report = (at: number, message: string) => void;

export interface NumberFound {
  readonly kind: 'INT' | 'FLOAT' | 'IMAG';
  readonly end: number;
}

const hexadecimal = /(0[xX])([0-9a-fA-F_]*)(?:(\.)([0-9a-fA-F_]*))?(?:([eEpP])[+-]?([0-9_]*))?(i)?/y;
const others = /(0[oObB])?([0-9_]*)(?:(\.)([0-9_]*))?(?:([eEpP])[+-]?([0-9_]*))?(i)?/y;

interface Literal {
  readonly text: string;
  readonly start: number;
  /** x, o or b; 0 where a zero is first, which means octal digits; empty for decimals. */
  readonly prefix: string;
  readonly whole: string;
  readonly point: boolean;
  readonly fraction: string;
  readonly exponent: string;
  readonly power: string;
}

/** The number that begins at a digit, or at a point before one. */
export function numberAt(text: string, start: number, report: Report): NumberFound {
  const pattern = /^0[xX]/.test(text.slice(start, start + 2)) ? hexadecimal : others;
  pattern.lastIndex = start;
  const [all = '', base = '', whole = '', point, fraction = '', exponent = '', power = '', imaginary] =
    pattern.exec(text) ?? [];
  const prefix = base !== '' ? base[1]!.toLowerCase() : whole.startsWith('0') ? '0' : '';
  const isFloat = point !== undefined || exponent !== '';
  const literal = { text: all, start, prefix, whole, point: point !== undefined, fraction, exponent, power };
  const kind = imaginary !== undefined ? 'IMAG' : isFloat ? 'FLOAT' : 'INT';
  partsOf(literal, report);
  if (kind === 'INT') digitsOf(literal, report);
  separatorsOf(literal, report);
  return { kind, end: start + all.length };
}

const names: ReadonlyMap<string, string> = new Map([
  ['x', 'hexadecimal'],
  ['o', 'octal'],
  ['0', 'octal'],
  ['b', 'binary'],
]);

/** What Go calls a number in messages, by the letter that says its base. */
export function literalName(prefix: string): string {
  return `${names.get(prefix) ?? 'decimal'} literal`;
}

function partsOf(literal: Literal, report: Report): void {
  const { start, prefix, whole, point, fraction, exponent, power } = literal;
  const dot = start + (/[xob]/.test(prefix) ? 2 : 0) + whole.length;
  const behind = dot + (point ? 1 + fraction.length : 0);
  if (point && /[ob]/.test(prefix)) report(dot, `invalid radix point in ${literalName(prefix)}`);
  if (prefix !== '0' && !hasDigit(whole + fraction)) report(behind, `${literalName(prefix)} has no digits`);
  if (exponent === '') {
    if (point && prefix === 'x') report(behind, "hexadecimal mantissa requires a 'p' exponent");
    return;
  }
  const isPower = exponent.toLowerCase() === 'p';
  if (!isPower && /[xob]/.test(prefix)) report(behind, `${quoteRune(exponent)} exponent requires decimal mantissa`);
  if (isPower && prefix !== 'x') report(behind, `${quoteRune(exponent)} exponent requires hexadecimal mantissa`);
  const end = start + literal.text.replace(/i$/, '').length;
  if (!hasDigit(power)) report(end, 'exponent has no digits');
}

function hasDigit(text: string): boolean {
  return /[0-9a-fA-F]/.test(text);
}

function digitsOf({ text, start, prefix }: Literal, report: Report): void {
  if (prefix === '' || prefix === 'x') return;
  const behind = prefix === '0' ? 0 : 2;
  const found = text.slice(behind).search(prefix === 'b' ? /[2-9]/ : /[89]/);
  if (found === -1) return;
  const at = behind + found;
  report(start + at, `invalid digit ${quoteRune(text[at]!)} in ${literalName(prefix)}`);
}

function separatorsOf({ text, start, prefix }: Literal, report: Report): void {
  const digit = prefix === 'x' ? /[0-9a-fA-F]/ : /[0-9]/;
  const isBase = (at: number) => at === 1 && /[xob]/.test(prefix);
  for (let at = text.indexOf('_'); at !== -1; at = text.indexOf('_', at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + 1]];
    const isBehindDigit = digit.test(before) || isBase(at - 1);
    if (isBehindDigit && (after === '_' || digit.test(after))) continue;
    report(start + at, "'_' must separate successive digits");
    return;
  }
}
