import { createCrd } from '../../kubernetes/crd/create.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { kubernetesVersion } from '../../kubernetes/releases/all.ts';
import { isOlder } from '../../kubernetes/releases/environments.ts';
import { type Found, lintFamily } from './lint.ts';
import type { Linted } from './linted.ts';

type MinimumFacts = { 'lint/refused-by-minimum': undefined };

/** These are shown at the very function, as `lint/function-too-new`. */
const saidElsewhere: ReadonlySet<string> = new Set<keyof CrdFacts>(['crd/rule-compile', 'crd/rule-message-expression']);

/** What the oldest version that counts has against the CRD, and the chosen one has not. */
function lintMinimum(linted: Linted): Found<undefined>[] {
  const { manifest, kubernetes, settings } = linted;
  const minimum =
    settings.minimumKubernetesVersion === undefined ? undefined : kubernetesVersion(settings.minimumKubernetesVersion);
  if (!minimum || !isOlder(minimum, kubernetes)) return [];
  const now = createCrd(manifest.value, { kubernetes });
  const before = createCrd(manifest.value, { kubernetes: minimum });
  const keyOf = ({ code, path }: (typeof now.errors)[number]) => `${code} ${path.join('/')}`;
  const known = new Set(now.errors.map(keyOf));
  return before.errors
    .filter((finding) => !known.has(keyOf(finding)) && !saidElsewhere.has(finding.code))
    .map(({ message, path, anchor }) => ({
      message: `Kubernetes ${minimum.name} rejects this: ${message}`,
      at: path,
      anchor,
    }));
}

export const minimumLints = lintFamily<MinimumFacts>()({
  'lint/refused-by-minimum': {
    severity: 'warning',
    title: 'The oldest Kubernetes version rejects this',
    explanation: `\`kubeCrd.minimumKubernetesVersion\` is the oldest version that the CRD still has to work with, and
that version rejects it with the quoted message. Usually the cost estimate of a rule has become more precise since
then. Nothing is reported while the setting is empty.`,
    bad: `#- use: schema
port:
  x-kubernetes-int-or-string: true
  maxLength: 5
  x-kubernetes-validations:
    - rule: "!self.matches('^x')"
      message: must not start with x
`,
    notShown: 'it needs a minimum version in the settings',
    good: `#- use: schema
port:
  type: string
  maxLength: 5
  x-kubernetes-validations:
    - rule: "!self.matches('^x')"
      message: must not start with x
`,
    restsOn: 'crd',
    check: lintMinimum,
  },
});
