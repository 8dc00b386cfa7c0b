import type { Path } from '../../base/value.ts';
import type { PrinterColumn, ScaleSubresource } from '../../kubernetes/api/crd.ts';
import { insertKey, setValue } from '../../yaml/edit.ts';
import { fixOf, valueIn } from '../fixing/fixes.ts';
import { nearestNames } from '../fixing/nearest.ts';
import type { Fix } from '../model/diagnostic.ts';
import type { ProblemOf } from '../model/rule.ts';
import { follow, type Lead, type PathStep, pathSteps } from './jsonPath.ts';
import { type Found, lintFamily } from './lint.ts';
import { fieldName, type Linted, type LintedVersion, lintPlace, type SchemaPlace, schemaPath } from './linted.ts';

// Selectable fields need no warning: the API server itself refuses those that its schema does not have.

/** What a path may have been meant to be. */
interface Misspelled {
  /** Names that may have been meant, in place of the part of the path from `start` to `end`. */
  readonly near: readonly string[];
  readonly start: number;
  readonly end: number;
}

type PathFacts = {
  'lint/column-path': Misspelled | undefined;
  /** The type that would fit. */
  'lint/column-type': { readonly fitting: string };
  'lint/scale-path': Misspelled | undefined;
  /** A field that is called as selectors are. */
  'lint/scale-selector': { readonly guess: string | undefined };
};

interface PlacedColumn {
  readonly column: PrinterColumn;
  readonly at: Path;
  readonly lead: Lead;
}

/** The columns whose paths can be followed through the schema. */
function columnsOf({ version, path, root }: LintedVersion): PlacedColumn[] {
  return version.printerColumns.flatMap((column, i) => {
    const steps = pathSteps(column.jsonPath ?? '');
    const at = [...path, 'additionalPrinterColumns', i];
    return steps?.length ? [{ column, at, lead: follow(root, steps) }] : [];
  });
}

function lintColumnPaths(_: Linted, version: LintedVersion): Found<PathFacts['lint/column-path']>[] {
  return columnsOf(version).flatMap(({ at, lead }) => {
    if (lead.kind !== 'nowhere') return [];
    const message = `The column stays empty: ${missing(lead)}.`;
    return [{ message, at: [...at, 'jsonPath'], anchor: 'value' as const, facts: meant(lead) }];
  });
}

function lintColumnTypes(linted: Linted, version: LintedVersion): Found<PathFacts['lint/column-type']>[] {
  return columnsOf(version).flatMap(({ column, at, lead }) => {
    if (lead.kind !== 'schema') return [];
    const { schema } = lead.place;
    const fitting = schema.extensions.intOrString ? undefined : fittingColumn(schema.type);
    if (fitting === undefined || shows(column.type ?? '', schema.type)) return [];
    const message = `The column stays empty: \`${column.jsonPath}\` is of type ${schema.type}, which a column of type ${column.type} cannot show.`;
    const related = [{ ...lintPlace(linted, schemaPath(lead.place)), message: 'the field' }];
    return [{ message, at: [...at, 'type'], anchor: 'value' as const, facts: { fitting }, related }];
  });
}

type Nowhere = Extract<Lead, { kind: 'nowhere' }>;

function missing({ missing: step, from }: Nowhere): string {
  const name = fieldName(from);
  const where = name === '' ? 'the schema' : `\`${name}\``;
  if (step === 'items') return `${where} is not a list`;
  if (from.schema.type === 'array') return `${where} is a list; select its items with \`[0]\` or \`[?(…)]\``;
  const near = nearestNames(step.field, namesOf(from)).map((one) => `\`${one}\``);
  const hint = near.length === 0 ? '' : ` (did you mean ${near.join(' or ')}?)`;
  return `${where} has no field \`${step.field}\`${hint}`;
}

const namesOf = ({ schema }: SchemaPlace): string[] => [...(schema.properties?.keys() ?? [])];

function meant({ missing: step, from }: Nowhere): Misspelled | undefined {
  if (step === 'items') return undefined;
  return { near: nearestNames(step.field, namesOf(from)), start: step.start, end: step.end };
}

/** As the API server fills a table's cells: a value of another type leaves the cell empty. */
function shows(column: string, type: string): boolean {
  if (column === 'integer' || column === 'number') return type === 'integer' || type === 'number';
  if (column === 'boolean') return type === 'boolean';
  return column === 'date' ? type === 'string' : true;
}

function fittingColumn(type: string): string | undefined {
  if (type === '') return undefined;
  return type === 'object' || type === 'array' ? 'string' : type;
}

function lintScalePaths(_: Linted, { version, path, root }: LintedVersion): Found<PathFacts['lint/scale-path']>[] {
  const { scale } = version;
  if (!scale) return [];
  const at = [...path, 'subresources', 'scale'];
  return scalePaths.flatMap(([key, wanted]) => lintScalePath(root, at, scale[key] ?? '', key, wanted));
}

const scalePaths = [
  ['specReplicasPath', 'integer'],
  ['statusReplicasPath', 'integer'],
  ['labelSelectorPath', 'string'],
] as const;

function lintSelector(_: Linted, { version, path, root }: LintedVersion): Found<PathFacts['lint/scale-selector']>[] {
  if (!version.scale || version.scale.labelSelectorPath) return [];
  const at = [...path, 'subresources', 'scale'];
  return [{ message: noSelector, at, anchor: 'key', facts: { guess: selectorIn(root) } }];
}

const noSelector =
  'Without `labelSelectorPath` a HorizontalPodAutoscaler cannot tell which pods belong to an object, and will not scale it.';

function lintScalePath(
  root: SchemaPlace,
  at: Path,
  written: string,
  key: keyof ScaleSubresource,
  wanted: 'integer' | 'string',
): Found<PathFacts['lint/scale-path']>[] {
  // The API server cuts these paths at their dots and knows nothing else.
  const steps: PathStep[] = [...written.matchAll(/\.([^.]+)/g)].map((match) => {
    return { field: match[1]!, start: match.index, end: match.index + match[0].length };
  });
  if (!written.startsWith('.') || steps.length === 0) return [];
  const lead = follow(root, steps);
  const report = (message: string, facts: Misspelled | undefined) => [
    { message, at: [...at, key], anchor: 'value' as const, facts },
  ];
  if (lead.kind === 'nowhere') return report(`The path leads nowhere: ${missing(lead)}.`, meant(lead));
  if (lead.kind === 'unknown' || lead.place.schema.type === wanted || lead.place.schema.type === '') return [];
  const { type } = lead.place.schema;
  return report(`\`${written}\` is of type ${type}, but ${key} has to lead to ${article[wanted]}.`, undefined);
}

const article = { integer: 'an integer', string: 'a string' };

/** A field of the status that is called as selectors are. */
function selectorIn(root: SchemaPlace): string | undefined {
  const status = root.schema.properties?.get('status')?.properties;
  const names = ['selector', 'labelSelector', 'podSelector', 'hpaPodSelector'];
  const found = names.find((name) => status?.get(name)?.type === 'string');
  return found && `.status.${found}`;
}

const scale = (paths: string, properties = '') => `#- use: version
schema:
  openAPIV3Schema:
    type: object
    properties:
      spec: {type: object, properties: {replicas: {type: integer}}}
      status: {type: object, properties: {replicas: {type: integer}, selector: {type: string}${properties}}}
subresources:
  status: {}
  scale:
${paths.replace(/^(?=.)/gm, '    ')}`;

const rightScale = scale(`specReplicasPath: .spec.replicas
statusReplicasPath: .status.replicas
labelSelectorPath: .status.selector
`);

const column = (type: string, path: string) => `#- use: version
schema:
  openAPIV3Schema:
    type: object
    properties:
      spec: {type: object, properties: {size: {type: integer}, color: {type: string}}}
additionalPrinterColumns:
  - name: Size
    type: ${type}
    jsonPath: ${path}
`;

export const pathLints = lintFamily<PathFacts>()({
  'lint/column-path': {
    severity: 'warning',
    title: 'A printer column points to a field that is not in the schema',
    explanation: `The API server only looks at the first character of a column's \`jsonPath\`. A field that is not in
the schema is pruned from every object, so the column stays empty in \`kubectl get\`, and no message says why. Usually
the field was renamed or moved.`,
    marker: '+kubebuilder:printcolumn:…',
    bad: column('integer', '.spec.sise'),
    good: column('integer', '.spec.size'),
    fixes: nearPaths,
    restsOn: 'version',
    check: lintColumnPaths,
  },
  'lint/column-type': {
    severity: 'warning',
    title: 'A printer column cannot show the values of its field',
    explanation: `A cell is filled only if the value has the column's type: \`integer\` and \`number\` show numbers,
\`boolean\` shows booleans, \`date\` shows strings that are times (as an age), and \`string\` shows anything. Otherwise
the cell stays empty. The API server does not compare the column with the schema.`,
    marker: '+kubebuilder:printcolumn:…',
    bad: column('date', '.spec.size'),
    good: column('integer', '.spec.size'),
    fixes: (problem) => {
      const { fitting } = problem.facts;
      return fixOf(`Change to \`${fitting}\``, setValue(problem.document, problem.path, fitting), true);
    },
    restsOn: 'version',
    check: lintColumnTypes,
  },
  'lint/scale-path': {
    severity: 'warning',
    ofOneMarker: true,
    title: 'A path of the scale subresource points to no field, or to one of the wrong type',
    explanation: `\`kubectl scale\` and autoscalers read and write the number of replicas through these paths. If the
schema has no such field, the number is pruned: every request to \`/scale\` then fails with \`the spec replicas field …
does not exist\`, and the replicas in the status are always 0. If the field is not an integer (for
\`labelSelectorPath\`, a string), the requests fail as well. The API server accepts any path below \`.spec\` and
\`.status\`. The paths are split at their dots and cannot lead into lists.`,
    marker: '+kubebuilder:subresource:scale:…',
    bad: scale(`specReplicasPath: .spec.replica
statusReplicasPath: .status.replicas
labelSelectorPath: .status.selector
`),
    good: rightScale,
    fixes: nearPaths,
    restsOn: 'version',
    check: lintScalePaths,
  },
  'lint/scale-selector': {
    severity: 'hint',
    title: 'The scale subresource has no labelSelectorPath',
    explanation: `With \`labelSelectorPath\` the controller tells in \`status\`, as a string, which pods belong to an
object (\`app=web,tier=front\`). Without it \`kubectl scale\` works, but a HorizontalPodAutoscaler fails with
\`InvalidSelector\`.`,
    marker: '+kubebuilder:subresource:scale:…',
    bad: scale('specReplicasPath: .spec.replicas\nstatusReplicasPath: .status.replicas\n'),
    good: rightScale,
    fixes: addSelector,
    restsOn: 'version',
    check: lintSelector,
  },
});

function nearPaths(problem: ProblemOf<PathFacts, 'lint/column-path' | 'lint/scale-path'>): Fix[] {
  const written = valueIn(problem, problem.path);
  if (typeof written !== 'string' || !problem.facts) return [];
  const { near, start, end } = problem.facts;
  return near.flatMap((name) => {
    const path = `${written.slice(0, start)}.${name}${written.slice(end)}`;
    return fixOf(`Change to \`${path}\``, setValue(problem.document, problem.path, path), near.length === 1);
  });
}

function addSelector(problem: ProblemOf<PathFacts, 'lint/scale-selector'>): Fix[] {
  const { guess } = problem.facts;
  if (guess === undefined) return [];
  const edits = insertKey(problem.document, problem.path, 'labelSelectorPath', guess, { after: 'statusReplicasPath' });
  return fixOf(`Add \`labelSelectorPath: ${guess}\``, edits, false);
}
