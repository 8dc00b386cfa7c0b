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
    explanation: `Every kind belongs to an API group, which is the part before the slash in \`apiVersion\`. Only
Kubernetes' own core kinds have none. Choose a domain that you own, such as \`example.com\`: the group cannot be
changed later.`,
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
    title: 'The group is not a valid DNS name',
    explanation: `A group is written like a domain: lower-case letters, digits, \`-\` and \`.\`, starting and ending
with a letter or digit, at most 253 characters. It becomes part of the URL at which the objects are served.`,
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
    explanation: `Groups without a dot, such as \`apps\` and \`batch\`, are reserved for Kubernetes itself. Your own
group must be a domain with at least one dot, so that no two vendors share one.`,
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
    explanation: `\`spec.scope\` says whether objects live in a namespace (\`Namespaced\`) or belong to the cluster as
a whole (\`Cluster\`). There is no default, the value is case-sensitive, and it cannot be changed once the CRD exists.`,
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
    title: 'A required name is missing from spec.names',
    explanation: `\`spec.names\` needs \`plural\` (used in URLs and by kubectl) and \`kind\` (used in manifests).
\`singular\` and \`listKind\` are derived from \`kind\` if they are not given, so a missing kind is reported three
times.`,
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
    title: 'A name is not a valid DNS label',
    explanation: `\`plural\`, \`singular\`, short names and categories are used in URLs and on the command line:
lower-case letters, digits and \`-\`, starting with a letter, at most 63 characters. Only \`kind\` and \`listKind\` are
in CamelCase.`,
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
    title: 'A kind has characters that are not allowed',
    explanation: `\`kind\` and \`listKind\` may mix upper and lower case, but are DNS labels otherwise: letters, digits
and \`-\`, starting with a letter, at most 63 characters. Use CamelCase without underscores.`,
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
    title: 'listKind is the same as kind',
    explanation: `A client that reads \`kind\` must be able to tell an object from a list of objects. If you leave
\`listKind\` out, it becomes the kind followed by \`List\`, which is what everyone expects.`,
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
    oftenAdded: true,
    title: 'A Kubernetes community group without an API approval',
    explanation: `Groups under \`k8s.io\` and \`kubernetes.io\` belong to the Kubernetes community, and its API
reviewers have to approve them. The annotation \`api-approved.kubernetes.io\` contains the link to that review, or a
text that starts with \`unapproved\` to say openly that there was none. For your own API, use your own domain.`,
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
    explanation: `The annotation \`api-approved.kubernetes.io\` must be the full URL of the API review, including
\`https://\`, or start with \`unapproved\`. Anything else could be mistaken for an approval.`,
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
  if (typeof written !== 'string') return [];
  const isGroup = lastStep(problem) === 'group';
  const lower = written
    .toLowerCase()
    .replace(isGroup ? /[^a-z0-9.-]+/g : /[^a-z0-9-]+/g, '-')
    .slice(0, 253)
    .replace(isGroup ? /^[^a-z0-9]+|[^a-z0-9]+$/g : /^[^a-z]+|-+$/g, '');
  if (lower === written || lower === '') return [];
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
