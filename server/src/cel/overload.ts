import type { Estimator } from './estimate.ts';
import type { CallCost, Impl, Partly, PatternImpl, Singleton } from './eval/implementation.ts';
import type { LiteralValue } from './literal.ts';
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

/** What a call costs beyond its arguments: at most, before anything is evaluated, and as it turned out. */
export interface Price {
  readonly estimate: Estimator;
  readonly cost: CallCost | 1;
  /** The cost does not depend on the result: it is charged before the call, which then need not be made. */
  readonly paidFirst?: true;
}

/** One way to call a function: the row of a library's table. */
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
  /** The row's price, or else the function's; a call without one costs 1. */
  readonly price: Price | undefined;
  /** Undefined where the function does the same whatever the overload. */
  readonly impl: Impl | undefined;
}

/** What a call with arguments of certain types comes to. */
export interface Resolution {
  readonly overloads: readonly Overload[];
  readonly result: CelType;
  /** How many type variables finding it took. */
  readonly variables: number;
}

/** What holds of a function whatever the overload. */
export interface WholeFunction {
  /** Takes its arguments as they come, or is known to the planner; without it each overload has its implementation. */
  readonly does?: Singleton | 'planned' | undefined;
  /** What a call costs of which checking left several overloads; the price of overloads that have none. */
  readonly price?: Price | undefined;
  /** Makes what the function does of a pattern that is known while planning. */
  readonly pattern?: PatternImpl | undefined;
  /** What is sure of a call whose arguments are not all known; without it nothing is. */
  readonly partly?: Partly | undefined;
  /** A call with a constant is evaluated while planning. */
  readonly folds?: boolean;
  /** What the first argument has to be where it is written out, once all types agree. */
  readonly takesLiteral?: ((value: LiteralValue['value']) => boolean) | undefined;
}

/** All overloads of one name, in the order in which the checker tries them. */
export interface FunctionDecl extends WholeFunction {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** Whether its written arguments are looked at: see `validate.ts`. */
  readonly checksLiterals: boolean;
  /** Calls resolved before, by the keys of their types. */
  readonly resolved: Map<number, Resolution>;
}

function functionDecl(name: string, overloads: readonly Overload[], whole: WholeFunction): FunctionDecl {
  const { does, price, pattern, partly, folds = false, takesLiteral } = whole;
  const checksLiterals = takesLiteral !== undefined || name === 'format';
  return { name, overloads, does, price, pattern, partly, folds, takesLiteral, checksLiterals, resolved: new Map() };
}

/** A function that two libraries know: the second may declare again what the first has already. */
export function mergeFunctions(known: FunctionDecl, added: FunctionDecl): FunctionDecl {
  const isNew = ({ id }: Overload) => !known.overloads.some((other) => other.id === id);
  return functionDecl(known.name, [...known.overloads, ...added.overloads.filter(isNew)], {
    does: known.does ?? added.does,
    price: known.price ?? added.price,
    pattern: known.pattern ?? added.pattern,
    partly: known.partly ?? added.partly,
    folds: known.folds === true || added.folds === true,
    takesLiteral: known.takesLiteral ?? added.takesLiteral,
  });
}

/** A function with some of its overloads, which cost what they cost there, or nothing of their own. */
export function withOverloads(
  decl: FunctionDecl,
  keeps: (overload: Overload) => boolean,
  isPriced: boolean,
): FunctionDecl {
  const kept = decl.overloads.filter(keeps);
  if (isPriced) return functionDecl(decl.name, kept, decl);
  const overloads = kept.map((overload) => ({ ...overload, price: undefined }));
  return functionDecl(decl.name, overloads, { ...decl, price: undefined });
}

/** What a library brings: functions by name. */
export type Library = readonly FunctionDecl[];

export interface Row {
  readonly id: string;
  readonly signature: string;
  readonly example?: string;
  readonly doc?: string;
  readonly price?: Price | undefined;
}

/** A row of a function that does something else for each overload. */
export interface CalledRow extends Row {
  readonly impl: Impl;
}

interface Options extends WholeFunction {
  /** Types other than CEL's own that the signatures name. */
  readonly types?: ReadonlyMap<string, CelType>;
}

/**
 * A function's rows. Signatures read `string.indexOf(string, int): int`, or `size(list(A)): int` for a function that is
 * called without a target. Each row says what it does, or the function does for all of them.
 */
export function fn(name: string, doc: string, rows: readonly CalledRow[], options?: Options): FunctionDecl;
export function fn(
  name: string,
  doc: string,
  rows: readonly Row[],
  options: Options & { readonly does: Singleton | 'planned' },
): FunctionDecl;
export function fn(name: string, doc: string, rows: readonly (Row | CalledRow)[], options: Options = {}): FunctionDecl {
  const overloads = rows.map((row) => overload(name, doc, row, options));
  return functionDecl(name, overloads, options);
}

function overload(name: string, doc: string, row: Row | CalledRow, { price, types = noTypes }: Options): Overload {
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
    price: row.price ?? price,
    impl: 'impl' in row ? row.impl : undefined,
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
