import { capitalized, runAtEnd } from '../../base/text.ts';
import { isMap } from '../../base/value.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { insertKey, removeAt, setValue } from '../../yaml/edit.ts';
import { choices, fixOf, lastStep, removal, valueIn } from '../fixing/fixes.ts';
import { firstEqual } from '../judging/related.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';

const scale = (rows: string) => `#- use: version
subresources:
  scale:
${rows.replace(/^(?=.)/gm, '    ')}`;

const column = (fields: string) => `#- use: version
additionalPrinterColumns:
  - {${fields}}
`;

const selectable = (path: string, extra = '') => `#- use: version
schema:
  openAPIV3Schema:
    type: object
    properties:
      spec:
        type: object
        properties:
          color: {type: string}
          size: {type: number}
selectableFields:
  - jsonPath: ${path}
${extra}`;

const rightScale = scale(`specReplicasPath: .spec.replicas
statusReplicasPath: .status.replicas
labelSelectorPath: .status.selector
`);

export const subresourceRules = family<CrdFacts>()({
  'crd/scale-path-required': {
    title: 'The scale subresource is missing a path',
    explanation: `\`kubectl scale\` and autoscalers read and write the number of replicas through the scale
subresource. They need to know where the desired number is set (\`specReplicasPath\`) and where the actual number is
reported (\`statusReplicasPath\`); there are no defaults.`,
    marker: '+kubebuilder:subresource:scale:…',
    bad: scale(`specReplicasPath: .spec.replicas
`),
    good: rightScale,
    fixes: addScalePath,
  },
  'crd/scale-path-simple': {
    title: 'A scale path does not start with a dot',
    explanation: `The paths of the scale subresource are simple: a dot before every field, no brackets and no
wildcards, as in \`.spec.replicas\`.`,
    marker: '+kubebuilder:subresource:scale:…',
    bad: scale(`specReplicasPath: spec.replicas
statusReplicasPath: .status.replicas
`),
    good: scale(`specReplicasPath: .spec.replicas
statusReplicasPath: .status.replicas
`),
    fixes: leadingDot,
  },
  'crd/scale-path-place': {
    title: 'A scale path points to the wrong part of the object',
    explanation: `The desired number of replicas must be in a field below \`.spec\`, the reported number in one below
\`.status\`, and the label selector in one below either of them.`,
    marker: '+kubebuilder:subresource:scale:…',
    bad: scale(`specReplicasPath: .replicas
statusReplicasPath: .status.replicas
`),
    good: rightScale,
    fixes: movedPath,
  },
  'crd/column-name': {
    title: 'A printer column has no name',
    explanation: 'The name is the heading that `kubectl get` prints above the column.',
    marker: '+kubebuilder:printcolumn:…',
    bad: column('type: integer, jsonPath: .spec.size'),
    good: column('name: Size, type: integer, jsonPath: .spec.size'),
    fixes: columnName,
  },
  'crd/column-type': {
    title: 'A printer column has no type, or one that does not exist',
    explanation: `A column is printed as \`boolean\`, \`date\`, \`integer\`, \`number\` or \`string\`. Objects and
arrays cannot be shown in a cell: point to a field inside them, or use \`string\`. For a time, use \`date\`, which
prints its age.`,
    marker: '+kubebuilder:printcolumn:…',
    bad: column('name: Size, type: int, jsonPath: .spec.size'),
    good: column('name: Size, type: integer, jsonPath: .spec.size'),
    fixes: columnType,
  },
  'crd/column-format': {
    title: 'A printer column has a format that does not exist',
    explanation: `The format of a column is one of \`byte\`, \`date\`, \`date-time\`, \`double\`, \`float\`, \`int32\`,
\`int64\` and \`password\`. It makes little difference to what kubectl prints; most columns have none.`,
    marker: '+kubebuilder:printcolumn:…',
    bad: column('name: Size, type: integer, format: int, jsonPath: .spec.size'),
    good: column('name: Size, type: integer, format: int32, jsonPath: .spec.size'),
    fixes: (problem) => [...choices(problem, problem.facts.supported), ...removal(false)(problem)],
  },
  'crd/column-path': {
    title: 'A printer column has no path, or one that does not start with a dot',
    explanation: `\`jsonPath\` is the path of the field that the column shows, starting from the object:
\`.spec.size\`. In \`v1beta1\` the same key was written \`JSONPath\`. Do not use braces, as in kubectl's own output
options.`,
    marker: '+kubebuilder:printcolumn:…',
    bad: column('name: Size, type: integer, jsonPath: spec.size'),
    good: column('name: Size, type: integer, jsonPath: .spec.size'),
    fixes: leadingDot,
  },
  'crd/selectable-without-schema': {
    title: 'Selectable fields need a schema',
    explanation: `A field can be used in a field selector (\`kubectl get --field-selector\`) only if the schema
describes it, so the version needs \`schema.openAPIV3Schema\`. (The API server's text says the opposite: it means "may
not be set when … is not included".)`,
    marker: '+kubebuilder:selectablefield:…',
    bad: `#- use: spec
versions:
  - name: v1
    served: true
    storage: true
    selectableFields:
      - jsonPath: .spec.color
`,
    along: ['crd/version-schema-missing'],
    good: selectable('.spec.color'),
  },
  'crd/selectable-path-required': {
    title: 'A selectable field has no path',
    explanation: 'Each entry of `selectableFields` is a `jsonPath` to one field, such as `.spec.color`.',
    marker: '+kubebuilder:selectablefield:…',
    bad: selectable('""'),
    good: selectable('.spec.color'),
  },
  'crd/selectable-path': {
    title: 'The path of a selectable field leads nowhere',
    explanation: `The path is followed through the schema of this version, field by field: a dot before each, no
wildcards, no list items. Only a field that the schema declares can be used in a selector.`,
    marker: '+kubebuilder:selectablefield:…',
    bad: selectable('.spec.colour'),
    good: selectable('.spec.color'),
  },
  'crd/selectable-metadata': {
    title: 'A selectable field inside metadata',
    explanation: `Every kind can be selected by \`metadata.name\` and \`metadata.namespace\`, but by no other field in
metadata. To select by labels, use label selectors.`,
    marker: '+kubebuilder:selectablefield:…',
    bad: `#- use: version
schema:
  openAPIV3Schema:
    type: object
    properties:
      metadata:
        type: object
        properties:
          name: {type: string}
selectableFields:
  - jsonPath: .metadata.name
`,
    good: selectable('.spec.color'),
    fixes: (problem) =>
      fixOf('Remove the selectable field', removeAt(problem.document, problem.path.slice(0, -1)), false),
  },
  'crd/selectable-type': {
    title: 'A selectable field is not a string, boolean or integer',
    explanation: `A field selector compares text for equality. That works for strings (including those with an enum or
a format), booleans and integers, but not for other numbers, objects and lists.`,
    marker: '+kubebuilder:selectablefield:…',
    bad: selectable('.spec.size'),
    good: selectable('.spec.color'),
    fixes: (problem) =>
      fixOf('Remove the selectable field', removeAt(problem.document, problem.path.slice(0, -1)), false),
  },
  'crd/selectable-duplicate': {
    title: 'A selectable field is listed twice',
    explanation: 'Two entries lead to the same field, perhaps written in different ways. Remove one.',
    marker: '+kubebuilder:selectablefield:…',
    bad: selectable('.spec.color', '  - jsonPath: .spec.color\n'),
    good: selectable('.spec.color'),
    fixes: (problem) => fixOf('Remove the duplicate', removeAt(problem.document, entry(problem)), true),
    related: firstEqual,
  },
  'crd/selectable-too-many': {
    title: 'There are more than eight selectable fields',
    explanation: `The API server looks at every selectable field of every object that a watch might be interested in,
so each version may have at most eight. Keep those that clients really use in selectors, and use labels for the rest.`,
    marker: '+kubebuilder:selectablefield:…',
    bad: `#- use: version
schema:
  openAPIV3Schema:
    type: object
    properties:
${[...'abcdefghi'].map((name) => `      ${name}: {type: string}\n`).join('')}selectableFields:
${[...'abcdefghi'].map((name) => `  - jsonPath: .${name}\n`).join('')}`,
    good: selectable('.spec.color'),
  },
});

/** The list item that a problem is in. */
function entry({ path }: Problem) {
  return path.slice(0, path.findLastIndex((step) => typeof step === 'number') + 1);
}

function addScalePath(problem: ProblemOf<CrdFacts, 'crd/scale-path-required'>): Fix[] {
  const { field, prefix } = problem.facts;
  const value = `${prefix}.replicas`;
  const isWritten = lastStep(problem) === field;
  const edits = isWritten
    ? setValue(problem.document, problem.path, value)
    : insertKey(problem.document, problem.path, field, value);
  return fixOf(`Add \`${field}: ${value}\``, edits, false);
}

function leadingDot(problem: Problem): Fix[] {
  const written = valueIn(problem, problem.path);
  if (typeof written !== 'string') return [];
  const bare = /^\{(.*)\}$/s.exec(written)?.[1] ?? written;
  const dotted = `.${bare.replace(/^\$/, '').replace(/^\.+/, '')}`;
  return fixOf(`Change to \`${dotted}\``, setValue(problem.document, problem.path, dotted), true);
}

function movedPath(problem: ProblemOf<CrdFacts, 'crd/scale-path-place'>): Fix[] {
  const { prefix } = problem.facts;
  const written = valueIn(problem, problem.path);
  if (prefix === undefined || typeof written !== 'string') return [];
  const rest = written.replace(/^\.(?:spec|status)(?=\.|$)/, '');
  const moved = `${prefix}${rest === '' || rest === '.' ? '.replicas' : rest}`;
  return fixOf(`Change to \`${moved}\``, setValue(problem.document, problem.path, moved), false);
}

function lastWord(text: string): string {
  const end = runAtEnd(text, /\W/);
  return text.slice(runAtEnd(text, /\w/, end), end);
}

function columnName(problem: Problem): Fix[] {
  const column = valueIn(problem, entry(problem));
  const path = isMap(column) ? column.get('jsonPath') : undefined;
  const field = typeof path === 'string' ? lastWord(path) : '';
  if (field === '' || !isMap(column)) return [];
  const name = capitalized(field);
  const edits = column.has('name')
    ? setValue(problem.document, [...entry(problem), 'name'], name)
    : insertKey(problem.document, entry(problem), 'name', name, { first: true });
  return fixOf(`Add \`name: ${name}\``, edits, true);
}

/** What other languages call the types of a column. */
const meant: Readonly<Record<string, string>> = {
  int: 'integer',
  int32: 'integer',
  int64: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  'date-time': 'date',
  timestamp: 'date',
  time: 'date',
  object: 'string',
  array: 'string',
  text: 'string',
};

function columnType(problem: ProblemOf<CrdFacts, 'crd/column-type'>): Fix[] {
  const { type, supported } = problem.facts;
  if (lastStep(problem) !== 'type') {
    return supported.flatMap((one) =>
      fixOf(`Add \`type: ${one}\``, insertKey(problem.document, entry(problem), 'type', one, { after: 'name' }), false),
    );
  }
  const known = Object.hasOwn(meant, type.toLowerCase()) ? meant[type.toLowerCase()] : undefined;
  if (known === undefined) return choices(problem, supported);
  return fixOf(`Change to \`${known}\``, setValue(problem.document, problem.path, known), true);
}
