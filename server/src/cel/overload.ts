import type { Estimator } from './cost.ts';
import {
  anyType,
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  stringType,
  timestampType,
  typeOf,
  typeParam,
  typeType,
  uintType,
} from './types.ts';

/**
 * One way to call a function: the row of a library's table. What a row does not say — cost or implementation — follows
 * from the defaults in `cost.ts` and from the evaluator.
 */
export interface Overload {
  readonly id: string;
  readonly name: string;
  /** Called as `target.name(…)`; the target is then the first of `args`. */
  readonly member: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** How many type parameters the signature has: each takes a variable when a call is checked. */
  readonly params: readonly CelType[];
  readonly doc: string;
  /** An expression that is true, or a call that shows the use where no such expression is short. */
  readonly example: string;
  /** The signature as it was written. */
  readonly signature: string;
  /** The worst-case cost; without it a call costs what `cost.ts` says for its id, or 1. */
  readonly estimate: Estimator | undefined;
}

/** What a call with arguments of certain types comes to. */
export interface Resolution {
  readonly overloads: readonly Overload[];
  readonly result: CelType;
  /** How many type variables finding it took. */
  readonly variables: number;
}

/** All overloads of one name, in the order in which the checker tries them. */
export interface FunctionDecl {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** Whether its written arguments are looked at: see `validate.ts`. */
  readonly checksLiterals: boolean;
  /** Calls resolved before, by the keys of their types. */
  readonly resolved: Map<number, Resolution>;
}

const literalFunctions: readonly string[] = ['duration', 'timestamp', 'matches', 'format'];

export function functionDecl(name: string, overloads: readonly Overload[]): FunctionDecl {
  return { name, overloads, checksLiterals: literalFunctions.includes(name), resolved: new Map() };
}

/** What a library brings: functions by name. */
export type Library = readonly FunctionDecl[];

export interface Row {
  readonly id: string;
  readonly signature: string;
  readonly example?: string;
  readonly doc?: string;
  readonly estimate?: Estimator;
}

/**
 * A function's rows. Signatures read `string.indexOf(string, int): int`, or `size(list(A)): int` for a function that is
 * called without a target; types other than CEL's own come from `types`.
 */
export function fn(
  name: string,
  doc: string,
  rows: readonly Row[],
  options: { readonly estimate?: Estimator; readonly types?: ReadonlyMap<string, CelType> } = {},
): FunctionDecl {
  return functionDecl(
    name,
    rows.map((row) => overload(name, doc, row, options.estimate, options.types)),
  );
}

function overload(
  name: string,
  doc: string,
  row: Row,
  estimate: Estimator | undefined,
  types: ReadonlyMap<string, CelType> = noTypes,
): Overload {
  const reader: Reader = { text: row.signature, at: 0, types, params: [] };
  const member = !row.signature.startsWith(`${name}(`);
  const args: CelType[] = [];
  if (member) {
    args.push(readType(reader));
    reader.at++;
  }
  reader.at += name.length + 1;
  while (reader.text[reader.at] !== ')') args.push(readType(reader));
  reader.at = reader.text.indexOf(':', reader.at) + 2;
  return {
    id: row.id,
    name,
    member,
    args,
    result: readType(reader),
    params: reader.params,
    doc: row.doc ?? doc,
    example: row.example ?? '',
    signature: row.signature,
    estimate: row.estimate ?? estimate,
  };
}

interface Reader {
  readonly text: string;
  at: number;
  readonly types: ReadonlyMap<string, CelType>;
  readonly params: CelType[];
}

const noTypes: ReadonlyMap<string, CelType> = new Map();
const simple: Readonly<Record<string, CelType>> = {
  any: anyType,
  bool: boolType,
  bytes: bytesType,
  double: doubleType,
  duration: durationType,
  dyn: dynType,
  int: intType,
  null: nullType,
  string: stringType,
  timestamp: timestampType,
  type: typeType,
  uint: uintType,
};

/** Reads one type and what separates it from the next. */
function readType(reader: Reader): CelType {
  const word = /[\w.@]*\w(?=[.(),]|$)/y;
  const open = /\w+(?=\()/y;
  open.lastIndex = reader.at;
  const parametrised = open.exec(reader.text)?.[0];
  if (parametrised !== undefined && parametrised in builders) return readParametrised(reader, parametrised);
  const single = /[A-Za-z]+/y;
  single.lastIndex = reader.at;
  const first = single.exec(reader.text)![0];
  if (first in simple) return finish(reader, first, simple[first]!);
  if (/^[A-Z]$/.test(first)) return finish(reader, first, param(reader, first));
  for (const [name, type] of reader.types)
    if (reader.text.startsWith(name, reader.at)) return finish(reader, name, type);
  throw new Error(`no type ${word.exec(reader.text)?.[0]} in ${reader.text}`);
}

function finish(reader: Reader, name: string, type: CelType): CelType {
  reader.at += name.length;
  if (reader.text.startsWith(', ', reader.at)) reader.at += 2;
  return type;
}

function param(reader: Reader, name: string): CelType {
  const type = typeParam(name);
  if (!reader.params.includes(type)) reader.params.push(type);
  return type;
}

const builders: Readonly<Record<string, (params: readonly CelType[]) => CelType>> = {
  list: ([element]) => listOf(element!),
  map: ([key, value]) => mapOf(key!, value!),
  optional: ([value]) => optionalOf(value!),
  type: ([value]) => typeOf(value!),
};

function readParametrised(reader: Reader, name: string): CelType {
  reader.at += name.length + 1;
  const params: CelType[] = [];
  while (reader.text[reader.at] !== ')') params.push(readType(reader));
  return finish(reader, ')', builders[name]!(params));
}
