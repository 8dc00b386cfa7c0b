/** Versions and ranges of them, as the Go library Masterminds/semver reads and compares them. */
import { compareSemvers, type Semver } from '../../gostd/semver.ts';

export interface LooseVersion extends Semver {
  readonly original: string;
}

const loose =
  /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/** A version that may leave parts out; undefined where the text is not one. */
export function parseVersion(original: string): LooseVersion | undefined {
  const match = loose.exec(original);
  if (!match) return undefined;
  const [, major, minor = '0', patch = '0', pre, build = ''] = match;
  const parts = pre?.split('.').map((part) => (/^\d+$/.test(part) ? BigInt(part) : part)) ?? [];
  if (pre?.split('.').some((part) => /^0\d+$/.test(part))) return undefined;
  return { major: BigInt(major!), minor: BigInt(minor), patch: BigInt(patch), pre: parts, build, original };
}

interface Comparison {
  readonly operator: string;
  readonly version: LooseVersion;
  /** Whether a part is left out or any: the first of them. */
  readonly open: 'major' | 'minor' | 'patch' | undefined;
}

/** Any of these, of which all have to hold. */
export type Range = readonly (readonly Comparison[])[];

const number = '[0-9|xX*]+';
const pre = '-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const build = '\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const version = `v?(?:${number})(?:\\.${number})?(?:\\.${number})?(?:${pre})?(?:${build})?`;
const operator = '(?:!=|>=|=>|<=|=<|~>|=|>|<|~|\\^|)';
const one = new RegExp(
  `^\\s*(${operator})\\s*v?(${number})(?:\\.(${number}))?(?:\\.(${number}))?(${pre})?(?:${build})?\\s*$`,
);
const each = new RegExp(`${operator}\\s*${version}`, 'g');
const between = new RegExp(`\\s*(${version})\\s+-\\s+(${version})\\s*`, 'g');

/** What Masterminds/semver reads at most. */
const longestRange = 512;
const mostAlternatives = 32;

/** A range of versions, or the error of the library. */
export function parseRange(text: string): Range | string {
  if (text.length > longestRange) return `constraint string is too long (max ${longestRange} bytes)`;
  const alternatives = text.replace(between, '>= $1, <= $2 ').split('||');
  if (alternatives.length > mostAlternatives) return `too many constraint groups (max ${mostAlternatives})`;
  const range: Comparison[][] = [];
  for (const alternative of alternatives) {
    const read = readAll(alternative);
    if (!read) return `improper constraint: "${alternative}"`;
    range.push(read);
  }
  return range;
}

function readAll(text: string): Comparison[] | undefined {
  const found = text.match(each) ?? [];
  // What is between two of them is blanks or a comma, and nothing is around them.
  const rest = text.replace(each, '\0').trim();
  if (found.length === 0 || !/^\0(?:(?:\s+|\s*,\s*)\0)*$/.test(rest)) return undefined;
  const read = found.map(readOne);
  return read.every((comparison) => comparison !== undefined) ? read : undefined;
}

function readOne(text: string): Comparison | undefined {
  const match = one.exec(text);
  if (!match) return undefined;
  const [, operatorText = '', major = '', minor = '', patch = '', preText = ''] = match;
  const open = isOpen(major) ? 'major' : isOpen(minor) ? 'minor' : isOpen(patch) ? 'patch' : undefined;
  const numbers = { major: `0.0.0`, minor: `${major}.0.0`, patch: `${major}.${minor}.0` };
  const known = parseVersion(`${open ? numbers[open] : `${major}.${minor}.${patch}`}${preText}`);
  return known && { operator: operatorText, version: known, open };
}

function isOpen(part: string): boolean {
  return part === '' || /^[xX*]$/.test(part);
}

export function satisfies(candidate: LooseVersion, range: Range): boolean {
  return range.some((all) => {
    const takesPre = all.some((comparison) => comparison.version.pre.length > 0);
    return (takesPre || candidate.pre.length === 0) && all.every((comparison) => holds(candidate, comparison));
  });
}

/** Whether a version is in a range; texts that are neither are not. */
export function isInRange(versionText: string, rangeText: string): boolean {
  const candidate = parseVersion(versionText);
  const range = parseRange(rangeText);
  return candidate !== undefined && typeof range !== 'string' && satisfies(candidate, range);
}

function holds(candidate: LooseVersion, comparison: Comparison): boolean {
  switch (comparison.operator) {
    case '':
    case '=':
      return comparison.open ? isAbout(candidate, comparison) : compareSemvers(candidate, comparison.version) === 0;
    case '!=':
      return isOther(candidate, comparison);
    case '>':
      return isAbove(candidate, comparison);
    case '<':
      return compareSemvers(candidate, comparison.version) < 0;
    case '>=':
    case '=>':
      return compareSemvers(candidate, comparison.version) >= 0;
    case '<=':
    case '=<':
      return isAtMost(candidate, comparison);
    case '^':
      return isCompatible(candidate, comparison);
    default:
      return isAbout(candidate, comparison);
  }
}

function isOther(candidate: LooseVersion, { version: known, open }: Comparison): boolean {
  if (!open) return compareSemvers(candidate, known) !== 0;
  if (candidate.major !== known.major) return true;
  if (open === 'minor') return false;
  if (candidate.minor !== known.minor) return true;
  if (open === 'major') return compareSemvers(candidate, known) !== 0;
  return candidate.pre.join('.') !== known.pre.join('.');
}

function isAbove(candidate: LooseVersion, { version: known, open }: Comparison): boolean {
  if (!open || candidate.major !== known.major) return compareSemvers(candidate, known) > 0;
  if (open === 'minor') return false;
  return open === 'patch' ? candidate.minor > known.minor : compareSemvers(candidate, known) > 0;
}

function isAtMost(candidate: LooseVersion, { version: known, open }: Comparison): boolean {
  if (!open) return compareSemvers(candidate, known) <= 0;
  if (candidate.major !== known.major) return candidate.major < known.major;
  return candidate.minor <= known.minor || open === 'minor';
}

function isAbout(candidate: LooseVersion, { version: known, open }: Comparison): boolean {
  if (compareSemvers(candidate, known) < 0) return false;
  const isZero = known.major === 0n && known.minor === 0n && known.patch === 0n;
  if (isZero && open !== 'minor' && open !== 'patch') return true;
  return candidate.major === known.major && (candidate.minor === known.minor || open === 'minor');
}

function isCompatible(candidate: LooseVersion, { version: known, open }: Comparison): boolean {
  if (compareSemvers(candidate, known) < 0) return false;
  if (candidate.major !== known.major) return false;
  if (known.major > 0n || open === 'minor') return true;
  if (candidate.minor !== known.minor) return false;
  return known.minor > 0n || open === 'patch' || candidate.patch === known.patch;
}
