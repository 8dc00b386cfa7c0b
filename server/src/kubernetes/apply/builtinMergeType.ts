import { memo } from '../../base/memo.ts';
import type { GoType, OwnType } from '../builtin/goType.ts';
import type { BuiltinField, BuiltinKind, BuiltinKinds } from '../builtin/kinds.ts';
import { anyValue, type ListMerge, type MergeType, scalarType } from './mergeType.ts';

// How objects of built-in kinds are merged by server-side apply, as their Go types say.

export function builtinMergeType(kinds: BuiltinKinds, { root }: BuiltinKind): MergeType {
  return typesOf(kinds).object(root);
}

const typesOf = memo((kinds: BuiltinKinds) => new Types(kinds));

/** Types may contain themselves: what is in an object is found when it is asked for. */
class Types {
  readonly #kinds: BuiltinKinds;
  readonly #known = new Map<string, MergeType>();

  constructor(kinds: BuiltinKinds) {
    this.#kinds = kinds;
  }

  object(id: string): MergeType {
    const held = this.#known.get(id) ?? this.#objectNow(id);
    this.#known.set(id, held);
    return held;
  }

  #objectNow(id: string): MergeType {
    const { fields } = this.#kinds.object(id);
    const typeOf = (field: BuiltinField) => this.#field(field);
    let known: ReadonlyMap<string, MergeType> | undefined;
    const map = {
      atomic: isAtomic(id),
      others: undefined,
      defaults: new Map(),
      get fields() {
        known ??= new Map(fields.map((field) => [field.name, typeOf(field)]));
        return known;
      },
    };
    return { scalar: undefined, list: undefined, map };
  }

  #field(field: BuiltinField): MergeType {
    const { type } = field;
    if (type.is !== 'list') return this.#type(type);
    return { scalar: undefined, list: { ...listing(field), item: this.#type(type.of) }, map: undefined };
  }

  #type(type: GoType): MergeType {
    switch (type.is) {
      case 'object':
        return this.object(type.id);
      case 'list':
        return { scalar: undefined, list: { atomic: true, keys: [], item: this.#type(type.of) }, map: undefined };
      case 'map':
        return {
          scalar: undefined,
          list: undefined,
          map: { atomic: false, fields: new Map(), others: this.#type(type.of), defaults: new Map() },
        };
      case 'own':
        return ownTypes[type.what];
      default:
        return scalarType(scalars[type.is]);
    }
  }
}

/** What the markers of a list say; those of strategic merge patches count where there is no other. */
function listing({ listType, listMapKey, patchMergeKey }: BuiltinField): Pick<ListMerge, 'atomic' | 'keys'> {
  if (listType === 'map') return { atomic: false, keys: (listMapKey ?? '').split(',') };
  if (listType !== undefined) return { atomic: listType === 'atomic', keys: [] };
  return patchMergeKey === undefined ? { atomic: true, keys: [] } : { atomic: false, keys: [patchMergeKey] };
}

const scalars = { text: 'string', bytes: 'string', flag: 'boolean', integer: 'number', float: 'number' } as const;

const ownTypes: Readonly<Record<OwnType, MergeType>> = {
  time: scalarType('any'),
  microTime: scalarType('any'),
  duration: scalarType('string'),
  raw: anyValue,
  quantity: scalarType('any'),
  intOrString: scalarType('any'),
};

/** Go types that are marked as replaced as a whole, by their package and name. */
const atomicTypes = new Set([
  ...['ServiceBackendPort'].map((name) => `networking/v1.${name}`),
  'discovery/v1.EndpointPort',
  'admissionregistration/v1.MatchResources',
  ...['Subject', 'RoleRef'].map((name) => `rbac/v1.${name}`),
  'autoscaling/v1.CrossVersionObjectReference',
  ...[
    ...['SecretReference', 'FileKeySelector', 'ObjectFieldSelector', 'ResourceFieldSelector', 'ConfigMapKeySelector'],
    ...['SecretKeySelector', 'NodeSelector', 'NodeSelectorTerm', 'TopologySelectorTerm', 'EndpointAddress'],
    ...['EndpointPort', 'ObjectReference', 'LocalObjectReference', 'TypedLocalObjectReference', 'ScopeSelector'],
  ].map((name) => `core/v1.${name}`),
  ...['OwnerReference', 'LabelSelector'].map((name) => `meta/v1.${name}`),
]);

function isAtomic(id: string): boolean {
  const from = id.lastIndexOf('/', id.lastIndexOf('/') - 1) + 1;
  return atomicTypes.has(id.slice(from));
}
