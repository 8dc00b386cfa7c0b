import { kubernetesVersions } from './all.ts';
import type { KubernetesVersion } from './release.ts';

/** What a text that names versions looks like; which versions there are is another question. */
export const rangePattern = '^(?:all|\\d+\\.\\d+(?:\\.\\.\\d+\\.\\d+)?(?:,\\d+\\.\\d+(?:\\.\\.\\d+\\.\\d+)?)*)$';

/** The versions that `1.33`, `1.31..1.37`, `1.33,1.36` or `all` names, newest first; undefined where one is not known. */
export function versionsNamed(
  text: string,
  versions: readonly KubernetesVersion[] = kubernetesVersions,
): readonly KubernetesVersion[] | undefined {
  if (text === 'all') return versions;
  const wanted = new Set<KubernetesVersion>();
  for (const part of text.split(',')) {
    const found = inRange(part.trim(), versions);
    if (!found) return undefined;
    for (const version of found) wanted.add(version);
  }
  return versions.filter((version) => wanted.has(version));
}

function inRange(part: string, versions: readonly KubernetesVersion[]): readonly KubernetesVersion[] | undefined {
  const [from = '', to = from, ...more] = part.split('..');
  const [a, b] = [from, to].map((name) => versions.findIndex((version) => version.name === name.trim()));
  if (more.length > 0 || a === -1 || b === -1) return undefined;
  return versions.slice(Math.min(a!, b!), Math.max(a!, b!) + 1);
}

/** Versions, newest first, as a person writes them: `1.37, 1.31..1.34`. */
export function rangeText(
  names: readonly string[],
  versions: readonly KubernetesVersion[] = kubernetesVersions,
): string {
  const runs: string[][] = [];
  for (const { name } of versions.toReversed()) {
    if (!names.includes(name)) runs.push([]);
    else if (runs.length === 0) runs.push([name]);
    else runs.at(-1)!.push(name);
  }
  return runs
    .filter((run) => run.length > 0)
    .flatMap((run) => (run.length < 3 ? run : [`${run[0]}..${run.at(-1)}`]))
    .join(', ');
}
