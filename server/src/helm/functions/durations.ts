/** Durations of texts and numbers, which count seconds. */
import { parseGoDuration } from '../../gostd/duration.ts';
import { parseGoFloat } from '../../gostd/parseFloat.ts';
import { quote } from '../../gostd/quote.ts';
import { trimSpace } from '../../gostd/trim.ts';
import { printed } from '../../template/format.ts';
import { plain } from '../../template/functions.ts';
import { orElse } from '../../template/sprig/encoding.ts';
import { GoError, type GoValue, Int, typeName } from '../../template/value.ts';

const second = 1_000_000_000n;
const most = 2n ** 63n - 1n;

export const durationFunctions = [
  plain('mustToDuration(any) time.Duration', ([value]: [GoValue]) => duration(durationOf(value))),
  whole('durationMilliseconds', 1_000_000n),
  whole('durationMicroseconds', 1000n),
  whole('durationNanoseconds', 1n),
  fraction('durationSeconds', (nanoseconds) => inUnits(nanoseconds, second)),
  fraction('durationMinutes', (nanoseconds) => inUnits(nanoseconds, 60n * second)),
  fraction('durationHours', hours),
  fraction('durationDays', (nanoseconds) => hours(nanoseconds) / 24),
  fraction('durationWeeks', (nanoseconds) => hours(nanoseconds) / 24 / 7),
  multiple('durationRoundTo', rounded),
  multiple('durationTruncateTo', (value, to) => (to <= 0n ? value : value - (value % to))),
];

function duration(nanoseconds: bigint): Int {
  return new Int(nanoseconds, 'time.Duration');
}

function orZero(value: GoValue): bigint {
  return orElse(
    () => durationOf(value),
    () => 0n,
  );
}

function whole(name: string, unit: bigint) {
  return plain(`${name}(any) int64`, ([value]: [GoValue]) => new Int(orZero(value) / unit, 'int64'));
}

function fraction(name: string, of: (nanoseconds: bigint) => number) {
  return plain(`${name}(any) float64`, ([value]: [GoValue]) => of(orZero(value)));
}

/** As Go does it: the whole units, and the rest as a fraction of one. */
function inUnits(nanoseconds: bigint, unit: bigint): number {
  return Number(nanoseconds / unit) + Number(nanoseconds % unit) / Number(unit);
}

function hours(nanoseconds: bigint): number {
  return inUnits(nanoseconds, 3600n * second);
}

function multiple(name: string, run: (value: bigint, to: bigint) => bigint) {
  return plain(`${name}(any, any) time.Duration`, ([value, to]: [GoValue, GoValue]) => {
    const known = orElse<bigint | undefined>(
      () => durationOf(value),
      () => undefined,
    );
    if (known === undefined) return duration(0n);
    return orElse(
      () => duration(run(known, durationOf(to))),
      () => duration(known),
    );
  });
}

/** Halves are rounded away from zero; what is beyond all durations is the last one. */
function rounded(value: bigint, to: bigint): bigint {
  if (to <= 0n) return value;
  const rest = value % to;
  const size = rest < 0n ? -rest : rest;
  const down = value - rest;
  if (size * 2n < to) return down;
  const up = value < 0n ? down - to : down + to;
  return up > most ? most : up < -most - 1n ? -most - 1n : up;
}

function durationOf(value: GoValue): bigint {
  if (value === null || value === undefined) throw new GoError('invalid duration');
  if (typeof value === 'string') return ofText(value);
  if (typeof value === 'number') return ofSeconds(value);
  if (!(value instanceof Int)) throw new GoError(`unsupported duration type ${typeName(value)}`);
  if (value.type === 'time.Duration') return value.value;
  const limit = most / second;
  if (value.value > limit || value.value < -limit) throw new GoError(`duration seconds overflow: ${value.value}`);
  return value.value * second;
}

function ofText(text: string): bigint {
  const trimmed = trimSpace(text);
  if (trimmed === '') throw new GoError('empty duration');
  const known = parseGoDuration(trimmed);
  if (known !== undefined) return known;
  const seconds = parseGoFloat(trimmed);
  if (seconds === undefined) throw new GoError(`could not parse duration ${quote(text)}`);
  return ofSeconds(seconds);
}

function ofSeconds(seconds: number): bigint {
  if (!Number.isFinite(seconds)) throw new GoError(`invalid duration seconds: ${printed(seconds)}`);
  if (Math.abs(seconds) > Number(most) / 1e9) throw new GoError(`duration seconds overflow: ${printed(seconds)}`);
  return BigInt.asIntN(64, BigInt(Math.trunc(seconds * 1e9)));
}
