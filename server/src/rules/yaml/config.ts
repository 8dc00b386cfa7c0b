import { renames } from '../fixing/fixes.ts';
import { family } from '../model/rule.ts';

/** The names that could be meant. */
export type ConfigFacts = { 'config/setting': { readonly known: readonly string[] } };

export const configRules = family<ConfigFacts>()({
  'config/setting': {
    severity: 'warning',
    title: 'A setting in `.kube-crd.yaml` does not exist or cannot have this value',
    explanation: `\`.kube-crd.yaml\` holds settings by their names in the editor, without \`kubeCrd.\` in front, for all files
below its folder; \`overrides\` is a list of settings for some of them. The editor leaves out what it cannot read, the
command line ends with a message. [docs/config.md](config.md) shows an example of everything.`,
    bad: `kubernetesversion: 1.34
`,
    good: `kubernetesVersion: 1.34
`,
    fixes: (problem) => renames(problem, problem.facts.known),
  },
});
