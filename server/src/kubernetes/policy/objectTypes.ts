import { memo } from '../../base/memo.ts';
import type { GoType, OwnType } from '../builtin/goType.ts';
import type { BuiltinKind, BuiltinKinds } from '../builtin/kinds.ts';
import { type DeclType, declType } from '../cel/declType.ts';
import { noSchema } from '../cr/form.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { noValidation, type Structural } from '../schema/structural.ts';
import { guessedResources, isNamed, type Resource } from './watchedKinds.ts';

// The types of whole objects, as expressions of policies see them: of built-in kinds what the OpenAPI that is generated
// from their Go types says, of a CRD what the API server publishes of it.

/** A kind whose objects an expression may meet. */
export interface TypedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The resource that its objects are at. */
  readonly resource: string | undefined;
  /** What is known of its objects when they are there. */
  readonly structural: Structural;
  readonly decl: DeclType | undefined;
  /** The same as type checking has it. */
  readonly checked: DeclType | undefined;
}

/**
 * What a value is when an expression runs, or what type checking takes it for. It knows no type for quantities, and for
 * times, bytes and numbers one that need not be what is there.
 */
type View = 'real' | 'checked';

export const typedBuiltin = memo(
  (kinds: BuiltinKinds, { group, version, kind, root }: BuiltinKind, kubernetes: KubernetesVersion): TypedKind => {
    const structural = goObject(kinds, 'real', root);
    const [decl, checked] = [structural, goObject(kinds, 'checked', root)].map((one) =>
      declType(one, true, kubernetes.cel, kind),
    );
    // Those of all built-in kinds are called as is guessed.
    const resource = guessedResources(kind)[0]!;
    return { group, version, kind, resource, structural, decl, checked };
  },
);

export function typedCustom(
  name: Pick<TypedKind, 'group' | 'version' | 'kind' | 'resource'>,
  schema: Structural,
  kinds: BuiltinKinds,
  kubernetes: KubernetesVersion,
): TypedKind {
  const structural = published(schema, kinds, 'real', true);
  const [decl, checked] = [structural, published(schema, kinds, 'checked', true)].map((one) =>
    declType(one, true, kubernetes.cel, name.kind),
  );
  return { ...name, structural, decl, checked };
}

/** A schema with the metadata that its objects have: in the rules of a CRD there are but two names of it. */
function published(schema: Structural, kinds: BuiltinKinds, view: View, isRoot: boolean): Structural {
  if (view === 'real' && isLoose(schema)) return { ...anything, description: schema.description };
  const { properties = new Map<string, Structural>(), items, additionalProperties, extensions } = schema;
  const below = new Map([...properties].map(([name, one]) => [name, published(one, kinds, view, false)]));
  if (isRoot || extensions.embeddedResource) {
    for (const [name, one] of wholeObject(kinds, view)) below.set(name, one);
  }
  const values = additionalProperties?.schema;
  return {
    ...schema,
    ...(below.size > 0 ? { properties: below } : {}),
    ...(items ? { items: published(items, kinds, view, false) } : {}),
    ...(values ? { additionalProperties: { allowed: true, schema: published(values, kinds, view, false) } } : {}),
  };
}

/** A value of any type. */
export const anything: Structural = { ...noSchema, extensions: { ...noSchema.extensions, intOrString: true } };
const looseFormats: ReadonlySet<string> = new Set(['byte', 'date', 'date-time', 'duration']);

/** Where an expression runs, there is the text that was written, or a number of either kind. */
function isLoose({ type, validation }: Structural): boolean {
  return type === 'number' || (type === 'string' && looseFormats.has(validation?.format ?? ''));
}

/** What every object has, by its built-in kinds. */
const wholeObject = memo((kinds: BuiltinKinds, view: View): readonly (readonly [string, Structural])[] => {
  const text: Structural = { ...noSchema, type: 'string' };
  return [
    ['apiVersion', text],
    ['kind', text],
    ['metadata', goObject(kinds, view, 'k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta')],
  ];
});

/** The objects that are being described: one that contains itself is an object of which nothing is known in there. */
const underWay = memo((_: BuiltinKinds) => new Set<string>());
/** What was described while nothing around it kept anything back. */
const described = memo((_: BuiltinKinds, __: View) => new Map<string, Structural>());

function goObject(kinds: BuiltinKinds, view: View, id: string): Structural {
  const open = underWay(kinds);
  if (open.has(id)) return { ...noSchema, type: 'object' };
  const known = described(kinds, view).get(id);
  if (known) return known;
  open.add(id);
  const { text, fields } = kinds.object(id);
  const properties = new Map(
    fields.map(({ name, type, text: description }) => [name, { ...goType(kinds, view, type), description }]),
  );
  open.delete(id);
  const required = fields.filter(({ optional }) => !optional).map(({ name }) => name);
  const made = { ...ofType('object'), description: text, properties, validation: { ...noValidation, required } };
  if (![...open].some((one) => contains(kinds, id, one))) described(kinds, view).set(id, made);
  return made;
}

/** Whether an object has another one somewhere below. */
function contains(kinds: BuiltinKinds, id: string, other: string): boolean {
  return objectsBelow(kinds, id).has(other);
}

const objectsBelow = memo((kinds: BuiltinKinds, id: string): ReadonlySet<string> => {
  const found = new Set<string>();
  const left = [id];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    for (const { type } of kinds.object(one).fields) {
      const inner = objectIn(type);
      if (inner === undefined || found.has(inner)) continue;
      found.add(inner);
      left.push(inner);
    }
  }
  return found;
});

function objectIn(type: GoType): string | undefined {
  if (type.is === 'object') return type.id;
  return type.is === 'list' || type.is === 'map' ? objectIn(type.of) : undefined;
}

function ofType(type: string, format = ''): Structural {
  return { ...noSchema, type, ...(format === '' ? {} : { validation: { ...noValidation, format } }) };
}

function goType(kinds: BuiltinKinds, view: View, type: GoType): Structural {
  switch (type.is) {
    case 'text': {
      const values = type.enum === undefined ? [] : kinds.values(type.enum);
      const text = ofType('string');
      return values.length === 0 ? text : { ...text, validation: { ...noValidation, enum: [...values] } };
    }
    case 'flag':
      return ofType('boolean');
    case 'integer':
      return ofType('integer');
    case 'float':
      return view === 'real' ? anything : ofType('number');
    case 'bytes':
      return view === 'real' ? anything : ofType('string', 'byte');
    case 'list':
      return { ...ofType('array'), items: goType(kinds, view, type.of) };
    case 'map':
      return { ...ofType('object'), additionalProperties: { allowed: true, schema: goType(kinds, view, type.of) } };
    case 'object':
      return goObject(kinds, view, type.id);
    case 'own':
      return ownTypes[view][type.what];
  }
}

const own: Readonly<Record<OwnType, Structural>> = {
  time: ofType('string', 'date-time'),
  microTime: ofType('string', 'date-time'),
  duration: ofType('string'),
  raw: ofType('object'),
  quantity: ofType('string'),
  intOrString: anything,
};

// OpenAPI says of a quantity that it is one of two types, and type checking wants one.
const ownTypes: Readonly<Record<View, typeof own>> = {
  real: { ...own, time: anything, microTime: anything },
  checked: { ...own, quantity: noSchema },
};

/** The built-in kinds that a resource names. */
export function builtinsNamed(kinds: BuiltinKinds, resource: Resource): readonly BuiltinKind[] {
  return (byResource(kinds).get(resource.resource.toLowerCase()) ?? []).filter(({ group, version }) =>
    isNamed(resource, group, version),
  );
}

const byResource = memo((kinds: BuiltinKinds): ReadonlyMap<string, readonly BuiltinKind[]> => {
  const found = new Map<string, BuiltinKind[]>();
  for (const kind of kinds.kinds.values()) {
    if (kind.isGone) continue;
    for (const name of guessedResources(kind.kind)) found.set(name, [...(found.get(name) ?? []), kind]);
  }
  return found;
});
