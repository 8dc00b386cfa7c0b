import { compareVersions } from '../versionPriority.ts';
import type { LoweredCrd } from './lower.ts';

/** The warning that every request for a version gets: the CRD's own words, or the API server's. */
export function deprecationWarning({ group, names, versions }: LoweredCrd, name: string): string | undefined {
  const version = versions.find((one) => one.name === name);
  if (!version?.deprecated) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const better = versions
    .filter((one) => one.served && !one.deprecated)
    .map((one) => one.name)
    .sort(compareVersions)
    .find((one) => compareVersions(one, name) < 0);
  const successor = better === undefined ? '' : `; use ${group}/${better} ${names.kind}`;
  return `${group}/${name} ${names.kind} is deprecated${successor}`;
}
