import { memo } from '../../base/memo.ts';
import type { Macro } from '../../cel/macros.ts';
import type { Library } from '../../cel/overload.ts';
import type { CelAddition, Family, KubernetesVersion } from './release.ts';

export const minorOf = (name: string): number => Number(name.split('.')[1]);

/** Whether a release has what came with another one. */
export function reaches(release: string, other: string): boolean {
  return minorOf(release) >= minorOf(other);
}

export function isOlder(one: KubernetesVersion, other: KubernetesVersion): boolean {
  return minorOf(one.name) < minorOf(other.name);
}

export function oldestFirst(versions: readonly KubernetesVersion[]): KubernetesVersion[] {
  return [...versions].sort((a, b) => minorOf(a.name) - minorOf(b.name));
}

/** The release whose environment an expression compiles in: the one before for new rules, its own for stored ones. */
export function environmentName(kubernetes: KubernetesVersion, stored: boolean): string {
  return stored ? kubernetes.name : kubernetes.compatibility;
}

/** What a server has in the environment of a release. */
export function additionsIn({ cel }: KubernetesVersion, environment: string): readonly CelAddition[] {
  const minor = minorOf(environment);
  return cel.additions.filter(({ since, before }) => {
    return minorOf(since) <= minor && (before === undefined || minor < minorOf(before));
  });
}

/** A family as a release has it: its environments share it, and what was resolved of its functions. */
export function libraryOf(family: Family, kubernetes: KubernetesVersion): Library {
  return typeof family === 'function' ? made(kubernetes, family) : family;
}

const made = memo((kubernetes: KubernetesVersion, family: Exclude<Family, Library>): Library => family(kubernetes));

/** The first release whose new rules can use an overload or a macro; those that rules have always had are not in it. */
export const firstReleases = memo((versions: readonly KubernetesVersion[]): ReadonlyMap<string | Macro, string> => {
  const firsts = new Map<string | Macro, number>();
  const [oldest, ...later] = oldestFirst(versions);
  if (!oldest) return new Map();
  const always = Math.min(...oldest.cel.additions.map(({ since }) => minorOf(since)));
  for (const version of [oldest, ...later]) {
    for (const { since, libraries = [], macros = [] } of version.cel.additions) {
      const usable = version === oldest ? minorOf(since) + 1 : Math.max(minorOf(since) + 1, minorOf(version.name));
      const functions = libraries.flatMap((family) => libraryOf(family, version));
      const overloads = functions.flatMap(({ overloads }) => overloads.map(({ id }) => id));
      for (const one of [...overloads, ...macros]) if (!firsts.has(one)) firsts.set(one, usable);
    }
  }
  return new Map([...firsts].filter(([, minor]) => minor > always + 1).map(([one, minor]) => [one, `1.${minor}`]));
});
