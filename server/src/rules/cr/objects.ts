import type { CrFacts } from '../../kubernetes/cr/findings.ts';
import type { EmbeddedFacts } from '../../kubernetes/schema/findings.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { rootSchema, schemaAt } from '../../workspace/schemaNode.ts';
import { removeAt } from '../../yaml/edit.ts';
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
    title: 'The object cannot be decoded',
    explanation: `Before it looks at anything else the API server decodes the object's metadata, which has fixed types: labels
and annotations are strings, finalizers are a list of strings, and so on. What does not fit ends the request.`,
    bad: gizmo('metadata:\n  name: a\n  labels: {version: [1]}\n'),
    good: gizmo('metadata:\n  name: a\n  labels: {version: "1"}\n'),
  },
  'cr/duplicate-field': {
    title: 'A field that is given twice',
    explanation:
      'Of two fields of one name the last one counts. Under strict field validation the API server refuses both.',
    bad: gizmo('metadata:\n  name: a\n'),
    good: gizmo('metadata:\n  name: a\n'),
    notShown: 'In YAML a key that stands twice is reported as `yaml/duplicate-key`, since kubectl drops the first one.',
  },
  'cr/scale': {
    title: 'A number of replicas that scaling cannot work with',
    explanation: `The CRD has the scale subresource, so the fields it names must be usable: whole numbers from 0 to
2,147,483,647.`,
    bad: named('replicas: -1\n'),
    good: named('replicas: 1\n'),
  },
  'cr/list-duplicate': {
    title: 'A list item that is there already',
    explanation: `The list is a set, or a map by some of its items' fields: each value, or each combination of keys, can be
there only once.`,
    bad: named('tags: [a, b, a]\n'),
    good: named('tags: [a, b]\n'),
    fixes: ({ document, path }) => fixOf('Remove this item', removeAt(document, path), false),
    related: (problem, definition) => [...firstItem(problem), ...listTypeOf(problem, definition)],
  },
  'cr/list-map-item': {
    title: 'An item without keys in a list of type map',
    explanation: 'Items of a list of type `map` are told apart by their keys, so each must be an object.',
    bad: named('parts: [wheel]\n'),
    good: named('parts: [{name: wheel}]\n'),
    notShown: 'The schema says the same of its type first, and where it does not, the API server rarely gets this far.',
  },
  'embedded/api-version': {
    title: 'An embedded object without a good apiVersion',
    explanation: 'The field holds a whole Kubernetes object, which needs an `apiVersion` such as `v1` or `apps/v1`.',
    bad: named('template: {kind: Pod}\n'),
    good: named('template: {apiVersion: v1, kind: Pod}\n'),
  },
  'embedded/kind': {
    title: 'An embedded object without a good kind',
    explanation: 'The field holds a whole Kubernetes object, which needs a `kind`.',
    bad: named('template: {apiVersion: v1}\n'),
    good: named('template: {apiVersion: v1, kind: Pod}\n'),
  },
  'embedded/metadata': {
    title: 'An embedded object whose metadata is wrong',
    explanation: 'The metadata of an embedded object is checked as that of any object.',
    bad: named('template: {apiVersion: v1, kind: Pod, metadata: {labels: {a: [b]}}}\n'),
    notShown: 'Metadata that cannot be decoded ends the request: it is reported as `cr/decode`.',
    good: named('template: {apiVersion: v1, kind: Pod, metadata: {labels: {a: b}}}\n'),
  },
  'cr/rule': {
    title: 'A rule of the CRD is broken',
    explanation: `The CRD's author wrote a rule in CEL that the object does not obey. The message is theirs; the rule stands in
the CRD, at the field that it guards.`,
    bad: gauge('{low: 3, high: 1}'),
    good: gauge('{low: 1, high: 3}'),
  },
  'cr/rules-not-checked': {
    severity: 'information',
    title: 'Rules that wait for other errors',
    explanation: `The API server does not run the CRD's rules while types, sizes, choices or required fields are wrong. Mend
those first: there may be more to say then.`,
    bad: gauge('{low: "3"}'),
    good: gauge('{low: 3}'),
    along: ['cr/type'],
  },
  'cr/rule-unchanged': {
    severity: 'warning',
    title: 'A broken rule that the update does not touch',
    explanation: `The value was broken before, and the update leaves it as it is: the API server lets it pass with a warning.
It will be refused as soon as the value changes.`,
    bad: gauge('{low: 3, high: 1}'),
    good: gauge('{low: 1, high: 3}'),
    notShown: 'It needs the object that is stored already.',
  },
  'cr/finalizer-name': {
    severity: 'warning',
    title: 'A finalizer that others may also use',
    explanation: `Finalizers are shared by all controllers of a cluster: name yours by a domain and a path, such as
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
  return [{ ...place, message: keyword === mapKeys ? 'these keys tell items apart' : 'the list is a set' }];
}
