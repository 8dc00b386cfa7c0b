import { family } from '../model/rule.ts';

/** What Flux says of an object before the API server sees it. */
export interface FluxFacts {
  'flux/substitution': undefined;
  'flux/variable-not-set': undefined;
  'flux/path-not-found': undefined;
}

export const fluxRules = family<FluxFacts>()({
  'flux/substitution': {
    severity: 'error',
    title: 'Flux cannot fill in the variables',
    explanation: `A Kustomization of Flux fills in variables such as \`\${NAME}\` in this object before it is applied. It stops here, and
applies nothing of what it builds. The message is Flux's own. \`$\${NAME}\` stands for the text \`\${NAME}\`, and an object with the
annotation \`kustomize.toolkit.fluxcd.io/substitute: disabled\` is left as it is.`,
    notShown: 'it takes a Kustomization that applies the file',
    bad: `metadata:
  name: \${name
`,
    good: `metadata:
  name: \${name}
`,
  },
  'flux/variable-not-set': {
    severity: 'warning',
    title: 'Nobody sets a variable that Flux fills in',
    explanation: `The Kustomization that applies this object sets no such variable, neither itself nor by a ConfigMap or Secret, and the
text has no default such as \`\${NAME:=value}\`. Flux 2.9 and later refuse to apply it; with earlier ones, or with the feature gate
\`StrictPostBuildSubstitutions\` off, the text is empty.`,
    notShown: 'it takes a Kustomization that applies the file',
    bad: `metadata:
  name: \${name}
`,
    good: `metadata:
  name: \${name:=shop}
`,
  },
  'flux/path-not-found': {
    severity: 'warning',
    title: 'The repository has no such folder',
    explanation: `The Kustomization applies a folder of this repository that is not there. Flux stops with "kustomization path not
found", applies nothing, and what was applied before stays as it is. It is a warning, since Flux may follow another branch.`,
    notShown: 'it takes the folders of a repository',
    bad: `spec:
  path: ./aps
`,
    good: `spec:
  path: ./apps
`,
  },
});
