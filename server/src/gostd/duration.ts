import { timeQuote } from './time.ts';

/** What Go's time.ParseDuration makes of a text: nanoseconds, or undefined. */
export function parseGoDuration(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  const rest = negative || text.startsWith('+') ? text.slice(1) : text;
  if (rest === '0') return 0n;
  const magnitude = rest === '' ? undefined : parts(rest);
  if (magnitude === undefined) return undefined;
  if (negative) return magnitude <= limit ? -magnitude : undefined;
  return magnitude < limit ? magnitude : undefined;
}

/** What Go says of a text that is not a duration. */
export function durationError(text: string): string {
  const number = /(?:\d+(?:\.\d*)?|\.\d+)/y;
  const unit = /[^.\d]*/y;
  for (let at = /^[+-]/.test(text) ? 1 : 0; at < text.length; at = unit.lastIndex) {
    number.lastIndex = at;
    if (!number.test(text)) break;
    unit.lastIndex = number.lastIndex;
    const name = unit.exec(text)![0];
    unit.lastIndex = number.lastIndex + name.length;
    if (name === '') return `time: missing unit in duration ${timeQuote(text)}`;
    if (!Object.hasOwn(units, name)) return `time: unknown unit ${timeQuote(name)} in duration ${timeQuote(text)}`;
  }
  return `time: invalid duration ${timeQuote(text)}`;
}

const limit = 2n ** 63n;
const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

function parts(text: string): bigint | undefined {
  const part = /(\d*)(?:\.(\d*))?([^\d.]+)/y;
  let sum = 0n;
  while (part.lastIndex < text.length) {
    const found = part.exec(text);
    if (!found) return undefined;
    const value = onePart(found[1]!, found[2], found[3]!);
    if (value === undefined) return undefined;
    sum += value;
    if (sum > limit) return undefined;
  }
  return sum;
}

function onePart(whole: string, fraction: string | undefined, unitName: string): bigint | undefined {
  const unit = Object.hasOwn(units, unitName) ? units[unitName] : undefined;
  if (unit === undefined || (whole === '' && (fraction ?? '') === '')) return undefined;
  const count = whole === '' ? 0n : BigInt(whole);
  if (count > limit / unit) return undefined;
  return count * unit + fractionPart(fraction ?? '', unit);
}

/** Go keeps as many digits as fit into an int64, and multiplies as float64. */
function fractionPart(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (value > (limit - 1n) / 10n || next > limit) break;
    value = next;
    scale *= 10;
  }
  return value === 0n ? 0n : BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** Go's Duration.String: `1h2m3.5s`, and `ms`, `µs` or `ns` below a second. */
export function formatGoDuration(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  const sign = nanos < 0n ? '-' : '';
  if (size === 0n) return '0s';
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${withFraction(size, 1_000n)}µs`;
  if (size < 1_000_000_000n) return `${sign}${withFraction(size, 1_000_000n)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${withFraction(size % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return sign + seconds;
  return minutes < 60n ? `${sign}${minutes}m${seconds}` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function withFraction(value: bigint, unit: bigint): string {
  const rest = (value % unit)
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '');
  return rest === '' ? `${value / unit}` : `${value / unit}.${rest}`;
}
