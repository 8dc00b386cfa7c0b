import { kubernetesVersions, newestVersion } from '../../kubernetes/releases/all.ts';
import { versionsNamed } from '../../kubernetes/releases/range.ts';
import { namedKubernetes } from '../../workspace/pragmas.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { fixOf } from '../fixing/fixes.ts';
import { family, type ProblemOf } from '../model/rule.ts';

type FileVersionFacts = { 'yaml/kubernetes-version': undefined };

/** A comment at the top of a file that names a Kubernetes version which nobody here knows. */
export function unknownVersion(document: YamlDocument): ProblemOf<FileVersionFacts>[] {
  const named = namedKubernetes(document.text);
  if (!named || versionsNamed(named.name)) return [];
  const known = kubernetesVersions.map(({ name }) => name).join(', ');
  const range = { start: named.start, end: named.start + named.name.length };
  const message = `Kubernetes ${named.name} is not one of ${known}; the version in the settings is used instead.`;
  return [{ code: 'yaml/kubernetes-version', message, range, document, path: [] }];
}

export const fileVersion = family<FileVersionFacts>()({
  'yaml/kubernetes-version': {
    severity: 'warning',
    title: 'A comment names an unknown Kubernetes version',
    explanation: `A comment in the first lines of a file can choose the Kubernetes version that judges it, or several such as
\`1.33..1.37\`. The known versions are those of the setting \`kubeCrd.kubernetesVersion\`; any other is ignored.`,
    bad: `# kube-crd: kubernetes 1.12
a: 1
`,
    good: `# kube-crd: kubernetes 1.34
a: 1
`,
    fixes: ({ range }) => fixOf(`Change to \`${newestVersion.name}\``, [{ range, text: newestVersion.name }], false),
  },
});
