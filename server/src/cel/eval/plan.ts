import type { Call, Comprehension, Expr, ListExpr, MapExpr, Select, StructExpr } from '../ast.ts';
import type { CelEnv } from '../env.ts';
import type { Overload } from '../overload.ts';
import type { CelType } from '../types.ts';
import { type Attribute, addQualifier, type Qualifier, resolver } from './attribute.ts';
import { constantSet } from './constantSet.ts';
import { textWalk } from './costs.ts';
import { equal } from './equal.ts';
import { charge, chargeUnits, endWith, type Frame, type Step, unset } from './frame.ts';
import { goText } from './goText.ts';
import { goType } from './goType.ts';
import type { CallCost, EvalRules, Impl, Ints } from './implementation.ts';
import {
  accepts,
  bytes,
  type CelError,
  type Entry,
  error,
  growingList,
  isError,
  isKind,
  itemAt,
  type Key,
  keyOf,
  list,
  mapFrom,
  noSuchOverload,
  orNoSuchOverload,
  sizeOfList,
  typeName,
  typeVal,
  uint,
  unsupported,
  type Val,
} from './values.ts';

/** What a node was planned as: constants fold into their parents, attributes grow with the selections on them. */
type Planned =
  | { readonly kind: 'constant'; readonly value: Val }
  | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly testOnly: boolean; readonly expr: Expr }
  | { readonly kind: 'step'; readonly step: Step };

/** Called with the value of every sub-expression as it is evaluated. */
export type Trace = (expr: Expr, value: Val) => void;

interface Plan {
  readonly env: CelEnv;
  readonly rules: EvalRules;
  readonly trace: Trace | undefined;
  /** Comprehension variables by name, the innermost last. */
  readonly scope: Map<string, number[]>;
  readonly globals: Map<string, Global>;
  slots: number;
}

/** A variable from outside, and what reading it gives where it is missing. */
interface Global {
  readonly name: string;
  readonly slot: number;
  readonly missing: CelError;
}

/** Why no program can be made of an expression. */
export interface PlanError {
  readonly planError: string;
}

export function isPlanError(thrown: unknown): thrown is PlanError {
  return typeof thrown === 'object' && thrown !== null && 'planError' in thrown;
}

function refuse(message: string): never {
  throw { planError: message } satisfies PlanError;
}

export interface Planning {
  readonly step: Step;
  readonly slots: number;
  readonly globals: readonly Global[];
}

/** Turns a checked expression into a function. Throws a PlanError where constants in it cannot be evaluated. */
export function plan(expr: Expr, env: CelEnv, rules: EvalRules, trace?: Trace): Planning {
  const state: Plan = { env, rules, trace, scope: new Map(), globals: new Map(), slots: 0 };
  const step = stepOf(state, node(state, expr));
  return { step, slots: state.slots, globals: [...state.globals.values()] };
}

function node(p: Plan, expr: Expr): Planned {
  const planned = dispatch(p, expr);
  if (!p.trace || planned.kind === 'attribute') return planned;
  return planned.kind === 'step' ? { kind: 'step', step: traced(p, expr, planned.step) } : planned;
}

function traced(p: Plan, expr: Expr, step: Step): Step {
  const trace = p.trace!;
  return (f) => {
    const value = step(f);
    trace(expr, value);
    return value;
  };
}

function dispatch(p: Plan, expr: Expr): Planned {
  switch (expr.kind) {
    case 'literal':
      return constant(literalValue(expr));
    case 'ident':
      return ident(p, expr, expr.name);
    case 'select':
      return expr.qualified === undefined || expr.testOnly ? select(p, expr) : ident(p, expr, expr.qualified);
    case 'call':
      return call(p, expr);
    case 'list':
      return listLiteral(p, expr);
    case 'map':
      return mapLiteral(p, expr);
    case 'struct':
      return struct(p, expr);
    case 'comprehension':
      return { kind: 'step', step: comprehension(p, expr) };
    case 'error':
      throw unsupported('an expression with errors');
  }
}

const constant = (value: Val): Planned => ({ kind: 'constant', value });
const asStep = (step: Step): Planned => ({ kind: 'step', step });

function literalValue(expr: Extract<Expr, { kind: 'literal' }>): Val {
  const { literal } = expr;
  if (literal.of === 'uint') return uint(literal.value);
  return literal.of === 'bytes' ? bytes(literal.value) : literal.value;
}

/** The function that evaluates a node and counts what that costs. */
function stepOf(p: Plan, planned: Planned): Step {
  if (planned.kind === 'step') return planned.step;
  if (planned.kind === 'constant') {
    const { value } = planned;
    return () => value;
  }
  const { attribute, testOnly, expr } = planned;
  const own = (attribute.kind === 'conditional' ? 0 : 1) - (testOnly ? 1 : 0);
  const step: Step = testOnly ? presence(resolver(attribute), own) : resolver(attribute, own);
  return p.trace ? traced(p, expr, step) : step;
}

/** has(): an optional that is found tells whether it has a value. */
function presence(resolve: Step, own: number): Step {
  return (f) => {
    const value = resolve(f);
    if (own !== 0) charge(f, own);
    return isKind(value, 'optional') ? value.value !== undefined : value;
  };
}

// Names and selections

function ident(p: Plan, expr: Expr, name: string): Planned {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  const slot = name.startsWith('.') && p.env.dialect.leadingDotIsGlobal ? undefined : p.scope.get(plain)?.at(-1);
  if (expr.type.kind === 'type' && slot === undefined) return typeIdent(p, plain);
  if (expr.type.kind === 'type') refuse(`reference to undefined type: ${plain}`);
  return attributeOf(expr, { kind: 'absolute', ...slotReader(p, slot ?? globalSlot(p, plain)), qualifiers: [] });
}

function globalSlot(p: Plan, name: string): number {
  let known = p.globals.get(name);
  if (!known) {
    known = { name, slot: p.slots++, missing: error(`no such attribute(s): ${name}`) };
    p.globals.set(name, known);
  }
  return known.slot;
}

function attributeOf(expr: Expr, attribute: Attribute): Planned {
  return { kind: 'attribute', attribute, testOnly: false, expr };
}

function typeIdent(p: Plan, name: string): Planned {
  const declared = p.env.idents.get(name) ?? p.env.structs(name)?.named ?? p.env.structs(name)?.type;
  if (!declared) return refuse(`reference to undefined type: ${name}`);
  return constant(typeVal(declared.kind === 'type' && declared.params[0] ? declared.params[0] : declared));
}

const initializers = new WeakMap<Plan, Map<number, Step>>();

function slotReader(p: Plan, slot: number): { readonly read: Step; readonly slot: number | undefined } {
  const initialize = initializers.get(p)?.get(slot);
  if (!initialize) return { read: (f) => f.slots[slot] as Val, slot };
  const read: Step = (f) => {
    let value = f.slots[slot];
    if (value === unset) {
      value = opened(initialize(f));
      f.slots[slot] = value;
    }
    return value as Val;
  };
  return { read, slot: undefined };
}

/** A variable that only has to be read costs 1. */
function plainSlot(p: Plan, planned: Planned): number {
  if (p.trace || planned.kind !== 'attribute' || planned.testOnly) return -1;
  const { attribute } = planned;
  return attribute.kind === 'absolute' && attribute.qualifiers.length === 0 ? (attribute.slot ?? -1) : -1;
}

/** An empty list or map that a comprehension starts from grows in place. */
function opened(value: Val): Val {
  if (isKind(value, 'list') && sizeOfList(value) === 0) return growingList();
  if (isKind(value, 'map') && value.size === 0) return mapFrom(new Map(), true);
  return value;
}

function closed(value: Val): Val {
  if ((isKind(value, 'list') || isKind(value, 'map')) && value.growing) value.growing = false;
  return value;
}

function select(p: Plan, expr: Select): Planned {
  const operand = attributeFor(p, node(p, expr.operand));
  addQualifier(operand, { of: 'constant', key: expr.field, optional: false, testOnly: expr.testOnly });
  return { kind: 'attribute', attribute: operand, testOnly: expr.testOnly, expr };
}

/** What is not an attribute becomes one when something is selected from it. */
function attributeFor(p: Plan, planned: Planned): Attribute {
  if (planned.kind === 'attribute' && !planned.testOnly) return planned.attribute;
  return { kind: 'relative', operand: stepOf(p, planned), qualifiers: [] };
}

function index(p: Plan, expr: Call, optional: boolean): Planned {
  const [operand, at] = argumentsOf(expr).map((arg) => node(p, arg)) as [Planned, Planned];
  const attribute = attributeFor(p, operand);
  addQualifier(attribute, qualifier(p, at, optional));
  return attributeOf(expr, attribute);
}

function qualifier(p: Plan, at: Planned, optional: boolean): Qualifier {
  if (at.kind === 'constant') {
    const problem = badKey(at.value);
    if (problem) refuse(problem.message);
    return { of: 'constant', key: at.value, optional, testOnly: false };
  }
  if (at.kind === 'attribute' && !at.testOnly) return { of: 'computed', read: resolver(at.attribute), optional };
  return { of: 'computed', read: stepOf(p, at), optional };
}

/** Only primitive values select anything. */
export function badKey(key: Val): { readonly message: string } | undefined {
  if (key !== null && typeof key !== 'object') return undefined;
  if (isKind(key, 'uint')) return undefined;
  return { message: `invalid qualifier type: ${goType(key)}` };
}

// Calls

function argumentsOf(expr: Call): readonly Expr[] {
  return expr.target ? [expr.target, ...expr.args] : expr.args;
}

function call(p: Plan, expr: Call): Planned {
  switch (expr.name) {
    case '_&&_':
      return asStep(logical(p, expr, false));
    case '_||_':
      return asStep(logical(p, expr, true));
    case '_?_:_':
      return conditional(p, expr);
    case '_==_':
    case '_!=_':
      return asStep(equality(p, expr));
    case '_[_]':
      return index(p, expr, false);
    case '_?._':
    case '_[?_]':
      return index(p, expr, true);
    case 'or':
    case 'orValue':
      if (expr.target && argumentsOf(expr).length === 2) return asStep(otherwise(p, expr));
  }
  return ordinaryCall(p, expr);
}

/** && (stopping at false) and || (stopping at true); an error only counts where nothing stops. */
function logical(p: Plan, expr: Call, stop: boolean): Step {
  const [left, right] = expr.args.map((arg) => stepOf(p, node(p, arg))) as [Step, Step];
  return (f) => {
    const a = left(f);
    if (typeof a === 'boolean' && (stop ? a : !a)) return stop;
    const b = right(f);
    if (typeof b === 'boolean' && (stop ? b : !b)) return stop;
    if (typeof a !== 'boolean') return orNoSuchOverload(a);
    return typeof b === 'boolean' ? !stop : orNoSuchOverload(b);
  };
}

function conditional(p: Plan, expr: Call): Planned {
  const [test, truthy, falsy] = expr.args.map((arg) => node(p, arg)) as [Planned, Planned, Planned];
  const branch = (planned: Planned): Attribute =>
    planned.kind === 'attribute' && !planned.testOnly
      ? planned.attribute
      : { kind: 'relative', operand: stepOf(p, planned), qualifiers: [] };
  const attribute: Attribute = {
    kind: 'conditional',
    test: stepOf(p, test),
    truthy: branch(truthy),
    falsy: branch(falsy),
  };
  return attributeOf(expr, attribute);
}

function equality(p: Plan, expr: Call): Step {
  const [first, second] = expr.args.map((arg) => node(p, arg)) as [Planned, Planned];
  const [left, right] = [stepOf(p, first), stepOf(p, second)];
  const slot = plainSlot(p, first);
  const fixed = second.kind === 'constant' ? second.value : undefined;
  const wanted = expr.name === '_==_';
  const cost = p.rules.costs(expr.name, wanted ? 'equals' : 'not_equals')!;
  return (f) => {
    let a: Val;
    if (slot >= 0) {
      chargeUnits(f, 1);
      a = f.slots[slot] as Val;
    } else a = left(f);
    const b = fixed === undefined ? right(f) : fixed;
    if (typeof a === 'string' && typeof b === 'string') {
      chargeUnits(f, textWalk(a, b));
      return (a === b) === wanted;
    }
    const result = isError(a) ? a : isError(b) ? b : wanted ? equal(a, b) : equal(a, b) !== true;
    charge(f, cost(a, b, result, null));
    return result;
  };
}

/** `or` and `orValue`: the right side is evaluated only where the left one has no value. */
function otherwise(p: Plan, expr: Call): Step {
  const [left, right] = argumentsOf(expr).map((arg) => stepOf(p, node(p, arg))) as [Step, Step];
  const unwraps = expr.name === 'orValue';
  const loose = p.rules.looseOptionals;
  return (f) => {
    const value = left(f);
    if (!isKind(value, 'optional')) return loose ? value : orNoSuchOverload(value);
    if (value.value === undefined) return right(f);
    return unwraps ? value.value : value;
  };
}

const conversions = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

/** `accumulator + [item]`, the step of map() and filter(): the item joins a list that grows, without one of its own. */
function appending(p: Plan, expr: Call): Step | undefined {
  const [target, added] = expr.args;
  if (p.trace || expr.name !== '_+_' || target?.kind !== 'ident' || added?.kind !== 'list') return undefined;
  if (added.elements.length !== 1 || added.optionals.length > 0 || expr.overloads.length !== 1) return undefined;
  const planned = node(p, added.elements[0]!);
  // A list of constants is made, and paid for, only once.
  if (planned.kind === 'constant') return undefined;
  const [left, item] = [stepOf(p, node(p, target)), stepOf(p, planned)];
  const { impl } = binding(p, expr, expr.overloads[0]);
  return (f) => {
    const a = left(f);
    const value = item(f);
    charge(f, listCost);
    charge(f, 1);
    if (isError(a)) return a;
    if (isError(value)) return value;
    if (!isKind(a, 'list') || !a.growing) return impl(a, list([value]), null, null);
    (a.items as Val[]).push(value);
    return a;
  };
}

function ordinaryCall(p: Plan, expr: Call): Planned {
  const append = appending(p, expr);
  if (append) return asStep(append);
  const args = argumentsOf(expr).map((arg) => node(p, arg));
  const overload = expr.overloads.length === 1 ? expr.overloads[0]! : undefined;
  const id = overload?.id ?? '';
  if (id === 'in_list' && args[1]!.kind === 'constant') {
    const set = inConstants(p, args);
    if (set) return set;
  }
  const bound = binding(p, expr, overload);
  const first = args[0];
  if (conversions.has(expr.name) && args.length === 1 && first?.kind === 'constant') {
    const value = isError(first.value) ? first.value : bound.impl(first.value, null, null, null);
    return isError(value) ? refuse(value.message) : constant(value);
  }
  const pattern = args[1];
  const made = p.rules.patterns.get(expr.name);
  if (made && pattern?.kind === 'constant' && typeof pattern.value === 'string') {
    const impl = made(pattern.value);
    if (typeof impl === 'string') return refuse(impl);
    return asStep(invoke(p, expr, args, { impl, strictly: true }, id));
  }
  return asStep(invoke(p, expr, args, bound, id));
}

function inConstants(p: Plan, args: readonly Planned[]): Planned | undefined {
  const haystack = args[1]!.kind === 'constant' ? args[1]!.value : undefined;
  if (haystack === undefined || !isKind(haystack, 'list')) return undefined;
  if (sizeOfList(haystack) === 0) return constant(false);
  const has = constantSet(haystack);
  if (!has) return undefined;
  const needle = stepOf(p, args[0]!);
  return asStep((f) => {
    const value = needle(f);
    return isError(value) ? value : has(value);
  });
}

interface Binding {
  readonly impl: Impl;
  readonly ints?: Ints | undefined;
  /** Arguments after an error are not evaluated, and the call then costs nothing. */
  readonly strictly: boolean;
  readonly acceptsErrors?: boolean;
}

function binding(p: Plan, expr: Call, overload: Overload | undefined): Binding {
  const { name } = expr;
  const count = argumentsOf(expr).length;
  if (name === '@not_strictly_false' || name === '__not_strictly_false__') {
    return { impl: (a) => a !== false, strictly: false, acceptsErrors: true };
  }
  const singleton = p.rules.singletons.get(name);
  if (singleton) {
    const { impl, ints, trait } = singleton;
    if (!trait) return { impl, strictly: count > 2 };
    const absent = error(`no such overload: ${name}`);
    const receives = (a: Val) => typeof a === 'string' || isKind(a, 'timestamp') || isKind(a, 'duration');
    const guarded: Impl = (a, b, c, d) => (trait(a) ? impl(a, b, c, d) : receives(a) ? noSuchOverload : absent);
    return { impl: guarded, ints, strictly: count > 2 };
  }
  const strictly = count > 2 || name === 'format';
  if (overload) return { impl: guarded(p, overload), strictly };
  return { impl: dispatched(p, name, count), strictly: true };
}

function implementation(p: Plan, overload: Overload): Impl {
  const impl = p.rules.impls.get(overload.id);
  if (!impl) throw unsupported(`the function ${overload.name} (${overload.id})`);
  return impl;
}

function noMatch(name: string, args: readonly Val[]): Val {
  return error(`no such overload: ${name}(${args.map(typeName).join(', ')})`);
}

function guarded(p: Plan, overload: Overload): Impl {
  const impl = implementation(p, overload);
  const { args, name } = overload;
  const open = args.map((type) => type.kind === 'dyn' || type.kind === 'param');
  if (args.length === 0 || open.every(Boolean)) return impl;
  const [first, second, third] = args as readonly [CelType, CelType?, CelType?];
  if (!second) {
    return (a, b, c, d) => (accepts(first, a) ? impl(a, b, c, d) : noMatch(name, [a]));
  }
  if (!third) {
    return (a, b, c, d) => (accepts(first, a) && accepts(second, b) ? impl(a, b, c, d) : noMatch(name, [a, b]));
  }
  return (a, b, c, d) => {
    const values = [a, b, c, d].slice(0, args.length);
    const fits = accepts(first, a) && accepts(second, b) && accepts(third, c) && (!args[3] || accepts(args[3], d));
    return fits ? impl(a, b, c, d) : noMatch(name, values);
  };
}

/** Where checking left several overloads, the first that takes the values is called. */
function dispatched(p: Plan, name: string, count: number): Impl {
  const overloads = (p.env.functions.get(name)?.overloads ?? []).filter((overload) => overload.args.length === count);
  const impls = overloads.map((overload) => ({ overload, impl: implementation(p, overload) }));
  return (a, b, c, d) => {
    const values = [a, b, c, d].slice(0, count);
    for (const { overload, impl } of impls) {
      if (overload.args.every((type, i) => accepts(type, values[i]!))) return impl(a, b, c, d);
    }
    return noMatch(name, values);
  };
}

const nominal: CallCost = () => 1;

function invoke(p: Plan, expr: Call, args: readonly Planned[], bound: Binding, id: string): Step {
  const steps = args.map((arg) => stepOf(p, arg));
  const cost = p.rules.costs(expr.name, id) ?? nominal;
  if (bound.strictly && steps.length > 0) return invokeStrictly(steps, bound.impl, cost);
  if (steps.length === 0) return invokeNothing(bound.impl, cost);
  if (steps.length === 1) return invokeUnary(steps[0]!, bound, cost);
  if (bound.ints && cost === nominal) return invokeInts(p, args as [Planned, Planned], bound.ints, bound.impl);
  return invokeBinary(steps[0]!, steps[1]!, bound.impl, cost);
}

function invokeNothing(impl: Impl, cost: CallCost): Step {
  return (f) => {
    const result = impl(null, null, null, null);
    charge(f, cost(null, null, result, null));
    return result;
  };
}

function invokeUnary(step: Step, { impl, acceptsErrors }: Binding, cost: CallCost): Step {
  if (cost === nominal) {
    return (f) => {
      const a = step(f);
      const result = isError(a) && !acceptsErrors ? a : impl(a, null, null, null);
      chargeUnits(f, 1);
      return result;
    };
  }
  return (f) => {
    const a = step(f);
    const result = isError(a) && !acceptsErrors ? a : impl(a, null, null, null);
    charge(f, cost(a, null, result, null));
    return result;
  };
}

function invokeBinary(left: Step, right: Step, impl: Impl, cost: CallCost): Step {
  return (f) => {
    const a = left(f);
    const b = right(f);
    const result = isError(a) ? a : isError(b) ? b : impl(a, b, null, null);
    charge(f, cost(a, b, result, null));
    return result;
  };
}

/** A call that costs 1, of what mostly are two ints. */
function invokeInts(p: Plan, args: [Planned, Planned], op: Ints, impl: Impl): Step {
  const [left, right] = [stepOf(p, args[0]), stepOf(p, args[1])];
  const slot = plainSlot(p, args[0]);
  const fixed = args[1].kind === 'constant' ? args[1].value : undefined;
  return (f) => {
    let a: Val;
    if (slot >= 0) {
      chargeUnits(f, 1);
      a = f.slots[slot] as Val;
    } else a = left(f);
    const b = fixed === undefined ? right(f) : fixed;
    chargeUnits(f, 1);
    if (typeof a === 'bigint' && typeof b === 'bigint') {
      switch (op) {
        case '<':
          return a < b;
        case '<=':
          return a <= b;
        case '>':
          return a > b;
        case '>=':
          return a >= b;
      }
    }
    return isError(a) ? a : isError(b) ? b : impl(a, b, null, null);
  };
}

function invokeStrictly(steps: readonly Step[], impl: Impl, cost: CallCost): Step {
  const [first, second, third, fourth] = steps;
  const last = steps.length - 1;
  return (f) => {
    const a = first!(f);
    if (isError(a)) return finishStrictly(f, a, last === 0, cost);
    const b = second ? second(f) : null;
    if (isError(b)) return finishStrictly(f, b, last === 1, cost, a, b);
    const c = third ? third(f) : null;
    if (isError(c)) return finishStrictly(f, c, last === 2, cost, a, b);
    const d = fourth ? fourth(f) : null;
    if (isError(d)) return finishStrictly(f, d, last === 3, cost, a, b);
    const result = impl(a, b, c, d);
    charge(f, cost(a, b, result, c));
    return result;
  };
}

/** A call with an error among its arguments is only paid for where that was the last of them. */
function finishStrictly(f: Frame, failed: Val, paid: boolean, cost: CallCost, a: Val = failed, b: Val = null): Val {
  if (paid) charge(f, cost(a, b, failed, null));
  return failed;
}

// Literals

const listCost = 10;
const mapCost = 30;

function listLiteral(p: Plan, expr: ListExpr): Planned {
  const items = expr.elements.map((element) => node(p, element));
  const optionals = new Set(expr.optionals);
  const steps = items.map((item) => stepOf(p, item));
  const build = (f: Frame): Val => {
    const values: Val[] = [];
    for (let i = 0; i < steps.length; i++) {
      const value = steps[i]!(f);
      if (isError(value)) return value;
      if (!optionals.has(i)) values.push(value);
      else if (!isKind(value, 'optional')) {
        return error(`cannot initialize optional list element from non-optional value ${goText(value)}`);
      } else if (value.value !== undefined) values.push(value.value);
    }
    return list(values);
  };
  const fixed = items.every((item) => item.kind === 'constant');
  return fixed ? constant(build(nowhere)) : asStep(paid(build, listCost));
}

function paid(build: (f: Frame) => Val, cost: number): Step {
  return (f) => {
    const value = build(f);
    charge(f, cost);
    return value;
  };
}

function mapLiteral(p: Plan, expr: MapExpr): Planned {
  const entries = expr.entries.map((entry) => ({
    key: node(p, entry.key),
    value: node(p, entry.value),
    optional: entry.optional,
  }));
  const steps = entries.map(({ key, value, optional }) => ({
    key: stepOf(p, key),
    value: stepOf(p, value),
    optional,
  }));
  const build = (f: Frame) => buildMap(f, steps);
  const fixed = entries.every((e) => e.key.kind === 'constant' && e.value.kind === 'constant');
  if (!fixed) return asStep(paid(build, mapCost));
  return constant(build(nowhere));
}

/** Constants are evaluated where there are no variables. */
const nowhere: Frame = { cost: 0, excess: undefined, limit: Infinity, slots: [] };

interface EntrySteps {
  readonly key: Step;
  readonly value: Step;
  readonly optional: boolean;
}

const undeletable = error('internal error: hash of unhashable type: types.Bytes');

function buildMap(f: Frame, steps: readonly EntrySteps[]): Val {
  const entries = new Map<Key, Entry>();
  for (const step of steps) {
    const key = step.key(f);
    if (isError(key)) return key;
    const value = step.value(f);
    if (isError(value)) return value;
    if (!step.optional) entries.set(keyOf(key), { key, value });
    else if (!isKind(value, 'optional')) {
      return error(`cannot initialize optional entry '${goText(key)}' from non-optional value ${goText(value)}`);
    } else if (value.value !== undefined) entries.set(keyOf(key), { key, value: value.value });
    else if (isKind(key, 'bytes')) throw endWith(undeletable);
    else entries.delete(keyOf(key));
  }
  return mapFrom(entries);
}

function struct(_p: Plan, expr: StructExpr): Planned {
  throw unsupported(`the message literal ${expr.typeName}`);
}

// Comprehensions

function enter(p: Plan, name: string): number {
  const slot = p.slots++;
  if (name === '') return slot;
  const known = p.scope.get(name);
  if (known) known.push(slot);
  else p.scope.set(name, [slot]);
  return slot;
}

function leave(p: Plan, ...names: readonly string[]): void {
  for (const name of names) p.scope.get(name)?.pop();
}

function comprehension(p: Plan, expr: Comprehension): Step {
  const initialize = stepOf(p, node(p, expr.init));
  const range = stepOf(p, node(p, expr.range));
  const accu = enter(p, expr.accuVar);
  if (!initializers.has(p)) initializers.set(p, new Map());
  initializers.get(p)!.set(accu, initialize);
  const slots = { accu, first: enter(p, expr.iterVar), second: enter(p, expr.iterVar2) };
  const stop = p.trace ? undefined : stopOf(expr);
  const loop = stop === undefined ? anyLoop(p, expr, range, slots) : quantifier(p, expr, range, slots, stop);
  leave(p, expr.iterVar, expr.iterVar2);
  const step = loop(stepOf(p, node(p, expr.result)));
  leave(p, expr.accuVar);
  return step;
}

/** Where a comprehension's variables are kept. */
interface LoopSlots {
  readonly accu: number;
  readonly first: number;
  readonly second: number;
}

/** All of a comprehension, given what comes after its turns. */
type Loop = (result: Step) => Step;

function anyLoop(p: Plan, expr: Comprehension, range: Step, slots: LoopSlots): Loop {
  const two = expr.iterVar2 !== '';
  const seesErrors = two && p.rules.looseRanges;
  const planned = node(p, expr.condition);
  const always = planned.kind === 'constant' && planned.value !== false;
  const condition = stepOf(p, planned);
  const step = stepOf(p, node(p, expr.step));
  const turn: Turn = (f) => {
    // An error in the condition does not end the loop.
    if (!always && condition(f) === false) return false;
    f.slots[slots.accu] = step(f);
    return true;
  };
  return (result) => (f) => {
    const over = range(f);
    if (isError(over) && !seesErrors) return over;
    f.slots[slots.accu] = unset;
    return fold(f, over, slots, two, turn) ?? closed(result(f));
  };
}

/** The value that ends `all` (false) or `exists` (true); undefined where a comprehension is none of the two. */
function stopOf({ init, condition, step, accuVar, iterVar2, result }: Comprehension): boolean | undefined {
  if (init.kind !== 'literal' || condition.kind !== 'call' || step.kind !== 'call') return undefined;
  if (condition.name !== '@not_strictly_false' || !isNamed(step.args[0], accuVar)) return undefined;
  if (iterVar2 !== '' || !isNamed(result, accuVar)) return undefined;
  const [tested] = condition.args;
  if (init.literal.value === true && step.name === '_&&_') return isNamed(tested, accuVar) ? false : undefined;
  if (init.literal.value !== false || step.name !== '_||_') return undefined;
  return tested?.kind === 'call' && tested.name === '!_' && isNamed(tested.args[0], accuVar) ? true : undefined;
}

function isNamed(expr: Expr | undefined, name: string): boolean {
  return expr?.kind === 'ident' && expr.name === name;
}

/** `all` and `exists`, at the cost of their expansion: the test of the accumulator, reading it again, the predicate. */
function quantifier(p: Plan, expr: Comprehension, range: Step, slots: LoopSlots, stop: boolean): Loop {
  const predicate = stepOf(p, node(p, (expr.step as Call).args[1]!));
  // The accumulator, where it is `exists` its opposite, and whether that is not false.
  const test = stop ? 3 : 2;
  const { accu, first } = slots;
  const turn: Turn = (f) => {
    const before = f.slots[accu] as Val;
    if (before === stop) {
      chargeUnits(f, test);
      return false;
    }
    chargeUnits(f, test + 1);
    const found = predicate(f);
    if (found === stop) f.slots[accu] = stop;
    else if (found !== !stop && typeof before === 'boolean') f.slots[accu] = orNoSuchOverload(found);
    return true;
  };
  const overOther = (f: Frame, over: Val): Val => {
    if (isError(over)) return over;
    const failed = fold(f, over, slots, false, turn);
    if (failed) return failed;
    chargeUnits(f, 1);
    return f.slots[accu] as Val;
  };
  return () => (f) => {
    const over = range(f);
    f.slots[accu] = !stop;
    if (!isKind(over, 'list')) return overOther(f, over);
    const { items, raw, adapt } = over;
    const size = (items ?? raw).length;
    let held: Val = !stop;
    for (let i = 0; i < size; i++) {
      f.slots[first] = items ? items[i]! : adapt!(raw[i]!);
      chargeUnits(f, test + 1);
      const found = predicate(f);
      if (stop ? found === true : found === false) {
        if (i + 1 < size) chargeUnits(f, test);
        held = stop;
        break;
      }
      if (typeof found !== 'boolean' && typeof held === 'boolean') {
        held = orNoSuchOverload(found);
        f.slots[accu] = held;
      }
    }
    chargeUnits(f, 1);
    return held;
  };
}

/** One turn, whose variables are set; false where the loop ends. */
type Turn = (f: Frame) => boolean;

function fold(f: Frame, over: Val, { first, second }: LoopSlots, two: boolean, turn: Turn): CelError | undefined {
  const { slots } = f;
  if (isKind(over, 'list')) {
    const size = sizeOfList(over);
    for (let i = 0; i < size; i++) {
      if (two) slots[second] = itemAt(over, i);
      slots[first] = two ? BigInt(i) : itemAt(over, i);
      if (!turn(f)) break;
    }
    return undefined;
  }
  if (isKind(over, 'map')) {
    for (const key of over.keys()) {
      if (two) slots[second] = over.find(key) ?? null;
      slots[first] = key;
      if (!turn(f)) break;
    }
    return undefined;
  }
  return error(
    two ? `unsupported comprehension range type: ${goType(over)}` : `got '${goType(over)}', expected iterable type`,
  );
}
