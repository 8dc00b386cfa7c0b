import { coded, type Rule } from '../model/rule.ts';

/** What is found while a kustomization is built. */
export type KustomizeCode =
  | 'kustomize/not-built'
  | 'kustomize/outside'
  | 'kustomize/left-out'
  | 'kustomize/too-much'
  | 'kustomize/patch-changes-nothing'
  | 'kustomize/patch-matches-nothing'
  | 'kustomize/list-replaced'
  | 'kustomize/deprecated-field';

type KustomizeRule = Omit<Rule<KustomizeCode, undefined>, 'code' | 'severity'> & {
  readonly severity?: 'warning' | 'information' | 'hint';
};

const ofFiles = 'it is about several files together';

const rows: Readonly<Record<KustomizeCode, KustomizeRule>> = {
  'kustomize/not-built': {
    meantInTests: true,
    ofMissingFile: true,
    title: 'kustomize cannot build it',
    ofBuild: true,
    notShown: ofFiles,
    explanation: `\`kustomize build\` stops here and prints nothing of any overlay that needs it. The message is kustomize's own. The files are
checked as they stand, as far as they can be.`,
    bad: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [missing.yaml]
`,
    good: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [service.yaml]
`,
  },
  'kustomize/outside': {
    severity: 'information',
    ofBuild: true,
    title: 'A file is outside of the folder of its kustomization',
    notShown: ofFiles,
    explanation: `\`kustomize build\` reads files of a kustomization's own folder and below alone, unless it is called with
\`--load-restrictor LoadRestrictionsNone\`, as Flux does. What it builds then is checked.`,
    bad: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [../namespace.yaml]
`,
    good: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [../namespace] # a folder with a kustomization
`,
  },
  'kustomize/left-out': {
    severity: 'information',
    ofBuild: true,
    title: 'A part of the build is not known here',
    notShown: ofFiles,
    explanation: `Nothing is fetched and no program is run for a build. What a base from elsewhere, a chart or a plugin brings is not known, and
nothing is reported that depends on it.`,
    bad: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: ["https://example.com/base.yaml"]
`,
    good: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [base.yaml]
`,
  },
  'kustomize/too-much': {
    severity: 'warning',
    ofBuild: true,
    title: 'The build takes too much work',
    notShown: 'an example would be huge',
    explanation: `Building is bounded, so that no repository can bring an editor to a halt. What this folder builds is not checked.`,
    bad: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [enormous]
`,
    good: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [base.yaml]
`,
  },
  'kustomize/patch-changes-nothing': {
    severity: 'hint',
    title: 'The patch changes nothing',
    notShown: ofFiles,
    explanation: `All that the patch sets is there already. Either it is not needed, or it was meant for another field.`,
    bad: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [deployment.yaml] # with replicas: 2
patches: [{target: {kind: Deployment}, patch: '[{"op": "replace", "path": "/spec/replicas", "value": 2}]'}]
`,
    good: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [deployment.yaml]
`,
  },
  'kustomize/patch-matches-nothing': {
    ofAll: true,
    severity: 'warning',
    title: 'The patch selects no resource',
    notShown: ofFiles,
    explanation: `A patch with a \`target\` that fits nothing is passed over by kustomize without a word: often a kind, a name or a label is
misspelled. A JSON patch for one version is not reported where it would leave the objects of all others unchanged: overlays that
each set \`apiVersion\` often share one base.`,
    bad: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [deployment.yaml]
patches: [{target: {kind: Deploymnet}, path: replicas.yaml}]
`,
    good: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [deployment.yaml]
patches: [{target: {kind: Deployment}, path: replicas.yaml}]
`,
  },
  'kustomize/list-replaced': {
    severity: 'hint',
    title: 'The patch replaces a whole list',
    notShown: ofFiles,
    explanation: `kustomize merges the lists of built-in kinds by the keys that Kubernetes knows for them. Of custom resources it knows none: it
replaces the list, also where the CRD calls it a map with \`x-kubernetes-list-map-keys\`. Write out all items, use a JSON patch, or
give kustomize a schema with \`openapi.path\`.`,
    bad: `apiVersion: example.com/v1
kind: Widget
metadata: {name: a}
spec:
  listeners: [{name: b, port: 2}] # the listener "a" of the base is gone
`,
    good: `- op: add
  path: /spec/listeners/-
  value: {name: b, port: 2}
`,
  },
  'kustomize/deprecated-field': {
    severity: 'hint',
    title: 'The field is deprecated',
    notShown: ofFiles,
    explanation: `kustomize still reads the field, and warns of it. \`kustomize edit fix\` writes what has taken its place.`,
    bad: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
bases: [../base]
`,
    good: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [../base]
`,
  },
};

export const kustomizeRules = coded(rows) as { readonly [Code in KustomizeCode]: Rule<Code, undefined> };
