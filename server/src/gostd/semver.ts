import { compareStrings } from './jsonPrint.ts';
import { quote } from './quote.ts';

/** A semantic version as the Go library blang/semver reads it. */
export interface Semver {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly pre: readonly (bigint | string)[];
  readonly build: string;
}

export type SemverParse = { readonly version: Semver } | { readonly error: string };

class Refused extends Error {}

function refuse(message: string): never {
  throw new Refused(message);
}

function number(text: string, name: string): bigint {
  if (!/^\d*$/.test(text)) refuse(`Invalid character(s) found in ${name} number ${quote(text)}`);
  const title = name[0]!.toUpperCase() + name.slice(1);
  if (/^0./.test(text)) refuse(`${title} number must not contain leading zeroes ${quote(text)}`);
  return unsigned(text);
}

function unsigned(text: string): bigint {
  if (text === '') refuse('strconv.ParseUint: parsing "": invalid syntax');
  const value = BigInt(text);
  if (value >= 2n ** 64n) refuse(`strconv.ParseUint: parsing ${quote(text)}: value out of range`);
  return value;
}

function prerelease(text: string): bigint | string {
  if (text === '') refuse('Prerelease is empty');
  if (/^\d+$/.test(text)) {
    if (/^0./.test(text)) refuse(`Numeric PreRelease version must not contain leading zeroes ${quote(text)}`);
    return unsigned(text);
  }
  if (!/^[A-Za-z0-9-]+$/.test(text)) refuse(`Invalid character(s) found in prerelease ${quote(text)}`);
  return text;
}

/** The text split at the first two dots. */
function parts(text: string): string[] {
  const [major, minor, ...rest] = text.split('.');
  return rest.length === 0 ? [major!, ...(minor === undefined ? [] : [minor])] : [major!, minor!, rest.join('.')];
}

function read(text: string): Semver {
  if (text === '') refuse('Version string empty');
  const [majorText, minorText, tail] = parts(text);
  if (tail === undefined) refuse('No Major.Minor.Patch elements found');
  const major = number(majorText!, 'major');
  const minor = number(minorText!, 'minor');
  const plus = tail.indexOf('+');
  const build = plus < 0 ? undefined : tail.slice(plus + 1);
  const body = plus < 0 ? tail : tail.slice(0, plus);
  const dash = body.indexOf('-');
  const patch = number(dash < 0 ? body : body.slice(0, dash), 'patch');
  const pre =
    dash < 0
      ? []
      : body
          .slice(dash + 1)
          .split('.')
          .map(prerelease);
  for (const part of build?.split('.') ?? []) {
    if (part === '') refuse('Build meta data is empty');
    if (!/^[A-Za-z0-9-]+$/.test(part)) refuse(`Invalid character(s) found in build meta data ${quote(part)}`);
  }
  return { major, minor, patch, pre, build: build ?? '' };
}

function normalized(text: string): string {
  const split = parts(text.startsWith('v') ? text.slice(1) : text).map((part) => {
    if (part.length < 2) return part;
    const trimmed = part.replace(/^0+/, '');
    return /^[0-9]/.test(trimmed) ? trimmed : `0${trimmed}`;
  });
  if (split.length < 3 && /[+-]/.test(split.at(-1)!)) {
    refuse('short version cannot contain PreRelease/Build meta data');
  }
  while (split.length < 3) split.push('0');
  return split.join('.');
}

/** Reads a version; `lenient`: a leading v, missing parts and leading zeros are accepted. */
export function parseSemver(text: string, lenient: boolean): SemverParse {
  try {
    return { version: read(lenient ? normalized(text) : text) };
  } catch (thrown) {
    if (thrown instanceof Refused) return { error: thrown.message };
    throw thrown;
  }
}

export function semverText({ major, minor, patch, pre, build }: Semver): string {
  const version = `${major}.${minor}.${patch}`;
  return `${version}${pre.length > 0 ? `-${pre.join('.')}` : ''}${build === '' ? '' : `+${build}`}`;
}

function order(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function orderPre(a: bigint | string, b: bigint | string): number {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? order(a, b) : -1;
  return typeof b === 'bigint' ? 1 : Math.sign(compareStrings(a, b));
}

export function compareSemvers(a: Semver, b: Semver): number {
  const numbers = order(a.major, b.major) || order(a.minor, b.minor) || order(a.patch, b.patch);
  if (numbers !== 0) return numbers;
  if (a.pre.length === 0 || b.pre.length === 0) return Math.sign(b.pre.length - a.pre.length);
  for (let i = 0; i < Math.min(a.pre.length, b.pre.length); i++) {
    const result = orderPre(a.pre[i]!, b.pre[i]!);
    if (result !== 0) return result;
  }
  return Math.sign(a.pre.length - b.pre.length);
}
