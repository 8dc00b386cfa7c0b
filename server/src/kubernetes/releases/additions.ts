import type { CelAddition, Family } from './release.ts';

/** The additions with one library in place of another. */
export function replaced(additions: readonly CelAddition[], old: Family, by: Family): CelAddition[] {
  return additions.map((one) => ({
    ...one,
    libraries: (one.libraries ?? []).map((library) => (library === old ? by : library)),
  }));
}

export function without(additions: readonly CelAddition[], gone: Family): CelAddition[] {
  return additions.map((one) => ({ ...one, libraries: (one.libraries ?? []).filter((library) => library !== gone) }));
}

/** The additions, where what a library came with ends before a release. */
export function endedBefore(before: string, additions: readonly CelAddition[], library: Family): CelAddition[] {
  return additions.map((one) => (one.libraries?.includes(library) ? { ...one, before } : one));
}
