/** Numbers. */
import { parseGoInt } from '../../gostd/parseInt.ts';
import { printed } from '../format.ts';
import { plain } from '../functions.ts';
import { GoError, type GoValue, Int } from '../value.ts';
import { toFloat64, toInt64 } from './cast.ts';

export const math = [
  plain('int(any) int', ([value]: [GoValue]) => new Int(toInt64(value))),
  plain('int64(any) int64', ([value]: [GoValue]) => int64(toInt64(value))),
  plain('float64(any) float64', ([value]: [GoValue]) => toFloat64(value)),
  plain('atoi(string) int', ([text]: [string]) => {
    const read = parseGoInt(text, 10);
    return new Int('value' in read ? read.value : 0n);
  }),
  plain('toDecimal(any) int64', ([value]: [GoValue]) => {
    const read = parseGoInt(printed(value), 8);
    return int64('error' in read ? 0n : read.value);
  }),
  plain('add1(any) int64', ([value]: [GoValue]) => int64(toInt64(value) + 1n)),
  plain('add(...any) int64', (values: GoValue[]) => int64(values.reduce((sum: bigint, one) => sum + toInt64(one), 0n))),
  plain('sub(any, any) int64', ([a, b]: [GoValue, GoValue]) => int64(toInt64(a) - toInt64(b))),
  plain('mul(any, ...any) int64', ([first, ...rest]: GoValue[]) =>
    int64(rest.reduce((product: bigint, one) => BigInt.asIntN(64, product * toInt64(one)), toInt64(first))),
  ),
  plain('div(any, any) int64', ([a, b]: [GoValue, GoValue]) => int64(toInt64(a) / divisor(b))),
  plain('mod(any, any) int64', ([a, b]: [GoValue, GoValue]) => int64(toInt64(a) % divisor(b))),
  ...['max', 'biggest'].map((name) =>
    plain(`${name}(any, ...any) int64`, (all: GoValue[]) => extreme(all, (a, b) => a > b)),
  ),
  plain('min(any, ...any) int64', (all: GoValue[]) => extreme(all, (a, b) => a < b)),
  plain('maxf(any, ...any) float64', (all: GoValue[]) => all.map(toFloat64).reduce((a, b) => Math.max(a, b))),
  plain('minf(any, ...any) float64', (all: GoValue[]) => all.map(toFloat64).reduce((a, b) => Math.min(a, b))),
  plain('floor(any) float64', ([value]: [GoValue]) => Math.floor(toFloat64(value))),
  plain('ceil(any) float64', ([value]: [GoValue]) => Math.ceil(toFloat64(value))),
  plain('round(any, int, ...float64) float64', ([value, places, on]: [GoValue, Int, number | undefined]) =>
    rounded(toFloat64(value), Number(places.value), on ?? 0.5),
  ),
  plain('add1f(any) float64', ([value]: [GoValue]) => exactly([value, 1], plus)),
  plain('addf(...any) float64', (values: GoValue[]) => exactly([0, ...values], plus)),
  plain('subf(any, ...any) float64', (values: GoValue[]) =>
    exactly(values, (a, b) => plus(a, { ...b, value: -b.value })),
  ),
  plain('mulf(any, ...any) float64', (values: GoValue[]) =>
    exactly(values, (a, b) => ({ value: a.value * b.value, scale: a.scale + b.scale })),
  ),
  plain('divf(any, ...any) float64', (values: GoValue[]) => exactly(values, divided)),
];

function int64(value: bigint): Int {
  return new Int(BigInt.asIntN(64, value), 'int64');
}

function divisor(value: GoValue): bigint {
  const by = toInt64(value);
  if (by === 0n) throw new GoError('runtime error: integer divide by zero');
  return by;
}

function extreme(values: readonly GoValue[], isBetter: (a: bigint, b: bigint) => boolean): Int {
  return int64(values.map(toInt64).reduce((best, one) => (isBetter(one, best) ? one : best)));
}

/** Sprig's own rounding: below zero, only what is behind the point of the absolute value counts as a fraction. */
function rounded(value: number, places: number, on: number): number {
  const power = 10 ** places;
  const digit = power * value;
  return (digit - Math.trunc(digit) >= on ? Math.ceil(digit) : Math.floor(digit)) / power;
}

/** A decimal number: `value` divided by ten to the power of `scale`. */
interface Decimal {
  readonly value: bigint;
  readonly scale: number;
}

/** Decimals, so that 0.1 and 0.2 are 0.3. */
function exactly(values: readonly GoValue[], step: (a: Decimal, b: Decimal) => Decimal): number {
  const { value, scale } = values.map((one) => decimalOf(toFloat64(one))).reduce(step);
  return Number(`${value}e${-scale}`);
}

function decimalOf(value: number): Decimal {
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
    throw new GoError(`Cannot create a Decimal from ${name}`);
  }
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const digits = mantissa.replace('.', '');
  return { value: BigInt(digits), scale: digits.replace('-', '').length - 1 - Number(exponent) };
}

function scaled({ value, scale }: Decimal, to: number): bigint {
  return value * 10n ** BigInt(to - scale);
}

function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { value: scaled(a, scale) + scaled(b, scale), scale };
}

/** How many decimals of a quotient are kept; the last one is rounded away from zero. */
const decimals = 16;

function divided(a: Decimal, b: Decimal): Decimal {
  if (b.value === 0n) throw new GoError('decimal division by 0');
  const shift = decimals + b.scale - a.scale;
  const above = shift >= 0 ? a.value * 10n ** BigInt(shift) : a.value;
  const below = shift >= 0 ? b.value : b.value * 10n ** BigInt(-shift);
  const quotient = above / below;
  const isUp = 2n * size(above % below) >= size(below);
  const sign = above < 0n === below < 0n ? 1n : -1n;
  return { value: isUp ? quotient + sign : quotient, scale: decimals };
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}
