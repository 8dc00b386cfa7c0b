import type { Call, Comprehension, Expr, ListExpr, Literal, MapExpr, Select, StructExpr } from './ast.ts';
import type { CelEnv } from './env.ts';
import type { FunctionDecl, Overload } from './overload.ts';
import type { CelProblem, ProblemFact } from './source.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  dynType,
  errorType,
  intType,
  isDyn,
  isDynOrError,
  isOptional,
  keyBits,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  stringType,
  typeOf,
  typeVariable,
  uintType,
  unspecifiedType,
  unwrapOptional,
} from './types.ts';
import {
  assignable,
  assignableCall,
  assignableList,
  instantiate,
  mostGeneral,
  newSubstitution,
  type Substitution,
  substitute,
} from './unify.ts';
import { wellKnownConstants } from './wellKnown.ts';

/** The variables that comprehensions bring, innermost first. */
interface Scope {
  readonly name: string;
  readonly type: CelType;
  readonly outer: Scope | undefined;
}

interface Checker {
  readonly env: CelEnv;
  readonly problems: CelProblem[];
  readonly types: Substitution;
  /** How many type variables are in use: their numbers show in texts. */
  variables: number;
  scope: Scope | undefined;
  /** Comparisons between numeric types are refused; cel-go forgets that at the first comprehension. */
  refusesCrossType: boolean;
  /** Nodes whose type has parameters that the end of the check replaces. */
  readonly open: Expr[];
  /** Whether the validation of literals finds anything to look at. */
  literals: boolean;
}

export interface Checked {
  readonly problems: readonly CelProblem[];
  /** Whether the validation of literals finds anything to look at. */
  readonly literals: boolean;
}

/** Finds the type of every node and writes it there, in trees with errors too. */
export function check(expr: Expr, env: CelEnv): Checked {
  const c: Checker = {
    env,
    problems: [],
    types: newSubstitution(),
    variables: 0,
    scope: undefined,
    refusesCrossType: !env.dialect.crossTypeComparisons,
    open: [],
    literals: false,
  };
  visit(c, expr);
  for (const node of c.open) node.type = substitute(c.types, node.type, true);
  return c;
}

function visit(c: Checker, e: Expr): void {
  switch (e.kind) {
    case 'literal':
      e.type = literalType(e);
      return;
    case 'ident':
      visitIdent(c, e);
      return;
    case 'select':
      visitSelect(c, e);
      return;
    case 'call':
      visitCall(c, e);
      return;
    case 'list':
      visitList(c, e);
      return;
    case 'map':
      visitMap(c, e);
      return;
    case 'struct':
      visitStruct(c, e);
      return;
    case 'comprehension':
      visitComprehension(c, e);
      return;
    case 'error':
      e.type = errorType;
  }
}

const literalTypes = {
  bool: boolType,
  bytes: bytesType,
  double: doubleType,
  int: intType,
  null: nullType,
  string: stringType,
  uint: uintType,
} as const;

function literalType(e: Literal): CelType {
  return literalTypes[e.literal.of];
}

function setType(c: Checker, e: Expr, type: CelType): void {
  if (e.copyOf && c.env.dialect.sharesCopies && e.copyOf.type.text !== type.text) {
    e.type = e.copyOf.type;
    typedAnew(c, e, e.copyOf, type);
    return;
  }
  e.type = type;
  if (type.open) c.open.push(e);
}

function freshVariable(c: Checker): CelType {
  return typeVariable(c.variables++);
}

// Problems

function report(c: Checker, e: { readonly at: number }, message: string, fact?: ProblemFact, span?: Expr): void {
  const place = span ? { at: e.at, start: span.start, end: span.end } : { at: e.at };
  c.problems.push(fact ? { ...place, message, fact } : { ...place, message });
}

function mismatch(c: Checker, e: Expr, expected: CelType, actual: CelType): void {
  const message = `expected type '${expected.text}' but found '${actual.text}'`;
  report(c, e, message, { kind: 'mismatch', expected, actual }, e);
}

function undeclared(c: Checker, e: Expr, name: string): void {
  report(c, e, `undeclared reference to '${name}' (in container '')`, { kind: 'undeclared', name }, e);
}

function noOverload(c: Checker, e: Expr, name: string, args: readonly CelType[], member: boolean): void {
  const plain = (member ? args.slice(1) : args).map((arg) => arg.text).join(', ');
  const signature = member ? `${args[0]!.text}.(${plain})` : `(${plain})`;
  const message = `found no matching overload for '${name}' applied to '${signature}'`;
  report(c, e, message, { kind: 'no-overload', name, args, member }, e);
}

/**
 * cel-go 0.20 keeps one type for a node and its copy; a parameter that is still open gets another name each time. It
 * names the node by a number and an address, of which only the form is the same here.
 */
function typedAnew(c: Checker, e: Expr, { id, type }: Expr, again: CelType): void {
  const node = `&{${id} 0xc000000000}(${id})`;
  const message = `incompatible type already exists for expression: ${node} old:${type.text}, new:${again.text}`;
  report(c, e, message, undefined, e);
}

// Names

/** A comprehension's variable; a leading dot is not part of the name. */
function local(c: Checker, name: string): CelType | undefined {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  for (let scope = c.scope; scope; scope = scope.outer) if (scope.name === plain) return scope.type;
  return undefined;
}

function global(c: Checker, name: string): CelType | undefined {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  const known = c.env.idents.get(plain);
  if (known) return known;
  if (wellKnownConstants.has(plain)) return intType;
  const struct = c.env.structs(plain);
  return struct && (struct.named ?? typeOf(struct.type));
}

function visitIdent(c: Checker, e: Extract<Expr, { kind: 'ident' }>): void {
  const inner = local(c, e.name);
  const dotted = e.name.startsWith('.');
  if (inner && !(dotted && c.env.dialect.leadingDotIsGlobal)) {
    if (dotted) e.name = e.name.slice(1);
    setType(c, e, inner);
    return;
  }
  const outer = global(c, e.name);
  if (!outer) {
    e.type = errorType;
    undeclared(c, e, e.name);
    return;
  }
  // Where a variable of a comprehension hides the name, the dot is what tells them apart.
  if (dotted && !inner) e.name = e.name.slice(1);
  setType(c, e, outer);
}

/** `a.b.c` as one name, where it is nothing but names; undefined otherwise. */
function qualifiedName(e: Expr): string | undefined {
  if (e.kind === 'ident') return e.name;
  if (e.kind !== 'select' || e.testOnly) return undefined;
  const operand = qualifiedName(e.operand);
  return operand === undefined ? undefined : `${operand}.${e.field}`;
}

function rootName(e: Expr): string | undefined {
  let at = e;
  while (at.kind === 'select' && !at.testOnly) at = at.operand;
  return at.kind === 'ident' ? at.name : undefined;
}

/** Whether any name with dots starts with this one. */
function startsName(roots: ReadonlySet<string>, root: string): boolean {
  return roots.has(root.startsWith('.') ? root.slice(1) : root);
}

/** Whether a chain of selections is the full name of a variable or type; the root must not be a local variable. */
function qualifiedIdent(c: Checker, e: Select): boolean {
  const root = rootName(e);
  if (e.testOnly || root === undefined || !startsName(c.env.qualified.idents, root)) return false;
  const hidden = local(c, root) !== undefined;
  if (hidden && !(root.startsWith('.') && c.env.dialect.leadingDotIsGlobal)) return false;
  const name = qualifiedName(e)!;
  const type = global(c, name);
  if (!type) return false;
  const plain = name.startsWith('.') ? name.slice(1) : name;
  e.qualified = hidden ? `.${plain}` : plain;
  setType(c, e, type);
  return true;
}

// Selections

function visitSelect(c: Checker, e: Select): void {
  if (qualifiedIdent(c, e)) return;
  const result = fieldType(c, e, e.operand, e.field, false);
  setType(c, e, e.testOnly ? boolType : substitute(c.types, result, false));
}

function fieldType(c: Checker, e: Expr, operand: Expr, field: string, optional: boolean): CelType {
  visit(c, operand);
  const operandType = substitute(c.types, operand.type, false);
  const isAsked = optional || isOptional(operandType);
  const result = memberType(c, e, unwrapOptional(operandType), field, isAsked || (e.kind === 'select' && e.testOnly));
  return isAsked ? optionalOf(result) : result;
}

function memberType(c: Checker, e: Expr, target: CelType, field: string, isAsked: boolean): CelType {
  switch (target.kind) {
    case 'map':
      return target.params[1]!;
    case 'struct':
      return structField(c, e, target.name, field, target, spanOf(e), isAsked) ?? errorType;
    case 'param':
      assignable(c.types, dynType, target);
      return dynType;
    default:
      if (!isDynOrError(target)) report(c, e, `type '${target.text}' does not support field selection`, undefined, e);
      return dynType;
  }
}

function structField(
  c: Checker,
  e: { readonly at: number },
  struct: string,
  field: string,
  type: CelType,
  span = spanOf(e),
  isAsked = false,
): CelType | undefined {
  const info = c.env.structs(struct);
  if (!info) {
    report(c, e, `unexpected failed resolution of '${struct}'`);
    return undefined;
  }
  const found = info.field(field);
  if (!found) report(c, e, `undefined field '${field}'`, { kind: 'undefined-field', type, field, isAsked }, span);
  return found;
}

function spanOf(e: { readonly at: number }): Expr | undefined {
  return 'kind' in e ? (e as Expr) : undefined;
}

function visitOptionalSelect(c: Checker, e: Call): void {
  const [operand, field] = e.args;
  if (e.args.length !== 2 || e.target) return;
  if (field!.kind !== 'literal' || field!.literal.of !== 'string') return;
  field!.type = stringType;
  const result = fieldType(c, e, operand!, field!.literal.value, true);
  setType(c, e, substitute(c.types, result, false));
  e.overloads = c.env.functions.get('_?._')?.overloads ?? [];
}

// Calls

function visitCall(c: Checker, e: Call): void {
  if (e.name === '_?._') {
    visitOptionalSelect(c, e);
    return;
  }
  for (const arg of e.args) visit(c, arg);
  if (!e.target) {
    plainCall(c, e);
    return;
  }
  const namespaced = namespacedFunction(c, e.target, e.name);
  if (namespaced) {
    e.namespace = e.target;
    e.target = undefined;
    e.name = namespaced.name;
    resolve(c, e, namespaced);
    return;
  }
  visit(c, e.target);
  const fn = lookup(c, e.name);
  if (fn) {
    resolve(c, e, fn);
    return;
  }
  e.type = errorType;
  undeclared(c, e, e.name);
}

/** The function `a.b.c` of a call `a.b.c(…)`, where there is one. */
function namespacedFunction(c: Checker, target: Expr, name: string): FunctionDecl | undefined {
  const root = rootName(target);
  if (root === undefined || !startsName(c.env.qualified.functions, root)) return undefined;
  const prefix = qualifiedName(target);
  return prefix === undefined ? undefined : lookup(c, `${prefix}.${name}`);
}

function plainCall(c: Checker, e: Call): void {
  const fn = lookup(c, e.name);
  if (!fn) {
    undeclared(c, e, e.name);
    e.type = errorType;
    return;
  }
  e.name = fn.name;
  resolve(c, e, fn);
}

function lookup(c: Checker, name: string): FunctionDecl | undefined {
  return c.env.functions.get(name.startsWith('.') ? name.slice(1) : name);
}

function resolve(c: Checker, e: Call, fn: FunctionDecl): void {
  if (e.name === '_&&_' || e.name === '_||_') {
    logical(c, e, fn);
    return;
  }
  if (fn.checksLiterals) c.literals = true;
  const key = c.refusesCrossType ? 0 : callKey(e);
  const known = key > 0 ? fn.resolved.get(key) : undefined;
  if (known) {
    e.type = known.result;
    e.overloads = known.overloads;
    c.variables += known.variables;
    return;
  }
  const before = c.variables;
  const result = resolveNew(c, e, fn);
  if (key > 0 && result && !result.open) {
    fn.resolved.set(key, { overloads: e.overloads, result, variables: c.variables - before });
  }
}

/** A number for the types of a call's arguments, where all of them have keys; else 0. */
function callKey(e: Call): number {
  const { target, args } = e;
  if (args.length > (target ? 2 : 3)) return 0;
  let key = 1;
  if (target) {
    key = (key << keyBits) | target.type.key;
    if (target.type.key === 0) return 0;
  }
  for (let i = 0; i < args.length; i++) {
    const own = args[i]!.type.key;
    if (own === 0) return 0;
    key = (key << keyBits) | own;
  }
  return (key << 1) | (target ? 1 : 0);
}

function resolveNew(c: Checker, e: Call, fn: FunctionDecl): CelType | undefined {
  const given: CelType[] = e.target ? [e.target.type] : [];
  for (const arg of e.args) given.push(arg.type);
  const matching: Overload[] = [];
  let result: CelType | undefined;
  for (const overload of fn.overloads) {
    if (overload.member !== (e.target !== undefined) || isRefused(c, overload)) continue;
    const found = mayMatch(overload, given) ? match(c, overload, given) : mismatched(c, overload);
    if (!found) continue;
    matching.push(overload);
    if (!result || result === unspecifiedType) result = found;
    else if (!isDyn(result) && found !== result) result = dynType;
  }
  e.overloads = matching;
  if (result && result !== unspecifiedType) {
    setType(c, e, result);
    return result;
  }
  e.type = errorType;
  const args = given.map((type) => substitute(c.types, type, true));
  noOverload(c, e, fn.name, args, e.target !== undefined);
  return undefined;
}

/** Whether the arguments are as many, and of such kinds, that it is worth a closer look. */
function mayMatch({ args }: Overload, given: readonly CelType[]): boolean {
  if (given.length !== args.length) return false;
  for (let i = 0; i < args.length; i++) if ((args[i]!.accepts & given[i]!.bit) === 0) return false;
  return true;
}

/** The parameters of an overload take variables even where its arguments do not fit. */
function mismatched(c: Checker, overload: Overload): undefined {
  c.variables += overload.params.length;
  return undefined;
}

/** The result of an overload where the arguments fit it. */
function match(c: Checker, overload: Overload, given: readonly CelType[]): CelType | undefined {
  const { params } = overload;
  if (params.length === 0) return assignableList(c.types, given, overload.args) ? overload.result : undefined;
  const fresh: CelType[] = [];
  for (let i = 0; i < params.length; i++) fresh.push(freshVariable(c));
  if (!assignableCall(c.types, given, overload.args, params, fresh)) return undefined;
  return substitute(c.types, instantiate(overload.result, params, fresh), false);
}

const crossType = /^(less|less_equals|greater|greater_equals)_(double|u?int64)_(double|u?int64)$/;

function isRefused(c: Checker, overload: Overload): boolean {
  return c.refusesCrossType && crossType.test(overload.id);
}

/** `&&` and `||` say of each operand whether it is a bool. */
function logical(c: Checker, e: Call, fn: FunctionDecl): void {
  let wrong = false;
  for (const arg of e.args) {
    if (assignable(c.types, arg.type, boolType)) continue;
    mismatch(c, arg, boolType, arg.type);
    wrong = true;
  }
  e.type = wrong ? errorType : boolType;
  if (!wrong) e.overloads = fn.overloads;
}

// Literals with parts

function visitList(c: Checker, e: ListExpr): void {
  if (e.elements.length > 1 || e.optionals.length > 0) c.literals = true;
  let element: CelType | undefined;
  for (let i = 0; i < e.elements.length; i++) {
    const item = e.elements[i]!;
    visit(c, item);
    const type = e.optionals.includes(i) ? optionalPart(c, item) : item.type;
    element = join(c, element, type);
  }
  setType(c, e, listOf(element && element !== unspecifiedType ? element : freshVariable(c)));
}

/** T of an optional_type(T) behind a `?`. */
function optionalPart(c: Checker, e: Expr): CelType {
  const type = unwrapOptional(e.type);
  if (type === e.type && !isDyn(type)) mismatch(c, e, optionalOf(type), type);
  return type;
}

function visitMap(c: Checker, e: MapExpr): void {
  if (e.entries.length > 1 || e.entries[0]?.optional) c.literals = true;
  let keys: CelType | undefined;
  let values: CelType | undefined;
  for (const entry of e.entries) {
    visit(c, entry.key);
    keys = join(c, keys, entry.key.type);
    visit(c, entry.value);
    values = join(c, values, entry.optional ? optionalPart(c, entry.value) : entry.value.type);
  }
  if (!keys || !values || keys === unspecifiedType) {
    keys = freshVariable(c);
    values = freshVariable(c);
  }
  setType(c, e, mapOf(keys, values));
}

/** The type of parts that may differ; `validate.ts` says where they should not. */
function join(c: Checker, before: CelType | undefined, type: CelType): CelType {
  if (!before || before === unspecifiedType) return type;
  return assignable(c.types, before, type) ? mostGeneral(before, type) : dynType;
}

/** The type that a message literal names; undefined where there is none, `error` where it is not a type. */
function structName(c: Checker, e: StructExpr): CelType | undefined {
  const plain = e.typeName.startsWith('.') ? e.typeName.slice(1) : e.typeName;
  const onlyTypes = c.env.dialect.structNamesAreTypes;
  if (!onlyTypes && !e.typeName.startsWith('.')) {
    const inner = local(c, plain);
    if (inner) return inner;
  }
  const ident = c.env.idents.get(plain);
  if (ident && (ident.kind === 'type' || !onlyTypes)) return ident;
  const struct = c.env.structs(plain);
  return struct && (struct.named ?? typeOf(struct.type));
}

const wellKnownNames: Readonly<Partial<Record<CelType['kind'], string>>> = {
  any: 'google.protobuf.Any',
  bool: 'google.protobuf.BoolValue',
  bytes: 'google.protobuf.BytesValue',
  double: 'google.protobuf.DoubleValue',
  duration: 'google.protobuf.Duration',
  dyn: 'google.protobuf.Value',
  int: 'google.protobuf.Int64Value',
  list: 'google.protobuf.ListValue',
  map: 'google.protobuf.Struct',
  null: 'google.protobuf.NullValue',
  string: 'google.protobuf.StringValue',
  timestamp: 'google.protobuf.Timestamp',
  uint: 'google.protobuf.UInt64Value',
};

function isWellKnown(type: CelType): boolean {
  switch (type.kind) {
    case 'any':
    case 'timestamp':
    case 'duration':
    case 'dyn':
    case 'null':
      return true;
    case 'list':
      return type.params[0] === dynType;
    case 'map':
      return type.params[0] === stringType && type.params[1] === dynType;
    default:
      return type.wrapper;
  }
}

function declaredName(type: CelType): string {
  return type.wrapper ? `wrapper(${type.name})` : type.name;
}

/** What a message literal makes, and the name that its fields are looked up under. */
function messageType(c: Checker, e: StructExpr, named: CelType): readonly [CelType, string] {
  const plain = e.typeName.startsWith('.') ? e.typeName.slice(1) : e.typeName;
  if (named.kind === 'error') return [errorType, plain];
  if (named.kind !== 'type') {
    report(c, e, `'${declaredName(named)}' is not a type`, undefined, e);
    return [errorType, plain];
  }
  const made = named.params[0] ?? errorType;
  if (isWellKnown(made)) return [made, wellKnownNames[made.kind]!];
  if (made.kind === 'struct') return [made, made.name];
  report(c, e, `'${declaredName(made)}' is not a message type`, undefined, e);
  return [errorType, plain];
}

function visitStruct(c: Checker, e: StructExpr): void {
  const named = structName(c, e);
  if (!named) {
    e.type = errorType;
    undeclared(c, e, e.typeName);
    return;
  }
  const [made, lookupName] = messageType(c, e, named);
  setType(c, e, made);
  for (const field of e.fields) {
    visit(c, field.value);
    const wanted = structField(c, field, lookupName, field.name, made, e) ?? errorType;
    const type = field.optional ? optionalPart(c, field.value) : field.value.type;
    if (assignable(c.types, wanted, type)) continue;
    const message = `expected type of field '${field.name}' is '${wanted.text}' but provided type is '${type.text}'`;
    report(c, field, message, { kind: 'mismatch', expected: wanted, actual: type }, field.value);
  }
}

// Comprehensions

function visitComprehension(c: Checker, e: Comprehension): void {
  visit(c, e.range);
  visit(c, e.init);
  const range = substitute(c.types, e.range.type, false);
  const outer = c.scope;
  const accuType = e.init.type;
  c.refusesCrossType = false;
  c.scope = { name: e.accuVar, type: accuType, outer };
  const withAccu = c.scope;
  const [first, second] = variableTypes(c, e, range);
  c.scope = { name: e.iterVar, type: first, outer: c.scope };
  if (e.iterVar2 !== '') c.scope = { name: e.iterVar2, type: second, outer: c.scope };
  visit(c, e.condition);
  assertType(c, e.condition, boolType);
  visit(c, e.step);
  assertType(c, e.step, accuType);
  c.scope = withAccu;
  visit(c, e.result);
  c.scope = outer;
  setType(c, e, substitute(c.types, e.result.type, false));
}

function assertType(c: Checker, e: Expr, type: CelType): void {
  if (!assignable(c.types, type, e.type)) mismatch(c, e, type, e.type);
}

/** The types of a comprehension's variables; with one variable it is the item or the key. */
function variableTypes(c: Checker, e: Comprehension, range: CelType): readonly [CelType, CelType] {
  const two = e.iterVar2 !== '';
  switch (range.kind) {
    case 'list':
      return two ? [intType, range.params[0]!] : [range.params[0]!, errorType];
    case 'map':
      return [range.params[0]!, range.params[1]!];
    case 'dyn':
    case 'error':
    case 'param':
      assignable(c.types, dynType, range);
      return [dynType, c.env.dialect.untypedSecondVariable ? unspecifiedType : dynType];
    default: {
      const message = `expression of type '${range.text}' cannot be range of a comprehension (must be list, map, or dynamic)`;
      report(c, e.range, message, undefined, e.range);
      return [errorType, c.env.dialect.untypedSecondVariable ? unspecifiedType : errorType];
    }
  }
}
