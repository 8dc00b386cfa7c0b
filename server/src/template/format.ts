/** Go's package fmt over values of templates. What `printf` makes of a text knows where each part comes from. */

import { goBytes, runeCount } from '../gostd/bytes.ts';
import { formatGoDuration } from '../gostd/duration.ts';
import { formatFloat } from '../gostd/float.ts';
import { type FloatVerb, formatFloat64 } from '../gostd/floatFormat.ts';
import { isPrint, quote, quoteRune, quoteToAscii } from '../gostd/quote.ts';
import { type From, Joined, type Part, sliceOf } from './from.ts';
import { meterValue } from './meter.ts';
import {
  type Cell,
  cell,
  GoBytes,
  type GoFunc,
  GoList,
  GoMap,
  GoStruct,
  type GoValue,
  Int,
  isBytes,
  isNil,
  textOfBytes,
  typeName,
} from './value.ts';

/** What stands between `%` and the verb. */
interface Spec {
  verb: string;
  plus: boolean;
  minus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  /** `%#v` and `%+v`, which mean something else than with other verbs. */
  sharpV: boolean;
  plusV: boolean;
  width: number | undefined;
  precision: number | undefined;
}

function specOf(verb: string): Spec {
  return {
    verb,
    plus: false,
    minus: false,
    sharp: false,
    space: false,
    zero: false,
    sharpV: false,
    plusV: false,
    width: undefined,
    precision: undefined,
  };
}

const plainV: Spec = specOf('v');

/** `%v` of a value. */
export function printed(value: GoValue): string {
  if (typeof value === 'string') return value;
  return printArg(value, plainV);
}

/** `fmt.Sprint`: blanks between values of which neither is a text. */
export function sprint(cells: readonly Cell[]): Cell {
  const parts: Part[] = [];
  let wasText = true;
  for (const [i, one] of cells.entries()) {
    const isText = typeof one.value === 'string';
    if (i > 0 && !isText && !wasText) parts.push({ text: ' ', from: one.from });
    parts.push({ text: printed(one.value), from: one.from });
    wasText = isText;
  }
  return joined(parts);
}

/** `fmt.Sprintln`: blanks between all, and a line break behind them. */
export function sprintln(cells: readonly Cell[], from: From): Cell {
  const parts: Part[] = [];
  for (const [i, one] of cells.entries()) {
    if (i > 0) parts.push({ text: ' ', from });
    parts.push({ text: printed(one.value), from: one.from });
  }
  return joined([...parts, { text: '\n', from }]);
}

/** One text of several parts. */
export function joined(parts: readonly Part[]): Cell {
  return cell(parts.map(({ text }) => text).join(''), new Joined(parts));
}

/** `fmt.Sprintf`. */
export function sprintf(format: Cell, args: readonly Cell[]): Cell {
  const text = format.value as string;
  const reader = new Reader(text, format.from, args);
  for (let next = text.indexOf('%'); next !== -1; next = text.indexOf('%', reader.at)) {
    reader.literal(next);
    reader.at = next + 1;
    reader.directive();
  }
  reader.literal(text.length);
  reader.extra();
  return joined(reader.parts);
}

/** Go's bound of widths and precisions. */
const mostWidth = 1_000_000;

class Reader {
  readonly parts: Part[] = [];
  at = 0;
  private readonly text: string;
  private readonly from: From;
  private readonly args: readonly Cell[];
  private next = 0;
  private isReordered = false;
  private isGood = true;

  constructor(text: string, from: From, args: readonly Cell[]) {
    this.text = text;
    this.from = from;
    this.args = args;
  }

  literal(end: number): void {
    if (end > this.at) this.parts.push(sliceOf(this.text, this.from, this.at, end));
  }

  private write(text: string): void {
    this.parts.push({ text, from: this.from });
  }

  directive(): void {
    const spec = specOf('');
    this.isGood = true;
    this.flags(spec);
    let isAfterIndex = this.index();
    isAfterIndex = this.width(spec, isAfterIndex);
    isAfterIndex = this.precision(spec, isAfterIndex);
    if (!isAfterIndex) this.index();
    const point = this.text.codePointAt(this.at);
    spec.verb = point === undefined ? '' : String.fromCodePoint(point);
    this.at += spec.verb.length;
    const failure = this.failure(spec.verb);
    if (failure === undefined) this.argument(spec);
    else this.write(failure);
  }

  /** What is written where no argument is. */
  private failure(verb: string): string | undefined {
    if (verb === '') return '%!(NOVERB)';
    if (verb === '%') return '%';
    if (!this.isGood) return `%!${verb}(BADINDEX)`;
    return this.next >= this.args.length ? `%!${verb}(MISSING)` : undefined;
  }

  private argument(spec: Spec): void {
    if (spec.verb === 'v' || spec.verb === 'w') {
      spec.sharpV = spec.sharp;
      spec.plusV = spec.plus;
      spec.sharp = false;
      spec.plus = false;
    }
    const arg = this.args[this.next++]!;
    for (const part of partsOf(arg, spec, this.from)) this.parts.push(part);
  }

  private flags(spec: Spec): void {
    for (; ; this.at++) {
      const name = flagNames.get(this.text[this.at] ?? '');
      if (name === undefined) return;
      spec[name] = true;
    }
  }

  /** `[n]`, which chooses the argument. */
  private index(): boolean {
    if (this.text[this.at] !== '[') return false;
    this.isReordered = true;
    const close = this.text.indexOf(']', this.at);
    if (close === -1) {
      this.isGood = false;
      this.at++;
      return false;
    }
    const digits = this.text.slice(this.at + 1, close);
    this.at = close + 1;
    const chosen = /^\d+$/.test(digits) && Number(digits) <= mostWidth ? Number(digits) - 1 : undefined;
    if (chosen !== undefined && chosen >= 0 && chosen < this.args.length) {
      this.next = chosen;
      return true;
    }
    this.isGood = false;
    return chosen !== undefined;
  }

  private number(): number | undefined {
    const start = this.at;
    while (/\d/.test(this.text[this.at] ?? '')) this.at++;
    if (start === this.at) return undefined;
    const value = Number(this.text.slice(start, this.at));
    return value > mostWidth ? undefined : value;
  }

  /** `*`: the next argument. */
  private fromArgument(): number | undefined {
    const value = this.args[this.next]?.value;
    if (this.next < this.args.length) this.next++;
    if (!(value instanceof Int) || value.value > mostWidth || value.value < -mostWidth) return undefined;
    return Number(value.value);
  }

  private width(spec: Spec, isAfterIndex: boolean): boolean {
    if (this.text[this.at] !== '*') {
      spec.width = this.number();
      if (isAfterIndex && spec.width !== undefined) this.isGood = false;
      return isAfterIndex;
    }
    this.at++;
    const width = this.fromArgument();
    if (width === undefined) this.write('%!(BADWIDTH)');
    if (width !== undefined && width < 0) {
      spec.minus = true;
      spec.zero = false;
    }
    spec.width = width === undefined ? undefined : Math.abs(width);
    return false;
  }

  private precision(spec: Spec, isAfterIndex: boolean): boolean {
    if (this.text[this.at] !== '.' || this.at + 1 >= this.text.length) return isAfterIndex;
    this.at++;
    if (isAfterIndex) this.isGood = false;
    const isChosen = this.index();
    if (this.text[this.at] !== '*') {
      spec.precision = this.number() ?? 0;
      return isChosen;
    }
    this.at++;
    const precision = this.fromArgument();
    spec.precision = precision !== undefined && precision >= 0 ? precision : undefined;
    if (spec.precision === undefined) this.write('%!(BADPREC)');
    return false;
  }

  /** What Go says of arguments that no verb used. */
  extra(): void {
    if (this.isReordered || this.next >= this.args.length) return;
    const rest = this.args
      .slice(this.next)
      .map(({ value }) => (isNil(value) ? '<nil>' : `${typeName(value)}=${printed(value)}`));
    this.write(`%!(EXTRA ${rest.join(', ')})`);
  }
}

const flagNames: ReadonlyMap<string, 'sharp' | 'zero' | 'plus' | 'minus' | 'space'> = new Map(
  Object.entries<'sharp' | 'zero' | 'plus' | 'minus' | 'space'>({
    '#': 'sharp',
    '0': 'zero',
    '+': 'plus',
    '-': 'minus',
    ' ': 'space',
  }),
);

/** A text as it is keeps its origin; all else comes from the value. */
function partsOf(arg: Cell, spec: Spec, from: From): Part[] {
  const { value } = arg;
  if (typeof value !== 'string' || spec.sharpV || (spec.verb !== 's' && spec.verb !== 'v')) {
    return [{ text: printArg(value, spec), from: arg.from }];
  }
  const text = cutTo(value, spec.precision);
  const pad = { text: padding(text, spec), from };
  const part = sliceOf(value, arg.from, 0, text.length);
  return spec.minus ? [part, pad] : [pad, part];
}

/** The first characters of a text. */
function cutTo(text: string, precision: number | undefined): string {
  if (precision === undefined || text.length <= precision) return text;
  return Array.from(text).slice(0, precision).join('');
}

function padding(text: string, { width, zero, minus }: Spec): string {
  return (zero && !minus ? '0' : ' ').repeat(Math.max(0, (width ?? 0) - runeCount(text)));
}

function padded(text: string, spec: Spec): string {
  const pad = padding(text, spec);
  return spec.minus ? text + pad : pad + text;
}

function paddedWithBlanks(text: string, spec: Spec): string {
  return padded(text, { ...spec, zero: false });
}

function printArg(value: GoValue, spec: Spec): string {
  if (isNil(value)) return spec.verb === 'T' || spec.verb === 'v' ? padded('<nil>', spec) : badVerb(value, spec);
  if (spec.verb === 'T') return paddedText(typeName(value), spec);
  return printValue(value, spec);
}

function badVerb(value: GoValue, spec: Spec): string {
  if (isNil(value)) return `%!${spec.verb}(<nil>)`;
  return `%!${spec.verb}(${typeName(value)}=${printValue(value, { ...spec, verb: 'v' }, true)})`;
}

function printValue(value: GoValue, spec: Spec, isBad = false): string {
  if (typeof value === 'string') return printText(value, spec);
  if (typeof value === 'number') return printFloat(value, spec);
  if (typeof value === 'boolean')
    return spec.verb === 't' || spec.verb === 'v' ? padded(String(value), spec) : badVerb(value, spec);
  if (value instanceof Int) return isBad ? printInt(value, spec) : printNamedInt(value, spec);
  if (value instanceof GoMap) return printMap(value, spec);
  if (value instanceof GoList) return printList(value, spec);
  if (value instanceof GoStruct) return printStruct(value, spec);
  return printFunc(value as GoFunc, spec);
}

function printFunc(value: GoFunc, spec: Spec): string {
  // Go prints where it is in memory, which nobody can know.
  return spec.verb === 'v' || spec.verb === 'p' ? '0x0' : badVerb(value, spec);
}

/** A struct with a method String is printed as the text of that by all verbs for texts. */
function printStruct(value: GoStruct, spec: Spec): string {
  return 'vsxXq'.includes(spec.verb) && !spec.sharpV ? printText(value.print(), spec) : value.print();
}

function printText(text: string, spec: Spec): string {
  switch (spec.verb) {
    case 'v':
      return spec.sharpV ? quoted(text, spec) : paddedText(text, spec);
    case 's':
      return paddedText(text, spec);
    case 'q':
      return quoted(text, spec);
    case 'x':
    case 'X':
      return hexOf(goBytes(text), spec);
    default:
      return badVerb(text, spec);
  }
}

function paddedText(text: string, spec: Spec): string {
  return padded(cutTo(text, spec.precision), spec);
}

const backquotable = /^[^`\p{Cc}\ufeff\p{Cs}]*$/u;

function quoted(text: string, spec: Spec): string {
  const cut = cutTo(text, spec.precision);
  if ((spec.sharp || spec.sharpV) && backquotable.test(cut.replaceAll('\t', ''))) {
    return padded(spec.sharpV ? quote(cut) : `\`${cut}\``, spec);
  }
  return padded(spec.plus ? quoteToAscii(cut) : quote(cut), spec);
}

function hexOf(bytes: Uint8Array, spec: Spec): string {
  const shown = spec.precision === undefined ? bytes : bytes.subarray(0, spec.precision);
  const prefix = spec.sharp ? '0x' : '';
  const digits = Array.from(shown, (byte) => byte.toString(16).padStart(2, '0'));
  let text =
    digits.length === 0 ? '' : spec.space ? digits.map((two) => prefix + two).join(' ') : prefix + digits.join('');
  if (spec.verb === 'X') text = text.toUpperCase();
  return padded(text, spec);
}

/** Types that have a method String. */
function printNamedInt(value: Int, spec: Spec): string {
  const name = value.type === 'time.Duration' ? formatGoDuration(value.value) : namesOf(value);
  return name !== undefined && !spec.sharpV && 'vsxXq'.includes(spec.verb)
    ? printText(name, spec)
    : printInt(value, spec);
}

const months = 'January February March April May June July August September October November December'.split(' ');
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

function namesOf({ type, value }: Int): string | undefined {
  if (type === 'time.Month') return months[Number(value) - 1] ?? `%!Month(${value})`;
  return type === 'time.Weekday' ? (weekdays[Number(value)] ?? `%!Weekday(${value})`) : undefined;
}

const bases: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({ v: 10, d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 }),
);
const largestRune = 0x10ffffn;

function printInt(value: Int, spec: Spec): string {
  const base = bases.get(spec.verb);
  const isUnsigned = value.type.startsWith('uint');
  if (base !== undefined) {
    if (spec.verb === 'v' && spec.sharpV && isUnsigned) return integer(value.value, 16, { ...spec, sharp: true });
    return integer(value.value, base, spec);
  }
  if (spec.verb === 'c') return padded(rune(value.value), spec);
  if (spec.verb === 'q') return padded(quoteRune(rune(value.value), spec.plus), spec);
  return spec.verb === 'U' ? unicode(BigInt.asUintN(64, value.value), spec) : badVerb(value, spec);
}

function rune(point: bigint): string {
  const isRune = point >= 0n && point <= largestRune && !(point >= 0xd800n && point <= 0xdfffn);
  return isRune ? String.fromCodePoint(Number(point)) : '\ufffd';
}

function unicode(point: bigint, spec: Spec): string {
  const digits = point
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(4, spec.precision ?? 0), '0');
  const shown = spec.sharp && point <= largestRune && isPrint(rune(point)) ? ` '${rune(point)}'` : '';
  return paddedWithBlanks(`U+${digits}${shown}`, spec);
}

function integer(value: bigint, base: number, spec: Spec): string {
  if (spec.precision === 0 && value === 0n) return ' '.repeat(spec.width ?? 0);
  const sign = value < 0n ? '-' : spec.plus ? '+' : spec.space ? ' ' : '';
  let digits = (value < 0n ? -value : value).toString(base);
  if (spec.verb === 'X') digits = digits.toUpperCase();
  const isZeroPadded = spec.zero && !spec.minus && spec.width !== undefined;
  const least = spec.precision ?? (isZeroPadded ? spec.width! - sign.length : 0);
  digits = digits.padStart(least, '0');
  if (spec.sharp) digits = basePrefix(base, digits, spec.verb) + digits;
  if (spec.verb === 'O') digits = `0o${digits}`;
  return paddedWithBlanks(sign + digits, spec);
}

function basePrefix(base: number, digits: string, verb: string): string {
  if (base === 2) return '0b';
  if (base === 8) return digits.startsWith('0') ? '' : '0';
  return base === 16 ? (verb === 'X' ? '0X' : '0x') : '';
}

const floatDefaults: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    v: -1,
    g: -1,
    G: -1,
    b: -1,
    x: -1,
    X: -1,
    f: 6,
    F: 6,
    e: 6,
    E: 6,
  }),
);

function printFloat(value: number, spec: Spec): string {
  const standard = floatDefaults.get(spec.verb);
  if (standard === undefined) return badVerb(value, spec);
  if (spec === plainV) return formatFloat(value);
  const verb = (spec.verb === 'v' ? 'g' : spec.verb) as FloatVerb;
  const precision = spec.precision ?? standard;
  let text = formatFloat64(value, verb, precision);
  if (!/^[+-]/.test(text)) text = `+${text}`;
  if (spec.space && text[0] === '+' && !spec.plus) text = ` ${text.slice(1)}`;
  if (/[IN]/.test(text[1]!)) return unreal(text, spec);
  if (spec.sharp && verb !== 'b') text = withPoint(text, verb, precision);
  return signed(text, spec);
}

function unreal(text: string, spec: Spec): string {
  const isBare = (text[1] === 'N' && !spec.space && !spec.plus) || (text[0] === '+' && !spec.plus);
  return paddedWithBlanks(isBare ? text.slice(1) : text, spec);
}

function signed(text: string, spec: Spec): string {
  if (!spec.plus && text[0] === '+') return padded(text.slice(1), spec);
  if (spec.zero && !spec.minus && spec.width !== undefined && spec.width > text.length) {
    return text[0] + text.slice(1).padStart(spec.width - 1, '0');
  }
  return padded(text, spec);
}

/** `#` asks for the point, and for the zeros behind it. */
function withPoint(text: string, verb: string, precision: number): string {
  const mark = text.search(/0x/i) < 0 ? /[ep]/i : /p/i;
  const tail = mark.test(text) ? text.slice(text.search(mark)) : '';
  let number = text.slice(0, text.length - tail.length);
  const wanted = 'gGx'.includes(verb) ? (precision === -1 ? 6 : precision) : 0;
  const seen = number.slice(1).replace('.', '').replace(/^0+/, '').length;
  const isZero = number.length === 2 && number[1] === '0';
  if (!number.includes('.')) number += '.';
  return number + '0'.repeat(Math.max(0, wanted - seen - (isZero ? 1 : 0))) + tail;
}

/** A value inside of a list or a map: of no value, only that is said. */
function inner(value: GoValue, spec: Spec): string {
  if (!isNil(value)) return printValue(value, spec);
  return spec.sharpV ? 'interface {}(nil)' : '<nil>';
}

function printMap(value: GoMap, spec: Spec): string {
  meterValue();
  if (spec.verb === 'p') return '0x0';
  const entries = value.sorted().map(([key, one]) => `${printText(key, spec)}:${inner(one.value, spec)}`);
  return spec.sharpV ? `${value.type}{${entries.join(', ')}}` : `map[${entries.join(' ')}]`;
}

/** Whether it is %v alone. */
function isPlain({ verb, sharpV, plus, minus, width, precision }: Spec): boolean {
  return verb === 'v' && !sharpV && !plus && !minus && width === undefined && precision === undefined;
}

function printList(value: GoList, spec: Spec): string {
  meterValue();
  if (spec.verb === 'p') return '0x0';
  if (isBytes(value) && !spec.sharpV && 'sqxX'.includes(spec.verb)) return printText(textOfBytes(value), spec);
  // Whoever prints all that a template sees prints the bytes of all files.
  if (value instanceof GoBytes && isPlain(spec)) return value.numbers;
  const items = value.items.map((one) => inner(one.value, spec));
  return spec.sharpV ? `${value.type}{${items.join(', ')}}` : `[${items.join(' ')}]`;
}
