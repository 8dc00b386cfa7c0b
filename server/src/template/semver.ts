/** Versions and what is asked of them, as the library Masterminds/semver reads them for Sprig and Helm. */
import { lru } from '../base/lru.ts';
import { quote } from '../gostd/quote.ts';

export interface Version {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly prerelease: string;
  readonly metadata: string;
  readonly original: string;
}

export type VersionParse = { readonly version: Version } | { readonly error: string };

const longestVersion = 256;
const longestConstraint = 512;
const mostGroups = 32;

const tail = '(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?';
const loose = new RegExp(`^v?(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?${tail}$`);

/** Reads a version; what it lacks of three numbers is 0. */
export function parseVersion(text: string): VersionParse {
  if (text.length > longestVersion) return { error: `version string is too long (max ${longestVersion} bytes)` };
  const [, major, minor, patch, prerelease = '', metadata = ''] = loose.exec(text) ?? [];
  if (major === undefined) return { error: 'invalid semantic version' };
  const numbers = [major, minor ?? '0', patch ?? '0'];
  const tooLarge = numbers.find((digits) => BigInt(digits) >= 2n ** 64n);
  if (tooLarge !== undefined) {
    return {
      error: `error parsing version segment: strconv.ParseUint: parsing ${quote(tooLarge)}: value out of range`,
    };
  }
  if (prerelease.split('.').some((part) => /^0\d+$/.test(part))) return { error: 'version segment starts with 0' };
  const [a, b, c] = numbers.map(BigInt) as [bigint, bigint, bigint];
  return { version: { numbers: [a, b, c], prerelease, metadata, original: text } };
}

export function versionText({ numbers, prerelease, metadata }: Version): string {
  return `${numbers.join('.')}${prerelease && `-${prerelease}`}${metadata && `+${metadata}`}`;
}

export function compareVersions(a: Version, b: Version): number {
  return compareNumbers(a, b, 3) || comparePrereleases(a.prerelease, b.prerelease);
}

function compareNumbers(a: Version, b: Version, count: number): number {
  for (let i = 0; i < count; i++) {
    const [x, y] = [a.numbers[i]!, b.numbers[i]!];
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}

function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '' || b === '') return a === '' ? 1 : -1;
  const [left, right] = [a.split('.'), b.split('.')];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = comparePart(left[i] ?? '', right[i] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers come before words. */
function comparePart(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '' || b === '') return a === '' ? -1 : 1;
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x === undefined && y === undefined) return a > b ? 1 : -1;
  if (x === undefined || y === undefined) return x === undefined ? 1 : -1;
  return x > y ? 1 : -1;
}

function numberOf(text: string): bigint | undefined {
  const value = /^\d+$/.test(text) ? BigInt(text) : undefined;
  return value !== undefined && value < 2n ** 64n ? value : undefined;
}

interface Constraint {
  readonly operator: string;
  readonly version: Version;
  /** How many of its numbers were written, and are no wildcards; 3 where it is a whole version. */
  readonly known: 0 | 1 | 2 | 3;
}

/** What is asked of a version: one of these groups, of which all hold. */
export type Constraints = readonly (readonly Constraint[])[];
export type ConstraintsParse = { readonly constraints: Constraints } | { readonly error: string };

const written =
  '(?:v?[0-9|xX*]+(?:\\.[0-9|xX*]+)?(?:\\.[0-9|xX*]+)?(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?)';
const blank = '[\\t\\n\\f\\r ]';
/** In this order: what stands first wins. */
const operators = '(?:=|!=|>=|=>|<=|=<|>|<|~>|~|\\^|)';
const range = new RegExp(`${blank}*(${written})${blank}+-${blank}+(${written})${blank}*`, 'g');
const one = `${blank}*${operators}${blank}*${written}${blank}*`;
const valid = new RegExp(`^${one}(?:(?:${blank}+|,${blank}*)${operators}${blank}*${written}${blank}*)*$`);
const each = new RegExp(`${operators}${blank}*${written}`, 'g');
const parts = new RegExp(
  `^${blank}*(${operators})${blank}*(v?([0-9|xX*]+)(?:\\.([0-9|xX*]+))?(?:\\.([0-9|xX*]+))?${tail})${blank}*$`,
);

export function parseConstraints(text: string): ConstraintsParse {
  if (text.length > longestConstraint)
    return { error: `constraint string is too long (max ${longestConstraint} bytes)` };
  const groups = text.replace(range, '>= $1, <= $2 ').split('||');
  if (groups.length > mostGroups) return { error: `too many constraint groups (max ${mostGroups})` };
  const constraints: Constraint[][] = [];
  for (const group of groups) {
    if (!valid.test(group)) return { error: `improper constraint: ${quote(group)}` };
    const read = (group.match(each) ?? [group]).map(constraintOf);
    const failure = read.find((found) => 'error' in found);
    if (failure && 'error' in failure) return failure;
    constraints.push(read as Constraint[]);
  }
  return { constraints };
}

function constraintOf(text: string): Constraint | { readonly error: string } {
  const found = parts.exec(text);
  if (!found) return { error: `improper constraint: ${quote(text)}` };
  const [, operator, , major, minor, patch, prerelease] = found;
  const isWild = (part: string | undefined) => part === undefined || /^[xX*]$/.test(part);
  const known = isWild(major) ? 0 : isWild(minor) ? 1 : isWild(patch) ? 2 : 3;
  const numbers = [major, minor, patch].map((part, i) => (i < known ? part : '0'));
  const parsed = parseVersion(numbers.join('.') + (prerelease === undefined ? '' : `-${prerelease}`));
  if ('error' in parsed) return { error: 'constraint parser error' };
  return { operator: operator!, version: parsed.version, known };
}

/** Whether a version is in a range; texts that are neither are not. */
export function isInRange(version: string, range: string): boolean {
  const [read, asked] = [parseVersion(version), parseConstraints(range)];
  return 'version' in read && 'constraints' in asked && isWithin(read.version, asked.constraints);
}

/** Versions close to those that a range names, which are in it or not. */
export function versionsAround(range: string, isIn: boolean): readonly string[] {
  const key = `${isIn} ${range}`;
  const known = around.get(key);
  if (known) return known;
  const found = versionsClose(range, isIn);
  around.set(key, found);
  return found;
}

/** A chart asks for the same few versions in each of its templates. */
const around = lru<readonly string[]>(100);

function versionsClose(range: string, isIn: boolean): readonly string[] {
  const asked = parseConstraints(range);
  if ('error' in asked) return [];
  const named = asked.constraints.flat().map(({ version }) => version.numbers);
  const close = named.flatMap(([a, b, c]) => [
    ...[`${a}.${b}.${c}`, `${a}.${b}.${c + 1n}`, `${a}.${b + 1n}.0`, `${a + 1n}.0.0`],
    ...(b > 0n ? [`${a}.${b - 1n}.0`] : []),
    ...(a > 0n ? [`${a - 1n}.0.0`] : []),
  ]);
  return close.filter((version) => isInRange(version, range) === isIn).slice(0, 2);
}

/** Whether a version is one of those that are asked for. */
export function isWithin(version: Version, constraints: Constraints): boolean {
  return constraints.some((group) => {
    const takesPrereleases = version.prerelease === '' || group.some((each) => each.version.prerelease !== '');
    return takesPrereleases && group.every((each) => holds(version, each));
  });
}

function holds(version: Version, constraint: Constraint): boolean {
  const { operator, version: wanted, known } = constraint;
  const order = compareVersions(version, wanted);
  switch (operator) {
    case '':
    case '=':
      return known < 3 ? isNear(version, constraint) : order === 0;
    case '!=':
      return isOther(version, constraint);
    case '>':
      return known === 3 ? order > 0 : known > 0 && compareNumbers(version, wanted, known) > 0;
    case '<':
      return order < 0;
    case '>=':
    case '=>':
      return order >= 0;
    case '<=':
    case '=<':
      return isAtMost(version, constraint);
    case '^':
      return isCompatible(version, constraint);
  }
  return isNear(version, constraint);
}

function isOther(version: Version, { version: wanted, known }: Constraint): boolean {
  if (known === 3) return compareVersions(version, wanted) !== 0;
  if (known === 0)
    return (
      version.numbers[0] !== wanted.numbers[0] ||
      version.numbers[1] !== wanted.numbers[1] ||
      version.numbers[2] !== wanted.numbers[2]
    );
  if (compareNumbers(version, wanted, known) !== 0) return true;
  return known === 2 && comparePrereleases(version.prerelease, wanted.prerelease) !== 0;
}

/** What was not written may be larger. */
function isAtMost(version: Version, { version: wanted, known }: Constraint): boolean {
  if (known === 3) return compareVersions(version, wanted) <= 0;
  return compareNumbers(version, wanted, known === 1 ? 1 : 2) <= 0;
}

/** `~`: at least this one, with the numbers that were written but the last. */
function isNear(version: Version, { version: wanted, known }: Constraint): boolean {
  if (compareVersions(version, wanted) < 0) return false;
  const isZero = wanted.numbers.every((number) => number === 0n);
  if (isZero && (known === 0 || known === 3)) return true;
  return compareNumbers(version, wanted, known === 1 ? 1 : 2) === 0;
}

/** `^`: at least this one, up to the first number that is not 0. */
function isCompatible(version: Version, { version: wanted, known }: Constraint): boolean {
  if (compareVersions(version, wanted) < 0) return false;
  const [major, minor] = wanted.numbers;
  if (major > 0n || known === 1) return compareNumbers(version, wanted, 1) === 0;
  if (minor > 0n || known === 2) return compareNumbers(version, wanted, 2) === 0;
  return compareNumbers(version, wanted, 3) === 0;
}
