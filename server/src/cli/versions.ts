import { kubernetesVersions, newestVersion } from '../kubernetes/releases/all.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';

/** The versions that `1.33`, `1.31..1.37`, `1.33,1.36` or `all` names, newest first. */
export function versionsNamed(text: string | undefined): KubernetesVersion[] {
  if (text === undefined) return [newestVersion];
  if (text === 'all') return [...kubernetesVersions];
  const wanted = new Set(text.split(',').flatMap(inRange));
  return kubernetesVersions.filter((version) => wanted.has(version));
}

function inRange(part: string): KubernetesVersion[] {
  const [from, to = from, ...more] = part.trim().split('..');
  const [a, b] = [indexOf(from!), indexOf(to!)];
  if (more.length > 0) throw new Error(`${part} is not a range of versions such as 1.33..1.37`);
  return kubernetesVersions.slice(Math.min(a, b), Math.max(a, b) + 1);
}

function indexOf(name: string): number {
  const at = kubernetesVersions.findIndex((version) => version.name === name);
  if (at >= 0) return at;
  throw new Error(`Kubernetes ${name} is not known; there are ${kubernetesVersions.map((one) => one.name).join(', ')}`);
}
