import type { Library } from '../../cel/overload.ts';
import type { CelAddition } from './release.ts';

/** The additions with one library in place of another. */
export function replaced(additions: readonly CelAddition[], old: Library, by: Library): CelAddition[] {
  return additions.map((one) => ({
    ...one,
    libraries: (one.libraries ?? []).map((library) => (library === old ? by : library)),
  }));
}

export function without(additions: readonly CelAddition[], gone: Library): CelAddition[] {
  return additions.map((one) => ({ ...one, libraries: (one.libraries ?? []).filter((library) => library !== gone) }));
}

/** The additions, where what a library came with ends before a release. */
export function endedBefore(before: string, additions: readonly CelAddition[], library: Library): CelAddition[] {
  return additions.map((one) => (one.libraries?.includes(library) ? { ...one, before } : one));
}
