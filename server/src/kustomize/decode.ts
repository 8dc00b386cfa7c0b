/** Values into structs, as Go's encoding/json reads them: names of fields in any case, the first complaint counts. */
import { isList, isMap, type Path, type Value, type ValueMap } from '../base/value.ts';
import { formatFloat, jsonFloat } from '../gostd/float.ts';
import { compareStrings } from '../gostd/jsonPrint.ts';
import { quote } from '../gostd/quote.ts';

export type Type = 'string' | 'bool' | 'int' | 'int64' | 'any' | 'raw' | ListType | MapType | StructType;

export interface ListType {
  readonly list: Type;
  /** Of a list that has a name. */
  readonly named?: string;
}

export interface MapType {
  readonly map: 'string' | 'any';
}

export interface StructType {
  /** As Go prints it, such as `types.Patch`. */
  readonly name: string;
  readonly fields: Readonly<Record<string, Type>>;
  /** The structs without a name of their own that fields are in. */
  readonly inside?: ReadonlyMap<string, readonly string[]>;
}

export interface Complaint {
  readonly message: string;
  readonly path: Path;
}

export interface Decoded {
  readonly value: unknown;
  /** The first one. */
  readonly complaint: Complaint | undefined;
}

interface Walk {
  readonly strict: boolean;
  readonly asText: boolean;
  complaint: Complaint | undefined;
  readonly structs: string[];
  readonly names: string[];
  readonly path: (string | number)[];
}

/** `asText`: numbers and truths become texts where those are wanted, as sigs.k8s.io/yaml does when it knows the type. */
export function decodeStruct(value: Value, type: Type, strict: boolean, asText = false): Decoded {
  const walk: Walk = { strict, asText, complaint: undefined, structs: [], names: [], path: [] };
  const decoded = decode(walk, value, type);
  return { value: decoded, complaint: walk.complaint };
}

export function typeText(type: Type): string {
  if (type === 'any') return 'interface {}';
  if (typeof type === 'string') return type;
  if ('list' in type) return type.named ?? `[]${typeText(type.list)}`;
  if ('map' in type) return type.map === 'any' ? 'map[string]interface {}' : 'map[string]string';
  return type.name;
}

function complain(walk: Walk, value: string, type: string): void {
  const { structs, names } = walk;
  const struct = structs.at(-1);
  const where =
    struct === undefined ? 'Go value' : `Go struct field ${struct.slice(struct.indexOf('.') + 1)}.${names.join('.')}`;
  walk.complaint ??= { message: `json: cannot unmarshal ${value} into ${where} of type ${type}`, path: [...walk.path] };
}

function kindText(value: Value): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (isList(value)) return 'array';
  return isMap(value) ? 'object' : 'number';
}

function decode(walk: Walk, value: Value, type: Type): unknown {
  if (type === 'any' || type === 'raw') return value;
  if (value === null) return undefined;
  if (type === 'int' || type === 'int64') return integer(walk, value, type);
  if (type === 'string') return stringOf(walk, value);
  if (type === 'bool') return typeof value === 'boolean' ? value : refuse(walk, value, type);
  if ('list' in type) return isList(value) ? listOf(walk, value, type) : refuse(walk, value, type);
  if (!isMap(value)) return refuse(walk, value, type);
  if ('map' in type) return mapOf(walk, value, type);
  return structOf(walk, value, type);
}

function stringOf(walk: Walk, value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (!walk.asText || isList(value) || isMap(value)) return refuse(walk, value, 'string');
  return typeof value === 'number' ? formatFloat(value) : String(value);
}

function refuse(walk: Walk, value: Value, type: Type): undefined {
  complain(walk, kindText(value), typeText(type));
  return undefined;
}

function integer(walk: Walk, value: Value, type: string): bigint | undefined {
  if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) === value) return value;
    complain(walk, `number ${value}`, type);
    return undefined;
  }
  if (typeof value === 'number') complain(walk, `number ${jsonFloat(value)}`, type);
  else complain(walk, kindText(value), type);
  return undefined;
}

function listOf(walk: Walk, list: readonly Value[], { list: type }: ListType): unknown[] {
  return list.map((item, i) => {
    walk.path.push(i);
    const decoded = decode(walk, item, type);
    walk.path.pop();
    return decoded ?? zeroOf(type);
  });
}

function zeroOf(type: Type): unknown {
  if (type === 'string') return '';
  return typeof type === 'object' && 'fields' in type ? {} : undefined;
}

function mapOf(walk: Walk, map: ValueMap, { map: type }: MapType): Map<string, unknown> {
  const decoded = new Map<string, unknown>();
  for (const [key, value] of sorted(map)) {
    walk.path.push(key);
    decoded.set(key, type === 'any' ? value : (decode(walk, value, 'string') ?? ''));
    walk.path.pop();
  }
  return decoded;
}

function sorted(map: ValueMap): (readonly [string, Value])[] {
  return [...map].sort(([a], [b]) => compareStrings(a, b));
}

function structOf(walk: Walk, map: ValueMap, type: StructType): Record<string, unknown> {
  const struct: Record<string, unknown> = Object.create(null);
  for (const [key, value] of sorted(map)) {
    const name = fieldNamed(type, key);
    walk.path.push(key);
    if (name === undefined) {
      if (walk.strict) walk.complaint ??= { message: `json: unknown field ${quote(key)}`, path: [...walk.path] };
    } else {
      const within = type.inside?.get(name) ?? [];
      walk.structs.push(type.name);
      for (const part of within) walk.names.push(part);
      walk.names.push(name);
      const decoded = decode(walk, value, type.fields[name]!);
      if (decoded !== undefined) struct[name] = decoded;
      walk.structs.pop();
      walk.names.length -= within.length + 1;
    }
    walk.path.pop();
  }
  return struct;
}

function fieldNamed({ fields }: StructType, key: string): string | undefined {
  if (Object.hasOwn(fields, key)) return key;
  const lower = key.toLowerCase();
  return Object.keys(fields).find((name) => name.toLowerCase() === lower);
}

/** The path of a value as it is written, of one that names fields as they are called. */
export function writtenPath(root: Value, path: Path): Path {
  let at: Value | undefined = root;
  const steps: (string | number)[] = [];
  for (const step of path) {
    let written = step;
    if (typeof step === 'string' && isMap(at) && !at.has(step)) {
      const lower = step.toLowerCase();
      written = [...at.keys()].find((key) => key.toLowerCase() === lower) ?? step;
    }
    steps.push(written);
    at = isMap(at) ? at.get(written as string) : isList(at) ? at[written as number] : undefined;
  }
  return steps;
}
