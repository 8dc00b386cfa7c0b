import type { CrFacts } from '../../kubernetes/cr/findings.ts';
import type { EmbeddedFacts } from '../../kubernetes/schema/findings.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { rootSchema, schemaAt } from '../../workspace/schemaNode.ts';
import { quoteAt, removeAt } from '../../yaml/edit.ts';
import { fixOf } from '../fixing/fixes.ts';
import { locateInFile } from '../judging/locate.ts';
import { relatedAt } from '../judging/related.ts';
import { family, type Problem, type ProblemOf, type RelatedProblem } from '../model/rule.ts';

const gizmo = (rest: string) => `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmo
${rest}`;

const gauge = (spec: string) => `#- use: gauges
apiVersion: example.com/v1
kind: Gauge
metadata:
  name: a
spec: ${spec}
`;

const named = (spec: string) => gizmo(`metadata:\n  name: a\nspec:\n${spec.replace(/^(?=.)/gm, '  ')}`);

export const objectRules = family<CrFacts & EmbeddedFacts>()({
  'cr/decode': {
    hides: true,
    title: 'The object cannot be decoded',
    explanation: `Before anything else the API server decodes the object's metadata, in which the types are fixed:
labels and annotations are strings, finalizers are a list of strings, and so on. If a value does not fit, the request
fails right away.`,
    bad: gizmo('metadata:\n  name: a\n  labels: {version: [1]}\n'),
    good: gizmo('metadata:\n  name: a\n  labels: {version: "1"}\n'),
    fixes: ({ document, path }) => fixOf('Quote the value', quoteAt(document, path), true),
  },
  'cr/duplicate-field': {
    title: 'A field is given twice',
    explanation: `If a field is given twice, the last one counts. Under strict field validation the API server rejects
the object.`,
    bad: gizmo('metadata:\n  name: a\n'),
    good: gizmo('metadata:\n  name: a\n'),
    notShown: 'In YAML a duplicate key is reported as `yaml/duplicate-key`, since kubectl drops the first one.',
  },
  'cr/scale': {
    title: 'A number of replicas that cannot be used for scaling',
    explanation: `The CRD has the scale subresource, so the fields it refers to must be usable: whole numbers from 0 to
2,147,483,647.`,
    bad: named('replicas: -1\n'),
    good: named('replicas: 1\n'),
  },
  'cr/list-duplicate': {
    title: 'A list item that already exists',
    explanation: `The list is a set, or a map keyed by some fields of its items: each value, or each combination of
keys, may appear only once.`,
    bad: named('tags: [a, b, a]\n'),
    good: named('tags: [a, b]\n'),
    fixes: ({ document, path }) => fixOf('Remove this item', removeAt(document, path), false),
    related: (problem, definition) => [...firstItem(problem), ...listTypeOf(problem, definition)],
  },
  'cr/list-map-item': {
    title: 'An item of a list of type map has no keys',
    explanation: 'The items of a list of type `map` are identified by their keys, so each must be an object.',
    bad: named('parts: [wheel]\n'),
    good: named('parts: [{name: wheel}]\n'),
    notShown: 'The schema reports the wrong type first, and if it does not, the API server rarely gets this far.',
  },
  'embedded/api-version': {
    title: 'The apiVersion of an embedded object is missing or invalid',
    explanation: 'The field contains a whole Kubernetes object, which needs an `apiVersion` such as `v1` or `apps/v1`.',
    bad: named('template: {kind: Pod}\n'),
    good: named('template: {apiVersion: v1, kind: Pod}\n'),
  },
  'embedded/kind': {
    title: 'The kind of an embedded object is missing or invalid',
    explanation: 'The field contains a whole Kubernetes object, which needs a `kind`.',
    bad: named('template: {apiVersion: v1}\n'),
    good: named('template: {apiVersion: v1, kind: Pod}\n'),
  },
  'embedded/metadata': {
    title: 'The metadata of an embedded object is invalid',
    explanation: 'The metadata of an embedded object is checked like that of any other object.',
    bad: named('template: {apiVersion: v1, kind: Pod, metadata: {labels: {a: [b]}}}\n'),
    notShown: 'Metadata that cannot be decoded makes the request fail: it is reported as `cr/decode`.',
    good: named('template: {apiVersion: v1, kind: Pod, metadata: {labels: {a: b}}}\n'),
  },
  'cr/rule': {
    ofEvaluation: true,
    meantInTests: true,
    isLate: true,
    title: 'The object breaks a rule of its CRD',
    explanation: `The CRD has a rule in CEL that the object does not satisfy. The message comes from the CRD's author;
the rule is in the CRD, at the field that it applies to.`,
    bad: gauge('{low: 3, high: 1}'),
    good: gauge('{low: 1, high: 3}'),
  },
  'cr/rules-not-checked': {
    isLate: true,
    asNote: true,
    severity: 'information',
    title: 'Rules were not checked because of other errors',
    explanation: `The API server does not run the CRD's rules while there are wrong types, sizes, choices or missing
required fields. Fix those first; more errors may show up then.`,
    bad: gauge('{low: "3"}'),
    good: gauge('{low: 3}'),
    along: ['cr/type'],
  },
  'cr/rule-unchanged': {
    isLate: true,
    severity: 'warning',
    title: 'A broken rule on a value that the update does not change',
    explanation: `The value was invalid before, and the update leaves it as it is, so the API server lets it pass with
a warning. It will be rejected as soon as the value changes.`,
    bad: gauge('{low: 3, high: 1}'),
    good: gauge('{low: 1, high: 3}'),
    notShown: 'It needs an object that is already stored.',
  },
  'cr/finalizer-name': {
    ofKind: true,
    severity: 'warning',
    title: 'A finalizer name that others may also use',
    explanation: `All controllers of a cluster share the names of finalizers: use a domain and a path, such as
\`example.com/cleanup\`.`,
    bad: gizmo('metadata:\n  name: a\n  finalizers: [cleanup]\n'),
    good: gizmo('metadata:\n  name: a\n  finalizers: [example.com/cleanup]\n'),
  },
});

function firstItem(problem: ProblemOf<CrFacts, 'cr/list-duplicate'>): RelatedProblem[] {
  const path = [...problem.path.slice(0, -1), problem.facts.first];
  return [relatedAt(problem, path, 'the first one', 'value')];
}

const listType = 'x-kubernetes-list-type';
const mapKeys = 'x-kubernetes-list-map-keys';

/** What a CRD says of the list that an item is in. */
function listTypeOf({ path, manifest }: Problem, definition: Definition | undefined): RelatedProblem[] {
  const root = manifest && definition && rootSchema(definition, manifest.apiVersion);
  const node = root && schemaAt(root, path.slice(manifest.at.length, -1));
  if (!node?.path || !definition) return [];
  const keyword = node.schema.has(mapKeys) ? mapKeys : listType;
  const place = locateInFile(definition.file, definition.manifest, [...node.path, keyword], 'key');
  return [{ ...place, message: keyword === mapKeys ? 'these keys identify the items' : 'the list is a set' }];
}
