import { kubernetesVersion, kubernetesVersions, newestVersion } from '../../kubernetes/releases/all.ts';
import { namedKubernetes } from '../../workspace/partial.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { fixOf } from '../fixing.ts';
import { type Problem, rule } from '../rule.ts';

/** A comment at the top of a file that names a Kubernetes version which nobody here knows. */
export function unknownVersion(document: YamlDocument): Problem[] {
  const named = namedKubernetes(document.text);
  if (!named || kubernetesVersion(named.name)) return [];
  const known = kubernetesVersions.map(({ name }) => name).join(', ');
  const range = { start: named.start, end: named.start + named.name.length };
  const message = `Kubernetes ${named.name} is none of ${known}; the version of the settings is taken.`;
  return [{ code: 'yaml/kubernetes-version', message, range, document, path: [] }];
}

export const fileVersion = rule({
  code: 'yaml/kubernetes-version',
  severity: 'warning',
  title: 'A comment names a Kubernetes version that is not known',
  explanation: `A comment in the first lines of a file can say which version's API server judges it. The versions are those
of the setting \`kubeCrd.kubernetesVersion\`; any other is passed over.`,
  bad: `# kube-crd: kubernetes 1.12
a: 1
`,
  good: `# kube-crd: kubernetes 1.34
a: 1
`,
  fixes: ({ range }) => fixOf(`Change to \`${newestVersion.name}\``, [{ range, text: newestVersion.name }], false),
});
