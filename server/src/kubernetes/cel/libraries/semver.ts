import type { Impl } from '../../../cel/eval/implementation.ts';
import { error, noSuchOverload, type Opaque, type Val } from '../../../cel/eval/values.ts';
import { walks } from '../../../cel/libraries/walks.ts';
import { fn, type Library, withOverloads } from '../../../cel/overload.ts';
import { compareSemvers, parseSemver, type Semver, semverText } from '../../../gostd/semver.ts';
import type { KubernetesVersion } from '../../releases/release.ts';
import { held, opaque } from './opaque.ts';
import { ordered } from './ordered.ts';
import { semverType, kubernetesTypes as types } from './types.ts';

function semverValue(version: Semver): Opaque {
  const same = (other: unknown) => compareSemvers(version, other as Semver) === 0;
  return opaque({
    type: semverType,
    goType: 'cel.Semver',
    value: version,
    same,
    key: undefined,
    native: () => `(semver.Version)${semverText(version)}`,
  });
}

/** The version that a text is, or an error. */
export function toSemver(text: string, lenient: boolean): Val {
  const parsed = parseSemver(text, lenient);
  return 'error' in parsed ? error(parsed.error) : semverValue(parsed.version);
}

const ofSemver =
  (apply: (version: Semver) => Val): Impl =>
  (a) => {
    const version = held<Semver>(a, semverType);
    return version ? apply(version) : noSuchOverload;
  };

const ofOrder =
  (apply: (order: number) => Val): Impl =>
  (a, b) => {
    const [x, y] = [held<Semver>(a, semverType), held<Semver>(b, semverType)];
    return x && y ? apply(compareSemvers(x, y)) : noSuchOverload;
  };

const isSemver = (text: Val, lenient: boolean) => 'version' in parseSemver(text as string, lenient);

const v = 'kubernetes.Semver';

export const semver: Library = [
  fn(
    'semver',
    'A semantic version from a string; if the second argument is true, a leading "v" and missing parts are allowed.',
    [
      {
        id: 'string_to_semver',
        signature: `semver(string): ${v}`,
        example: 'semver("1.2.3").minor() == 2',
        impl: (a) => toSemver(a as string, false),
      },
      {
        id: 'string_bool_to_semver',
        signature: `semver(string, bool): ${v}`,
        example: 'semver("v1.2", true) == semver("1.2.0")',
        impl: (a, b) => toSemver(a as string, b === true),
      },
    ],
    { types, price: walks(1) },
  ),
  fn(
    'isSemver',
    'Whether a string is a semantic version.',
    [
      {
        id: 'is_semver_string',
        signature: 'isSemver(string): bool',
        example: 'isSemver("1.2.3")',
        impl: (a) => isSemver(a, false),
      },
      {
        id: 'is_semver_string_bool',
        signature: 'isSemver(string, bool): bool',
        example: 'isSemver("v1.2", true)',
        impl: (a, b) => isSemver(a, b === true),
      },
    ],
    { types, price: walks(1) },
  ),
  ...ordered(v, 'semver', 'semver("1.2.3")', 'semver("1.10.0")', ofOrder),
  ...(['major', 'minor', 'patch'] as const).map((part, i) =>
    fn(
      part,
      `The ${part} number of a semantic version.`,
      [
        {
          id: `semver_${part}`,
          signature: `${v}.${part}(): int`,
          example: `semver("1.2.3").${part}() == ${i + 1}`,
          impl: ofSemver((version) => BigInt.asIntN(64, version[part])),
        },
      ],
      { types },
    ),
  ),
];

/**
 * As expressions of devices have had it from the start: without the argument that allows less exact texts. What it costs
 * was not known to servers before the functions came to all expressions.
 */
export const plainSemver = ({ cel }: KubernetesVersion): Library =>
  semver.map((one) => withOverloads(one, ({ id }) => !id.includes('_bool'), cel.pricesSemver));
