import { memo } from '../base/memo.ts';
import {
  isList,
  isMap,
  isString,
  mapAt,
  type Path,
  stringAt,
  textAt,
  type Value,
  type ValueMap,
  valueAt,
} from '../base/value.ts';
import { quote } from '../gostd/quote.ts';
import { type SchemaProps, schemaStruct } from '../kubernetes/api/schema.ts';
import { type DecodeError, decodeInto } from '../kubernetes/decode.ts';
import { newestVersion } from '../kubernetes/releases/all.ts';
import { claimColumns, claimSpec, compositeColumns, compositeSpec, statusFields } from './fields.ts';
import { readSchema } from './readSchema.ts';

// Which CRDs Crossplane makes of a CompositeResourceDefinition (XRD). What the author wrote goes into them as the same
// objects, so that an edit costs no more than one in a CRD.

export const xrdGroup = 'apiextensions.crossplane.io';

export type DerivedRole = 'composite' | 'claim';

/** Why Crossplane makes no CRD, in its own words, and what of the XRD is to blame. */
export interface RenderError {
  readonly message: string;
  readonly path: Path;
}

export interface DerivedCrd {
  readonly role: DerivedRole;
  /** The CRD; where Crossplane makes none of it, as far as it can be told what was meant. */
  readonly value: ValueMap;
  /** The fields that Crossplane adds to every version of it. */
  readonly added: AddedFields;
  readonly error?: RenderError;
}

/** The CRDs of an XRD: that of its composite resources and, where it offers one, that of their claims. */
export const derivedCrds = memo((xrd: ValueMap): readonly DerivedCrd[] => {
  const roles: readonly DerivedRole[] = isMap(valueAt(xrd, claimNames)) ? ['composite', 'claim'] : ['composite'];
  return roles.map((role) => {
    const settings = settled(xrd);
    const error = renderError(xrd, role);
    return { role, value: crdOf(xrd, role, settings), added: addedFields(role, settings), ...(error && { error }) };
  });
});

const claimNames = ['spec', 'claimNames'];

/** What decides which fields are added. */
interface Settled {
  readonly scope: string;
  readonly updatePolicy: string | undefined;
  readonly deletePolicy: string | undefined;
}

/** What the API server fills in for an XRD of either version. */
export const xrdDefaults: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    'v1',
    new Map([
      ['scope', 'LegacyCluster'],
      ['defaultCompositeDeletePolicy', 'Background'],
      ['defaultCompositionUpdatePolicy', 'Automatic'],
    ]),
  ],
  [
    'v2',
    new Map([
      ['scope', 'Namespaced'],
      ['defaultCompositionUpdatePolicy', 'Automatic'],
    ]),
  ],
]);

function settled(xrd: ValueMap): Settled {
  const version = stringAt(xrd, ['apiVersion'])?.split('/')[1] ?? '';
  const value = (key: string) => stringAt(xrd, ['spec', key]) ?? xrdDefaults.get(version)?.get(key);
  return {
    scope: value('scope') ?? 'LegacyCluster',
    updatePolicy: value('defaultCompositionUpdatePolicy'),
    deletePolicy: value('defaultCompositeDeletePolicy'),
  };
}

function crdOf(xrd: ValueMap, role: DerivedRole, { scope, updatePolicy, deletePolicy }: Settled): ValueMap {
  const names = namesFor(valueAt(xrd, role === 'claim' ? claimNames : ['spec', 'names']), role);
  const group = valueAt(xrd, ['spec', 'group']);
  const versions = valueAt(xrd, ['spec', 'versions']);
  const make = (one: Value) =>
    isMap(one) ? versionFor(one, role, scope, updatePolicy ?? '', deletePolicy ?? '') : one;
  const plural = role === 'claim' ? stringAt(xrd, [...claimNames, 'plural']) : undefined;
  return withoutAbsent([
    ['apiVersion', 'apiextensions.k8s.io/v1'],
    ['kind', 'CustomResourceDefinition'],
    ['metadata', metadataFor(xrd, plural === undefined ? undefined : `${plural}.${isString(group) ? group : ''}`)],
    [
      'spec',
      withoutAbsent([
        ['group', group],
        ['names', names],
        ['scope', role === 'claim' || scope === 'Namespaced' ? 'Namespaced' : isScope(scope) ? 'Cluster' : undefined],
        ['versions', isList(versions) ? versions.map(make) : (versions ?? [])],
        ['conversion', valueAt(xrd, ['spec', 'conversion'])],
      ]),
    ],
  ]);
}

function isScope(scope: string): boolean {
  return scope === 'Cluster' || scope === 'LegacyCluster';
}

function withoutAbsent(entries: readonly (readonly [string, Value | undefined])[]): ValueMap {
  return new Map(entries.filter((entry): entry is [string, Value] => entry[1] !== undefined && entry[1] !== null));
}

function metadataFor(xrd: ValueMap, name: string | undefined): ValueMap {
  const own = (...path: Path) => mapAt(xrd, path);
  const labels = new Map([...own('metadata', 'labels'), ...own('spec', 'metadata', 'labels')]);
  const annotations = own('spec', 'metadata', 'annotations');
  return withoutAbsent([
    ['name', name ?? valueAt(xrd, ['metadata', 'name'])],
    ['labels', labels.size > 0 ? labels : undefined],
    ['annotations', annotations.size > 0 ? annotations : undefined],
  ]);
}

const nameKeys = ['plural', 'singular', 'shortNames', 'kind', 'listKind'];

function namesFor(names: Value | undefined, role: DerivedRole): Value | undefined {
  // What is not there is empty for Crossplane.
  const written: Value = names ?? new Map<string, Value>();
  if (!isMap(written)) return written;
  const categories = written.get('categories');
  return withoutAbsent([
    ...nameKeys.map((key) => [key, written.get(key)] as const),
    ['categories', [...(isList(categories) ? categories : []), role]],
  ]);
}

function addedFields(role: DerivedRole, { scope, updatePolicy, deletePolicy }: Settled): AddedFields {
  const spec =
    role === 'claim' ? claimSpec(deletePolicy || undefined) : compositeSpec(scope, updatePolicy || undefined);
  const status = statusFields(role === 'claim' ? 'LegacyCluster' : scope);
  return { spec: new Map(Object.entries(spec)), status: new Map(Object.entries(status)) };
}

/** By the version that was written; a policy is '' where there is none. */
const versionFor = memo(
  (version: ValueMap, role: DerivedRole, scope: string, updatePolicy: string, deletePolicy: string): ValueMap => {
    const schema = valueAt(version, ['schema', 'openAPIV3Schema']);
    const columns = version.get('additionalPrinterColumns');
    const added = role === 'claim' ? claimColumns : compositeColumns(scope);
    const scale = valueAt(version, ['subresources', 'scale']);
    const fields = addedFields(role, { scope, updatePolicy, deletePolicy });
    const root = rootSchema(isMap(schema) ? readSchema(schema) : new Map(), fields);
    return withoutAbsent([
      ['name', version.get('name')],
      ['served', version.get('served')],
      ['storage', version.get('referenceable')],
      ['deprecated', version.get('deprecated')],
      ['deprecationWarning', version.get('deprecationWarning')],
      ['schema', new Map([['openAPIV3Schema', root]])],
      [
        'subresources',
        withoutAbsent([
          ['status', new Map()],
          ['scale', scale],
        ]),
      ],
      ['additionalPrinterColumns', [...(isList(columns) ? columns : []), ...added]],
    ]);
  },
);

interface AddedFields {
  readonly spec: ValueMap;
  readonly status: ValueMap;
}

/** Names are values of labels, which cannot be longer. */
const longestName = 63n;

const string = new Map([['type', 'string']]);

/** The keywords that Crossplane takes over, of the schema and of its `spec` and `status`; it drops all others. */
export const takenOver = {
  root: ['description', 'x-kubernetes-validations'],
  spec: ['required', 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-validations', 'oneOf', 'description'],
  status: ['required', 'x-kubernetes-validations', 'description', 'oneOf'],
} as const;

function rootSchema(schema: ValueMap, { spec, status }: AddedFields): ValueMap {
  const properties = mapAt(schema, ['properties']);
  return withoutAbsent([
    ['type', 'object'],
    ['required', ['spec']],
    ...takenOver.root.map((keyword) => [keyword, schema.get(keyword)] as const),
    [
      'properties',
      new Map<string, Value>([
        ['apiVersion', string],
        ['kind', string],
        ['metadata', metadataSchema(valueAt(properties, ['metadata', 'properties', 'name', 'maxLength']))],
        ['spec', partSchema(properties.get('spec'), takenOver.spec, spec)],
        ['status', partSchema(properties.get('status'), takenOver.status, status)],
      ]),
    ],
  ]);
}

function metadataSchema(longest: Value | undefined): ValueMap {
  const isShorter = typeof longest === 'bigint' && longest < longestName;
  const name = new Map<string, Value>([...string, ['maxLength', isShorter ? longest : longestName]]);
  return new Map<string, Value>([
    ['type', 'object'],
    ['properties', new Map([['name', name]])],
  ]);
}

function partSchema(part: Value | undefined, keywords: readonly string[], added: ValueMap) {
  const written = isMap(part) ? part : new Map<string, Value>();
  return withoutAbsent([
    ['type', 'object'],
    ...keywords.map((keyword) => [keyword, written.get(keyword)] as const),
    ['properties', new Map([...mapAt(written, ['properties']), ...added])],
  ]);
}

const whatIsMade: Readonly<Record<DerivedRole, string>> = {
  composite: 'Composite Resource',
  claim: 'Composite Resource Claim',
};

function renderError(xrd: ValueMap, role: DerivedRole): RenderError | undefined {
  const conflict = role === 'claim' ? conflictOfNames(xrd) : undefined;
  if (conflict) return conflict;
  const versions = valueAt(xrd, ['spec', 'versions']);
  for (const [i, version] of isList(versions) ? versions.entries() : []) {
    const error = isMap(version) ? schemaError(version) : undefined;
    if (!error) continue;
    const name = quote(textAt(xrd, ['metadata', 'name']));
    const message = `cannot generate CRD for ${quote(whatIsMade[role])} ${name}: ${error.message}`;
    return { message, path: ['spec', 'versions', i, ...error.path] };
  }
  return undefined;
}

function conflictOfNames(xrd: ValueMap): RenderError | undefined {
  for (const key of ['kind', 'plural', 'singular', 'listKind']) {
    const name = textAt(xrd, [...claimNames, key]);
    const isOptional = key === 'singular' || key === 'listKind';
    if (name !== textAt(xrd, ['spec', 'names', key]) || (isOptional && name === '')) continue;
    const message = `invalid resource claim names: ${quote(name)} conflicts with composite resource name`;
    return { message, path: [...claimNames, key] };
  }
  return undefined;
}

const schemaError = memo((version: ValueMap): RenderError | undefined => {
  const validation = version.get('schema') ?? null;
  if (validation === null) return { message: 'custom resource validation cannot be nil', path: [] };
  const path = ['schema', 'openAPIV3Schema'];
  const schema = valueAt(version, path) ?? null;
  const refused = (why: string) => `cannot parse validation schema: cannot parse validation schema: ${why}`;
  if (schema === null) return { message: refused('unexpected end of JSON input'), path: ['schema'] };
  // The first of several errors is that of the object as it is stored, whose keys are in order.
  const error = decodeError(schema) && decodeError(sorted(schema));
  return error && { message: refused(error.message), path: [...path, ...error.path] };
});

function decodeError(schema: Value): DecodeError | undefined {
  const read = isMap(schema) ? readSchema(schema) : schema;
  return decodeInto<SchemaProps>(schemaStruct.decoding, {}, read, newestVersion).error;
}

function sorted(value: Value): Value {
  if (isList(value)) return value.map(sorted);
  if (!isMap(value)) return value;
  return new Map([...value].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]));
}
