import { createCrd } from '../../kubernetes/crd/create.ts';
import { kubernetesVersion } from '../../kubernetes/releases/all.ts';
import { family, type Problem } from '../rule.ts';
import { type Linted, lintAt } from './linted.ts';

/** These are shown at the very function, as `lint/function-too-new`. */
const saidElsewhere: ReadonlySet<string> = new Set(['crd/rule-compile', 'crd/rule-message-expression']);

/** What the oldest version that counts has against the CRD, and the chosen one has not. */
export function lintMinimum(linted: Linted): Problem[] {
  const { manifest, kubernetes, settings } = linted;
  const minimum = settings.minimumKubernetes === undefined ? undefined : kubernetesVersion(settings.minimumKubernetes);
  if (!minimum || minimum.minor >= kubernetes.minor) return [];
  const now = createCrd(manifest.value, { kubernetes });
  const before = createCrd(manifest.value, { kubernetes: minimum });
  const keyOf = ({ code, path }: (typeof now.errors)[number]) => `${code} ${path.join('/')}`;
  const known = new Set(now.errors.map(keyOf));
  return before.errors
    .filter((finding) => !known.has(keyOf(finding)) && !saidElsewhere.has(finding.code))
    .map(({ message, path, place }) => {
      const text = `On Kubernetes ${minimum.name} this is refused: ${message}`;
      return lintAt(linted, 'lint/refused-by-minimum', text, path, place);
    });
}

export const minimumLints = family({
  'lint/refused-by-minimum': {
    severity: 'warning',
    title: 'Something that the oldest Kubernetes version refuses',
    explanation: `\`kubeCrd.minimumKubernetesVersion\` says on which version the CRD still has to work, and that version refuses it, with
the message that is quoted. Mostly the estimate of a rule's cost has become more exact since. Nothing is said while the setting is empty.`,
    bad: `#- use: schema
port:
  x-kubernetes-int-or-string: true
  maxLength: 5
  x-kubernetes-validations:
    - rule: "!self.matches('^x')"
      message: must not start with x
`,
    notShown: 'it needs the setting of a minimum version',
    good: `#- use: schema
port:
  type: string
  maxLength: 5
  x-kubernetes-validations:
    - rule: "!self.matches('^x')"
      message: must not start with x
`,
  },
});
