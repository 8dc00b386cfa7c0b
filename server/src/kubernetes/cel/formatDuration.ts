import { int64Of } from '../../gostd/digits.ts';
import { parseGoDuration } from '../../gostd/duration.ts';

const units: readonly (readonly [bigint, ...string[]])[] = [
  [1n, 'ns', 'nano'],
  [1_000n, 'us', 'µs', 'micro'],
  [1_000_000n, 'ms', 'milli'],
  [1_000_000_000n, 's', 'sec'],
  [60_000_000_000n, 'm', 'min'],
  [3_600_000_000_000n, 'h', 'hr', 'hour'],
  [86_400_000_000_000n, 'd', 'day'],
  [604_800_000_000_000n, 'w', 'wk', 'week'],
];

/** What the API server makes of a string of the format duration: Go's durations, or numbers of named units. */
export function parseFormatDuration(text: string): bigint | { readonly error: string } {
  const plain = parseGoDuration(text);
  if (plain !== undefined) return plain;
  let sum: bigint | undefined;
  for (const [, digits = '', word = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]*)/g)) {
    if (word === '') continue;
    const count = int64Of(digits);
    if (count === undefined) return { error: `strconv.Atoi: parsing ${JSON.stringify(digits)}: value out of range` };
    for (const unit of unitsOf(word.toLowerCase())) sum = (sum ?? 0n) + count * unit;
  }
  return sum === undefined ? { error: `unable to parse ${text} as duration` } : BigInt.asIntN(64, sum);
}

/** A word can name a unit, or start with the last of a unit's names. */
function unitsOf(word: string): bigint[] {
  const found: bigint[] = [];
  for (const [nanos, ...names] of units) {
    for (const [i, name] of names.entries()) {
      if (name === word || (i === names.length - 1 && word.startsWith(name))) found.push(nanos);
    }
  }
  return found;
}
