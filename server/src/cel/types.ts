/** What sort of type a `CelType` is; the parametrised ones carry their parameters in `params`. */
export type TypeKind =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'param'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'uint'
  | 'unspecified';

/**
 * A CEL type. Types are interned: two types that are the same are the same object, so `===` compares them. The mutable
 * members are the intern tables of the types built over this one.
 */
export interface CelType {
  readonly kind: TypeKind;
  /** The name that a value of this type has at run time. */
  readonly name: string;
  readonly params: readonly CelType[];
  /** As cel-go writes it in error texts. */
  readonly text: string;
  /** Whether type parameters stand anywhere inside. */
  readonly open: boolean;
  /** A type parameter's place in the substitution; −1 for every other type. */
  readonly slot: number;
  /** A protobuf wrapper: the type of its kind, or null. */
  readonly wrapper: boolean;
  /** One bit for the kind, and the bits of all kinds that may be assignable to this type. */
  readonly bit: number;
  readonly accepts: number;
  /** A small number of its own for types that live as long as the program: memory of them is not a leak. 0 for others. */
  readonly key: number;
  list: CelType | undefined;
  type: CelType | undefined;
  optional: CelType | undefined;
  maps: Map<CelType, CelType> | undefined;
}

const none: readonly CelType[] = [];

const kinds: readonly TypeKind[] = [
  'any',
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'error',
  'int',
  'list',
  'map',
  'null',
  'opaque',
  'param',
  'string',
  'struct',
  'timestamp',
  'type',
  'uint',
  'unspecified',
];
const bitOf = (kind: TypeKind): number => 1 << kinds.indexOf(kind);
const bitsOf = (...some: TypeKind[]): number => some.reduce((bits, kind) => bits | bitOf(kind), 0);
const allKinds = bitsOf(...kinds);
const flexible = bitsOf('any', 'dyn', 'error', 'param');
const nullableKinds = bitsOf('opaque', 'struct', 'any', 'duration', 'timestamp', 'null', 'param');

/** Whether null is a value of the type. */
export function isNullable(type: CelType): boolean {
  return (type.bit & nullableKinds) !== 0 || type.wrapper;
}

function acceptedBy(kind: TypeKind, wrapper: boolean): number {
  const bit = bitOf(kind);
  if ((bit & flexible) !== 0) return allKinds;
  if (kind === 'null') return flexible | nullableKinds | bitsOf('bool', 'bytes', 'double', 'int', 'string', 'uint');
  const takesNull = wrapper || (bit & nullableKinds) !== 0;
  return bit | flexible | (takesNull ? bitOf('null') : 0);
}

/** Keys take so many bits, for three of them to fit into a small integer. */
export const keyBits = 9;
let keys = 0;

function make(kind: TypeKind, name: string, params: readonly CelType[], text: string, slot = -1): CelType {
  const open = slot >= 0 || params.some((p) => p.open);
  const lasting = !open && kind !== 'struct' && params.every((p) => p.key > 0) && keys < 2 ** keyBits - 1;
  const unbuilt = { list: undefined, type: undefined, optional: undefined, maps: undefined };
  const bits = { bit: bitOf(kind), accepts: acceptedBy(kind, false) };
  return { kind, name, params, text, open, slot, wrapper: false, ...bits, key: lasting ? ++keys : 0, ...unbuilt };
}

const simple = (kind: TypeKind, name: string, text = name) => make(kind, name, none, text);

export const anyType = simple('any', 'google.protobuf.Any', 'any');
export const boolType = simple('bool', 'bool');
export const bytesType = simple('bytes', 'bytes');
export const doubleType = simple('double', 'double');
export const durationType = simple('duration', 'google.protobuf.Duration', 'duration');
export const dynType = simple('dyn', 'dyn');
export const errorType = simple('error', 'error', '!error!');
export const intType = simple('int', 'int');
export const nullType = simple('null', 'null_type', 'null');
export const stringType = simple('string', 'string');
export const timestampType = simple('timestamp', 'google.protobuf.Timestamp', 'timestamp');
export const typeType = simple('type', 'type');
export const uintType = simple('uint', 'uint');
/** The type that cel-go 0.22 forgets to give the second variable of a comprehension over anything dynamic. */
export const unspecifiedType = simple('unspecified', '');

export function listOf(element: CelType): CelType {
  element.list ??= make('list', 'list', [element], `list(${element.text})`);
  return element.list;
}

export function mapOf(key: CelType, value: CelType): CelType {
  value.maps ??= new Map();
  let found = value.maps.get(key);
  if (!found) {
    found = make('map', 'map', [key, value], `map(${key.text}, ${value.text})`);
    value.maps.set(key, found);
  }
  return found;
}

export function optionalOf(value: CelType): CelType {
  value.optional ??= make('opaque', 'optional_type', [value], `optional_type(${value.text})`);
  return value.optional;
}

export function typeOf(value: CelType): CelType {
  value.type ??= make('type', 'type', [value], `type(${value.text})`);
  return value.type;
}

export function structType(name: string): CelType {
  return simple('struct', name);
}

export function opaqueType(name: string): CelType {
  return simple('opaque', name);
}

/** A protobuf wrapper message seen as CEL does: a primitive that may be null. */
export function wrapperOf(wrapped: CelType): CelType {
  return {
    ...wrapped,
    text: `wrapper(${wrapped.text})`,
    wrapper: true,
    accepts: acceptedBy(wrapped.kind, true),
    key: 0,
    list: undefined,
    type: undefined,
    optional: undefined,
    maps: undefined,
  };
}

const named = new Map<string, CelType>();
/** Named parameters (A, K, T, …) take the first slots of a substitution, the checker's own variables those after. */
const namedSlots = 16;

/** The type parameter of a declaration, such as A in list(A). */
export function typeParam(name: string): CelType {
  let found = named.get(name);
  if (!found) {
    found = make('param', name, none, name, named.size % namedSlots);
    named.set(name, found);
  }
  return found;
}

const variables: CelType[] = [];

/** The checker's n-th type variable, named as cel-go names it in texts. */
export function typeVariable(n: number): CelType {
  for (let i = variables.length; i <= n; i++) {
    variables.push(make('param', `_var${i}`, none, `_var${i}`, namedSlots + i));
  }
  return variables[n] as CelType;
}

export function isDyn(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'any';
}

export function isDynOrError(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'any' || type.kind === 'error';
}

export function isOptional(type: CelType): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

/** T of optional_type(T), any other type as it is. */
export function unwrapOptional(type: CelType): CelType {
  return isOptional(type) ? (type.params[0] as CelType) : type;
}

/** As cel-go's `Type.String()` writes it: run-time names, and type parameters in angle brackets. */
export function runtimeText(type: CelType): string {
  if (type.kind === 'param') return `<${type.name}>`;
  const name = type.wrapper ? `wrapper(${type.name})` : type.name;
  return type.params.length === 0 ? name : `${name}(${type.params.map(runtimeText).join(', ')})`;
}
