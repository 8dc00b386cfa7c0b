import { v131 } from './1.31.ts';
import { v132 } from './1.32.ts';
import { v133 } from './1.33.ts';
import { v134 } from './1.34.ts';
import { v135 } from './1.35.ts';
import { v136 } from './1.36.ts';
import { v137 } from './1.37.ts';
import { minorOf } from './environments.ts';
import type { KubernetesVersion } from './release.ts';

/** All that are known, newest first. */
export const kubernetesVersions: readonly [KubernetesVersion, ...KubernetesVersion[]] = [
  v137,
  v136,
  v135,
  v134,
  v133,
  v132,
  v131,
];

export const [newestVersion] = kubernetesVersions;

const byName = new Map(kubernetesVersions.map((version) => [version.name, version]));

/** Whether a version such as `v1.15.0` is of a release before all that are known. */
export function isBeforeKnown(version: string): boolean {
  const [, name] = /^v?(1\.\d{1,4})/.exec(version) ?? [];
  return name !== undefined && minorOf(name) < minorOf(kubernetesVersions.at(-1)!.name);
}

/** The release that a server says it is, such as `v1.34.2`; undefined for one we know nothing of. */
export function releaseOf(gitVersion: string): KubernetesVersion | undefined {
  const [, name] = /^v?(\d+\.\d+)/.exec(gitVersion) ?? [];
  return name === undefined ? undefined : byName.get(name);
}

/** The row of a version such as `1.34`, or undefined for one we know nothing of. */
export function kubernetesVersion(name: string): KubernetesVersion | undefined {
  return byName.get(name);
}
