import { quoteAt, setValue, wrapInList } from '../../yaml/edit.ts';
import { unknownFieldFixes } from '../cr/unknownField.ts';
import { fixOf, removal, valueIn, withoutUnit } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem } from '../model/rule.ts';

/** What is said about objects of the kinds that Kubernetes has built in, beside their metadata. */
export type BuiltinFacts = {
  'builtin/decode': undefined;
  'builtin/unknown-field': FieldFacts;
  'builtin/duplicate-field': FieldFacts;
  'builtin/not-served': Instead;
  'builtin/deprecated': Instead;
  'builtin/embedded': FieldFacts;
  'builtin/kind-misspelled': { readonly near: readonly string[] };
};

/** The names that the field's neighbours could have. */
interface FieldFacts {
  readonly known: readonly string[];
}

/** The API versions to use. */
interface Instead {
  readonly instead: readonly string[];
}

const deployment = (spec: string) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
${spec.replace(/^(?=.)/gm, '  ')}`;

const ingress = (apiVersion: string) => `apiVersion: ${apiVersion}
kind: Ingress
metadata:
  name: web
spec:
  defaultBackend:
    service: {name: web, port: {number: 80}}
`;

const whole = `replicas: 2
selector:
  matchLabels: {app: web}
template:
  metadata:
    labels: {app: web}
  spec:
    containers:
      - name: web
        image: nginx
`;

const gizmo = (spec: string) => `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmo
metadata:
  name: a
spec:
  template:
    apiVersion: v1
    kind: Pod
    metadata: {name: a}
    ${spec}
`;

export const builtinRules = family<BuiltinFacts>()({
  'builtin/decode': {
    ofType: true,
    hides: true,
    title: 'A value of the wrong type, or one that cannot be read',
    explanation: `The API server decodes the object into the Go types of its kind before it does anything else, and a value that does
not fit ends the request: a quoted number where a number belongs, a map instead of a list, a quantity with an
unknown unit. It reports only the first such value, and validates nothing before all can be decoded.`,
    bad: deployment(whole.replace('replicas: 2', 'replicas: "2"')),
    good: deployment(whole),
    fixes: converted,
  },
  'builtin/unknown-field': {
    ofKey: true,
    ofVersion: true,
    byFieldValidation: true,
    title: 'A field that the kind does not have',
    explanation: `The kind has no such field in this Kubernetes release. Under strict field validation, which is what
kubectl asks for, the API server rejects the object; otherwise it drops the field without storing it. Usually it is
misspelled, indented to the wrong level, or from a newer release.`,
    bad: deployment(whole.replace('replicas', 'replica')),
    good: deployment(whole),
    fixes: unknownFieldFixes,
  },
  'builtin/duplicate-field': {
    title: 'A field is given twice',
    explanation: `If a field is given twice, the last one counts. Under strict field validation the API server rejects
the object.`,
    bad: deployment(whole),
    good: deployment(whole),
    notShown: 'In YAML a duplicate key is reported as `yaml/duplicate-key`, since kubectl drops the first one.',
  },
  'builtin/not-served': {
    meantInTests: true,
    ofKind: true,
    ofVersion: true,
    hides: true,
    title: 'A version of a kind that the release does not serve',
    explanation: `Kubernetes has the kind, but not in this version: the version was removed, or comes with a later release. A
kind may also be gone for good, as PodSecurityPolicy is, or belong to another group. The API server answers that there are no
matches for the kind. The fixes offer the versions that exist; their fields may differ.`,
    bad: ingress('extensions/v1beta1'),
    good: ingress('networking.k8s.io/v1'),
    fixes: ({ document, path, facts: { instead } }) =>
      instead.flatMap((version) => fixOf(`Change to \`${version}\``, setValue(document, path, version), false)),
  },
  'builtin/deprecated': {
    ofVersion: true,
    meantInTests: true,
    ofKind: true,
    severity: 'warning',
    title: 'A deprecated version of a kind',
    explanation: `The API server accepts the object with this warning. A later release may not serve the version any more.`,
    bad: `apiVersion: v1
kind: Endpoints
metadata:
  name: web
`,
    good: `apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: web
addressType: IPv4
endpoints: []
`,
    fixes: ({ document, path, facts: { instead } }) =>
      instead.flatMap((version) => fixOf(`Change to \`${version}\``, setValue(document, path, version), false)),
  },
  'builtin/embedded': {
    severity: 'warning',
    title: 'An object in a custom resource that is not valid for its kind',
    explanation: `The CRD allows any object here, and the API server stores it as it is. But the object names a built-in kind and does
not fit it: whatever creates it from this resource will be rejected. Pod templates are checked likewise, where the schema of
the CRD is a copy of theirs, as far as no controller mends them: what is missing may be added.`,
    bad: gizmo('spc: {}'),
    good: gizmo('spec: {}'),
    fixes: (problem) => (problem.facts.known.length === 0 ? [] : unknownFieldFixes(problem)),
  },
  'builtin/kind-misspelled': {
    hides: true,
    severity: 'warning',
    title: 'The kind looks misspelled',
    explanation: `Kubernetes has no such kind in this version, and one of its kinds has nearly the same name. The API
server would answer \`no matches for kind\`.`,
    bad: deployment(whole).replace('Deployment', 'Deploymnet'),
    good: deployment(whole),
    fixes: ({ document, path, facts: { near } }) =>
      near.flatMap((kind) => fixOf(`Change to \`${kind}\``, setValue(document, path, kind), false)),
  },
});

/** Forms that the value may have been meant to have: which of them the kind's type takes, the trial tells. */
function converted(problem: Problem): Fix[] {
  const { document, path } = problem;
  const value = valueIn(problem, path);
  const removed = removal(false)(problem);
  if (typeof value !== 'string') return [...fixOf('Quote the value', quoteAt(document, path), true), ...removed];
  const meant = /^-?\d{1,18}$/.test(value) ? BigInt(value) : booleans.get(value);
  if (meant !== undefined) return fixOf('Remove the quotes', setValue(document, path, meant), true);
  return [...fixOf('Make it a list', wrapInList(document, path), true), ...withoutUnit(problem), ...removed];
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);
