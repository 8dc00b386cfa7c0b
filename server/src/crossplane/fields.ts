import type { Value, ValueMap } from '../base/value.ts';

// What Crossplane adds to the CRDs that it makes of a CompositeResourceDefinition: the fields by which it runs the
// objects, and columns. They take the place of fields of the same name that the author wrote.

/** The version of crossplane-runtime that the oracle asks, and that this mirrors. */
export const crossplaneVersion = 'v2.4.0';

type Schemas = Readonly<Record<string, ValueMap>>;

function node(type: string, rest: Readonly<Record<string, Value>> = {}): ValueMap {
  return new Map<string, Value>([['type', type], ...Object.entries(rest)]);
}

const text = node('string');
const time = node('string', { format: 'date-time' });

function object(properties: Schemas, required: readonly string[] = []): ValueMap {
  const rest = { ...(required.length > 0 && { required }), properties: new Map(Object.entries(properties)) };
  return node('object', rest);
}

function objectOfTexts(names: readonly string[], required: readonly string[] = names): ValueMap {
  return object(Object.fromEntries(names.map((name) => [name, text])), required);
}

function choice(values: readonly string[], standard?: string): ValueMap {
  return node('string', { enum: values, ...(standard !== undefined && { default: standard }) });
}

/** Which kind of composite resource: Crossplane 1 knew only the last, which can be claimed. */
export type XrdScope = 'Namespaced' | 'Cluster' | 'LegacyCluster';

const byName = objectOfTexts(['name']);
const byLabels = object({ matchLabels: node('object', { additionalProperties: text }) }, ['matchLabels']);
const updatePolicies = ['Automatic', 'Manual'];
const deletePolicies = ['Background', 'Foreground'];

function resourceRefs(names: readonly string[]): ValueMap {
  return node('array', { items: objectOfTexts(names, ['apiVersion', 'kind']), 'x-kubernetes-list-type': 'atomic' });
}

/** How a composition is chosen, of composite resources and of claims. */
const choosing = {
  compositionRef: byName,
  compositionSelector: byLabels,
  compositionRevisionRef: byName,
  compositionRevisionSelector: byLabels,
};

/** What `spec` of a composite resource has beside the author's own. */
export function compositeSpec(scope: string, updatePolicy: string | undefined): Schemas {
  const isLegacy = scope === 'LegacyCluster';
  const refs = scope === 'Namespaced' ? ['apiVersion', 'name', 'kind'] : ['apiVersion', 'name', 'namespace', 'kind'];
  const machinery = {
    ...choosing,
    compositionUpdatePolicy: choice(updatePolicies, updatePolicy),
    resourceRefs: resourceRefs(refs),
  };
  if (isLegacy)
    return { ...machinery, claimRef: objectOfTexts(['apiVersion', 'kind', 'namespace', 'name']), ...secret };
  const about = { description: 'Configures how Crossplane will reconcile this composite resource' };
  return { crossplane: new Map([...object(machinery), ...Object.entries(about)]) };
}

const secret = { writeConnectionSecretToRef: objectOfTexts(['name', 'namespace']) };

/** What `spec` of a claim has beside the author's own. */
export function claimSpec(deletePolicy: string | undefined): Schemas {
  return {
    ...choosing,
    compositionUpdatePolicy: choice(updatePolicies),
    compositeDeletePolicy: choice(deletePolicies, deletePolicy),
    resourceRef: objectOfTexts(['apiVersion', 'kind', 'name']),
    writeConnectionSecretToRef: byName,
  };
}

const condition = object(
  {
    lastTransitionTime: time,
    message: text,
    reason: text,
    status: text,
    type: text,
    observedGeneration: node('integer', { format: 'int64' }),
  },
  ['lastTransitionTime', 'reason', 'status', 'type'],
);

const conditions = node('array', {
  description: 'Conditions of the resource.',
  items: condition,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
});

const legacyStatus: Schemas = {
  connectionDetails: object({ lastPublishedTime: time }),
  claimConditionTypes: node('array', { items: text, 'x-kubernetes-list-type': 'set' }),
};

/** What `status` has beside the author's own. Claims have that of `LegacyCluster`. */
export function statusFields(scope: string): Schemas {
  return { conditions, ...(scope === 'LegacyCluster' && legacyStatus) };
}

type Column = readonly [name: string, jsonPath: string, type?: string, priority?: bigint];

function columns(rows: readonly Column[]): readonly ValueMap[] {
  return rows.map(([name, jsonPath, type = 'string', priority]) => {
    const rest = { name, jsonPath, ...(priority !== undefined && { priority }) };
    return node(type, rest);
  });
}

const state: readonly Column[] = [
  ['SYNCED', ".status.conditions[?(@.type=='Synced')].status"],
  ['READY', ".status.conditions[?(@.type=='Ready')].status"],
];
const age: Column = ['AGE', '.metadata.creationTimestamp', 'date'];

function compositeColumnsAt(machinery: string): readonly ValueMap[] {
  return columns([
    ...state,
    ['COMPOSITION', `${machinery}.compositionRef.name`],
    ['COMPOSITIONREVISION', `${machinery}.compositionRevisionRef.name`, 'string', 1n],
    age,
  ]);
}

const legacyColumns = compositeColumnsAt('.spec');
const modernColumns = compositeColumnsAt('.spec.crossplane');

export function compositeColumns(scope: string): readonly ValueMap[] {
  return scope === 'LegacyCluster' ? legacyColumns : modernColumns;
}

export const claimColumns = columns([...state, ['CONNECTION-SECRET', '.spec.writeConnectionSecretToRef.name'], age]);
