import { memo } from '../../base/memo.ts';
import type { Value, ValueMap } from '../../base/value.ts';
import type { GoType, OwnType } from './goType.ts';
import type { BuiltinField, BuiltinKinds } from './kinds.ts';

/**
 * The schema of a built-in kind, in the form of a CRD's: what completion and hover read, and what CEL types are made
 * from. Parts that are of the same Go type are the same object. Undefined where the release does not have the kind.
 */
export function builtinSchema(
  kinds: BuiltinKinds,
  { group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string },
): ValueMap | undefined {
  const found = kinds.kinds.get(group === '' ? `${version}/${kind}` : `${group}/${version}/${kind}`);
  return found && !found.isGone ? objectSchema(kinds, found.root) : undefined;
}

/** The types whose schemas are being made: one that contains itself is not described again in there. */
const underWay = memo((_: BuiltinKinds) => new Set<string>());

const objectSchema = memo((kinds: BuiltinKinds, id: string): ValueMap => {
  const open = underWay(kinds);
  open.add(id);
  const { text, fields } = kinds.object(id);
  const schema = new Map<string, Value>([['type', 'object']]);
  if (text !== '') schema.set('description', text);
  const required = fields.filter(({ optional }) => !optional).map(({ name }) => name);
  if (required.length > 0) schema.set('required', required);
  schema.set('properties', new Map(fields.map((field) => [field.name, fieldSchema(kinds, id, field)])));
  open.delete(id);
  const names = usual.get(id.slice(id.lastIndexOf('/', id.lastIndexOf('/') - 1) + 1));
  if (names) usualOf.set(schema, names);
  return schema;
});

/** The fields that nobody writes an object without, by Go type: Go has few of them required. */
const usual: ReadonlyMap<string, readonly string[]> = new Map([
  ['core/v1.PodTemplateSpec', ['metadata', 'spec']],
  ['core/v1.Container', ['image']],
  ['core/v1.ConfigMap', ['data']],
  ['core/v1.Secret', ['stringData']],
  ['core/v1.ServiceSpec', ['selector', 'ports']],
  ['core/v1.PersistentVolumeClaimSpec', ['accessModes', 'resources']],
  ['core/v1.VolumeResourceRequirements', ['requests']],
  ['batch/v1.JobTemplateSpec', ['spec']],
  ['networking/v1.IngressSpec', ['rules']],
  ['rbac/v1.RoleBinding', ['subjects']],
  ['rbac/v1.ClusterRoleBinding', ['subjects']],
  ['meta/v1.LabelSelector', ['matchLabels']],
  ['admissionregistration/v1.ValidatingAdmissionPolicySpec', ['matchConstraints', 'validations']],
  ['admissionregistration/v1.MatchResources', ['resourceRules']],
  ['admissionregistration/v1.NamedRuleWithOperations', ['apiGroups', 'apiVersions', 'operations', 'resources']],
  ['admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec', ['policyName', 'validationActions']],
  ['meta/v1.ObjectMeta', ['labels']],
]);

/** Not a memo: it is noted where a schema is made, and copied with it. */
const usualOf = new WeakMap<ValueMap, readonly string[]>();

/** The fields to begin an object of a schema with, beside those that it demands. */
export function usualFields(schema: ValueMap): readonly string[] {
  return usualOf.get(schema) ?? [];
}

function fieldSchema(kinds: BuiltinKinds, id: string, field: BuiltinField): ValueMap {
  const ofType = typeSchema(kinds, field.type);
  const schema = new Map(ofType);
  const names = usualOf.get(ofType);
  if (names) usualOf.set(schema, names);
  const since = kinds.fieldSince(id, field.name);
  const text = since === undefined ? field.text : `${field.text}\n\nSince Kubernetes ${since}.`.trim();
  if (text !== '') schema.set('description', text);
  const standard = field.default === undefined ? undefined : plainDefault(field.default);
  if (standard !== undefined) schema.set('default', standard);
  if (field.listType !== undefined) schema.set('x-kubernetes-list-type', field.listType);
  if (field.listMapKey !== undefined) schema.set('x-kubernetes-list-map-keys', field.listMapKey.split(','));
  return schema;
}

/** Markers hold JSON; only single words of it are shown. */
function plainDefault(json: string): Value | undefined {
  if (/^-?\d+$/.test(json)) return BigInt(json);
  if (json === 'true' || json === 'false') return json === 'true';
  return /^"([^"\\]+)"$/.exec(json)?.[1];
}

function typeSchema(kinds: BuiltinKinds, type: GoType): ValueMap {
  switch (type.is) {
    case 'text': {
      const values = type.enum === undefined ? [] : kinds.values(type.enum);
      return new Map<string, Value>([['type', 'string'], ...(values.length > 0 ? [['enum', values] as const] : [])]);
    }
    case 'flag':
      return new Map([['type', 'boolean']]);
    case 'integer':
      return new Map([
        ['type', 'integer'],
        ['format', `int${type.bits}`],
      ]);
    case 'float':
      return new Map([['type', 'number']]);
    case 'bytes':
      return new Map([
        ['type', 'string'],
        ['format', 'byte'],
      ]);
    case 'list':
      return new Map<string, Value>([
        ['type', 'array'],
        ['items', typeSchema(kinds, type.of)],
      ]);
    case 'map':
      return new Map<string, Value>([
        ['type', 'object'],
        ['additionalProperties', typeSchema(kinds, type.of)],
      ]);
    case 'object':
      return underWay(kinds).has(type.id) ? ownSchemas.raw : objectSchema(kinds, type.id);
    case 'own':
      return new Map(ownSchemas[type.what]);
  }
}

const ownSchemas: Readonly<Record<OwnType, ValueMap>> = {
  time: new Map([
    ['type', 'string'],
    ['format', 'date-time'],
  ]),
  microTime: new Map([
    ['type', 'string'],
    ['format', 'date-time'],
  ]),
  duration: new Map([['type', 'string']]),
  raw: new Map<string, Value>([
    ['type', 'object'],
    ['x-kubernetes-preserve-unknown-fields', true],
  ]),
  // OpenAPI names it a string, and so does CEL, though a number will do.
  quantity: new Map([['type', 'string']]),
  intOrString: new Map([['x-kubernetes-int-or-string', true]]),
};
