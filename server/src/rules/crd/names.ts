import { valueAt } from '../../base/value.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import type { MetadataFacts } from '../../kubernetes/metadata/findings.ts';
import { insertKey, setValue } from '../../yaml/edit.ts';
import { choices, fixOf, lastStep, valueIn } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';

export const nameRules = family<CrdFacts & MetadataFacts>()({
  'crd/group-required': {
    title: 'The CRD has no group',
    explanation: `Every kind belongs to an API group, the part before the slash in \`apiVersion\`. Only Kubernetes' own
core kinds have none. Take a domain that you own, such as \`example.com\`: the group cannot be changed later.`,
    bad: `#- use: whole
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.
spec:
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`,
    along: ['metadata/name'],
    good: `#- use: spec
group: example.com
`,
  },
  'crd/group-name': {
    title: 'The group is no DNS name',
    explanation: `A group is written like a domain: lower-case letters, digits, \`-\` and \`.\`, starting and ending with
a letter or digit, 253 characters at most. It becomes part of the URL under which the objects are served.`,
    bad: `#- use: spec
#- name: widgets.Example.com
group: Example.com
`,
    along: ['metadata/name'],
    good: `#- use: spec
group: example.com
`,
    fixes: lowerCased,
  },
  'crd/group-domain': {
    title: 'The group has no dot',
    explanation: `Groups without a dot are reserved for Kubernetes itself (\`apps\`, \`batch\`). A group of yours is a
domain with at least one dot, so that two vendors never meet in one.`,
    bad: `#- use: spec
#- name: widgets.example
group: example
`,
    good: `#- use: spec
group: example.com
`,
  },
  'crd/scope': {
    title: 'The scope is neither Cluster nor Namespaced',
    explanation: `\`spec.scope\` says whether objects live in a namespace (\`Namespaced\`) or stand alone in the cluster
(\`Cluster\`). There is no default, upper and lower case count, and it cannot be changed once the CRD exists.`,
    marker: '+kubebuilder:resource:scope=…',
    bad: `#- use: spec
scope: namespaced
`,
    good: `#- use: spec
scope: Namespaced
`,
    fixes: scopeFixes,
  },
  'crd/name-required': {
    title: 'A name of the kind is missing',
    explanation: `\`spec.names\` needs \`plural\` (the word in URLs and for kubectl) and \`kind\` (the word in manifests).
\`singular\` and \`listKind\` follow from \`kind\` where they are not given, so a missing kind shows up three times.`,
    bad: `#- use: spec
names:
  plural: widgets
`,
    good: `#- use: spec
names:
  plural: widgets
  kind: Widget
`,
  },
  'crd/name-label': {
    title: 'A name is no DNS label',
    explanation: `\`plural\`, \`singular\`, short names and categories are words for URLs and the command line: lower-case
letters, digits and \`-\`, starting with a letter, 63 characters at most. Only \`kind\` and \`listKind\` are in CamelCase.`,
    bad: `#- use: spec
names:
  plural: widgets
  kind: Widget
  shortNames: [WD]
`,
    good: `#- use: spec
names:
  plural: widgets
  kind: Widget
  shortNames: [wd]
`,
    fixes: lowerCased,
  },
  'crd/kind-label': {
    title: 'A kind has letters that no kind may have',
    explanation: `\`kind\` and \`listKind\` may mix upper and lower case, but apart from that they are DNS labels: letters,
digits and \`-\`, starting with a letter, 63 characters at most. Write it in CamelCase without underscores.`,
    bad: `#- use: spec
names:
  plural: widgets
  kind: My_Widget
  listKind: WidgetList
  singular: widget
`,
    good: `#- use: spec
names:
  plural: widgets
  kind: MyWidget
`,
    fixes: kindFixes,
  },
  'crd/list-kind-same': {
    title: 'The list has the same kind as its items',
    explanation: `A client that reads \`kind\` has to tell one object from a list of them. Leave \`listKind\` out and it
becomes the kind followed by \`List\`, which is what everyone expects.`,
    bad: `#- use: spec
names:
  plural: widgets
  kind: Widget
  listKind: Widget
`,
    good: `#- use: spec
names:
  plural: widgets
  kind: Widget
  listKind: WidgetList
`,
    fixes: (problem) => {
      const list = `${valueIn(problem, problem.path)}List`;
      return fixOf(`Change to \`${list}\``, setValue(problem.document, problem.path, list), true);
    },
  },
  'crd/api-approved-missing': {
    title: 'A group of the Kubernetes community without approval',
    explanation: `Groups under \`k8s.io\` and \`kubernetes.io\` belong to the Kubernetes community, whose API reviewers have
to agree. The annotation \`api-approved.kubernetes.io\` holds the link to that review, or a text that starts with
\`unapproved\` to say openly that there was none. For an API of your own take a domain of your own.`,
    marker: '+kubebuilder:metadata:annotations="api-approved.kubernetes.io=…"',
    bad: `#- use: spec
#- name: widgets.example.k8s.io
group: example.k8s.io
`,
    good: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.k8s.io
  annotations:
    api-approved.kubernetes.io: "unapproved, an experiment"
spec:
  group: example.k8s.io
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`,
    fixes: unapproved,
  },
  'crd/api-approved-invalid': {
    title: 'The approval is neither a link nor "unapproved"',
    explanation: `The annotation \`api-approved.kubernetes.io\` must be the full URL of the API review, with \`https://\`, or
begin with \`unapproved\`. Anything else could be mistaken for an approval.`,
    bad: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.k8s.io
  annotations:
    api-approved.kubernetes.io: "yes"
spec:
  group: example.k8s.io
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`,
    good: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.k8s.io
  annotations:
    api-approved.kubernetes.io: https://github.com/kubernetes/enhancements/pull/1111
spec:
  group: example.k8s.io
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`,
  },
});

function lowerCased(problem: Problem): Fix[] {
  const written = valueIn(problem, problem.path);
  if (typeof written !== 'string' || written === written.toLowerCase()) return [];
  const lower = written.toLowerCase();
  return fixOf(`Change to \`${lower}\``, setValue(problem.document, problem.path, lower), false);
}

function scopeFixes(problem: ProblemOf<CrdFacts, 'crd/scope'>): Fix[] {
  // Most kinds live in namespaces: that comes first.
  const scopes = [...problem.facts.supported].reverse();
  if (lastStep(problem) === 'scope') return choices(problem, scopes);
  return scopes.flatMap((scope) =>
    fixOf(
      `Add \`scope: ${scope}\``,
      insertKey(problem.document, problem.path, 'scope', scope, { after: 'group' }),
      false,
    ),
  );
}

function kindFixes(problem: Problem): Fix[] {
  const written = String(valueIn(problem, problem.path));
  const camel = written.replace(/[^A-Za-z0-9]+(.?)/g, (_, letter: string) => letter.toUpperCase());
  if (!/^[A-Za-z]/.test(camel) || camel === written) return [];
  return fixOf(`Change to \`${camel}\``, setValue(problem.document, problem.path, camel), false);
}

const approval = 'api-approved.kubernetes.io';

function unapproved(problem: Problem): Fix[] {
  const { document, manifest } = problem;
  const metadata = [...(manifest?.at ?? []), 'metadata'];
  const annotations = [...metadata, 'annotations'];
  const text = 'unapproved, ';
  const edits =
    valueAt(valueIn(problem, metadata), ['annotations']) === undefined
      ? insertKey(document, metadata, 'annotations', new Map([[approval, text]]))
      : insertKey(document, annotations, approval, text);
  return fixOf(`Add \`${approval}: unapproved\``, edits, false);
}
