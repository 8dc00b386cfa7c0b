import { kubernetesVersions } from '../kubernetes/releases/all.ts';
import { versionsNamed } from '../kubernetes/releases/range.ts';

/** What `--kubernetes` names, as it was written. */
export function knownVersions(text: string): string {
  if (versionsNamed(text)) return text;
  const known = kubernetesVersions.map(({ name }) => name).join(', ');
  throw new Error(`Kubernetes ${text} is not known; there are ${known}, and ranges such as 1.33..1.37`);
}
