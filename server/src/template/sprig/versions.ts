/** Semantic versions. */
import { plain } from '../functions.ts';
import { compareVersions, isWithin, parseConstraints, parseVersion, type Version, versionText } from '../semver.ts';
import { GoError, type GoFunction, GoStruct, Int } from '../value.ts';

const type = '*semver.Version';

export const versions = [
  plain(`semver(string) ${type}`, ([text]: [string]) => versionValue(versionOf(text))),
  plain('semverCompare(string, string) bool', ([constraint, version]: [string, string]) => {
    const parsed = parseConstraints(constraint);
    if ('error' in parsed) throw new GoError(parsed.error);
    return isWithin(versionOf(version), parsed.constraints);
  }),
];

function versionOf(text: string): Version {
  const parsed = parseVersion(text);
  if ('error' in parsed) throw new GoError(parsed.error);
  return parsed.version;
}

/** A version as templates see it. */
function versionValue(version: Version): GoStruct {
  return new GoStruct(type, {
    content: version,
    print: () => versionText(version),
    json: () => versionText(version),
    methods: new Map(methodsOf(version).map((one) => [one.name, one])),
  });
}

function methodsOf(version: Version): GoFunction[] {
  const [major, minor, patch] = version.numbers;
  const text = (name: string, value: string) => plain(`${name}() string`, () => value);
  const number = (name: string, value: bigint) => plain(`${name}() uint64`, () => new Int(value, 'uint64'));
  const order = (name: string, holds: (order: number) => boolean) =>
    plain(`${name}(${type}) bool`, ([other]: [GoStruct]) => holds(compareVersions(version, other.content as Version)));
  const next = (name: string, numbers: Version['numbers']) =>
    plain(`${name}() semver.Version`, () => versionValue(plainVersion(version, numbers)));
  return [
    number('Major', major),
    number('Minor', minor),
    number('Patch', patch),
    text('Prerelease', version.prerelease),
    text('Metadata', version.metadata),
    text('Original', version.original),
    text('String', versionText(version)),
    plain(`Compare(${type}) int`, ([other]: [GoStruct]) => new Int(compareVersions(version, other.content as Version))),
    order('LessThan', (one) => one < 0),
    order('LessThanEqual', (one) => one <= 0),
    order('GreaterThan', (one) => one > 0),
    order('GreaterThanEqual', (one) => one >= 0),
    order('Equal', (one) => one === 0),
    next('IncMajor', [major + 1n, 0n, 0n]),
    next('IncMinor', [major, minor + 1n, 0n]),
    // A prerelease comes before the version of its numbers.
    next('IncPatch', [major, minor, version.prerelease === '' ? patch + 1n : patch]),
  ];
}

function plainVersion({ original }: Version, numbers: Version['numbers']): Version {
  const prefix = original.startsWith('v') ? 'v' : '';
  return { numbers, prerelease: '', metadata: '', original: prefix + numbers.join('.') };
}
