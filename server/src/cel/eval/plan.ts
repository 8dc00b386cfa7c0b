import type { Call, Comprehension, Expr, ListExpr, MapExpr, Select, StructExpr } from '../ast.ts';
import type { CelEnv } from '../env.ts';
import { type Attribute, addQualifier, resolved } from './attribute.ts';
import { type Binding, binding } from './binding.ts';
import { closure, fold, type Turn } from './closures.ts';
import type { Code, LoopSlots, OtherCode, PathStep } from './code.ts';
import { constantSet } from './constantSet.ts';
import { chargeUnits, endWith, type Frame, paid, type Step, unset } from './frame.ts';
import { goText } from './goText.ts';
import type { EvalRules } from './implementation.ts';
import { badKey } from './select.ts';
import {
  bytes,
  type CelError,
  type Entry,
  error,
  growingList,
  isError,
  isKind,
  type Key,
  keyOf,
  list,
  mapFrom,
  orNoSuchOverload,
  Selector,
  sizeOfList,
  typeVal,
  uint,
  unsupported,
  type Val,
} from './values.ts';

/** What a node was planned as: constants fold into their parents, attributes grow with the selections on them. */
type Planned =
  | { readonly kind: 'constant'; readonly value: Val }
  | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly testOnly: boolean; readonly expr: Expr }
  | Exclude<Code, { kind: 'constant' | 'slot' | 'path' | 'choice' }>;

/** Called with the value of every sub-expression as it is evaluated. */
export type Trace = (expr: Expr, value: Val) => void;

interface Plan {
  readonly env: CelEnv;
  readonly rules: EvalRules;
  readonly trace: Trace | undefined;
  /** Comprehension variables by name, the innermost last. */
  readonly scope: Map<string, number[]>;
  readonly globals: Map<string, Global>;
  /** What accumulators start from, which is evaluated where one is asked for first. */
  readonly initializers: Map<number, Step>;
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
  readonly code: Code;
  readonly slots: number;
  readonly globals: readonly Global[];
}

/** Turns a checked expression into operations. Throws a PlanError where constants in it cannot be evaluated. */
export function plan(expr: Expr, env: CelEnv, rules: EvalRules, trace?: Trace): Planning {
  const state: Plan = { env, rules, trace, scope: new Map(), globals: new Map(), initializers: new Map(), slots: 0 };
  const code = codeOf(state, node(state, expr));
  return { code, slots: state.slots, globals: [...state.globals.values()] };
}

function node(p: Plan, expr: Expr): Planned {
  const planned = dispatch(p, expr);
  if (!p.trace || planned.kind === 'attribute' || planned.kind === 'constant') return planned;
  return traced(p.trace, expr, planned);
}

function traced(trace: Trace, expr: Expr, code: Code): OtherCode {
  const step = closure(code);
  return other((f) => {
    const value = step(f);
    trace(expr, value);
    return value;
  });
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
      return comprehension(p, expr);
    case 'error':
      throw unsupported('an expression with errors');
  }
}

const constant = (value: Val): Planned => ({ kind: 'constant', value });
const other = (step: Step): OtherCode => ({ kind: 'other', step });

function literalValue(expr: Extract<Expr, { kind: 'literal' }>): Val {
  const { literal } = expr;
  if (literal.of === 'uint') return uint(literal.value);
  return literal.of === 'bytes' ? bytes(literal.value) : literal.value;
}

/** The code that evaluates a node and counts what that costs. */
function codeOf(p: Plan, planned: Planned): Code {
  if (planned.kind !== 'attribute') return planned;
  const { attribute, testOnly, expr } = planned;
  const own = (attribute.kind === 'conditional' ? 0 : 1) - (testOnly ? 1 : 0);
  const code = resolved(attribute, own);
  const answered = testOnly ? presence(code) : code;
  return p.trace ? traced(p.trace, expr, answered) : answered;
}

function stepOf(p: Plan, planned: Planned): Step {
  return closure(codeOf(p, planned));
}

/** has(): an optional that is found tells whether it has a value. */
function presence(code: Code): Code {
  if (code.kind === 'path') {
    const { otherwise } = code;
    return { ...code, otherwise: (f, from) => present(otherwise(f, from)) };
  }
  const resolve = closure(code);
  return other((f) => present(resolve(f)));
}

function present(value: Val): Val {
  return isKind(value, 'optional') ? value.value !== undefined : value;
}

// Names and selections

function ident(p: Plan, expr: Expr, name: string): Planned {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  const slot = name.startsWith('.') && p.env.dialect.leadingDotIsGlobal ? undefined : p.scope.get(plain)?.at(-1);
  if (expr.type.kind === 'type' && slot === undefined) return typeIdent(p, plain);
  if (expr.type.kind === 'type') refuse(`reference to undefined type: ${plain}`);
  return attributeOf(expr, pathFrom(p, expr, variable(p, slot ?? globalSlot(p, plain))));
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

function variable(p: Plan, slot: number): Code {
  const initialize = p.initializers.get(slot);
  if (!initialize) return { kind: 'slot', slot, cost: 0 };
  return other((f) => {
    let value = f.slots[slot];
    if (value === unset) {
      value = opened(initialize(f));
      f.slots[slot] = value;
    }
    return value as Val;
  });
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
  const operand = attributeFor(p, expr.operand);
  const step: PathStep = { kind: 'name', selector: new Selector(expr.field), tests: expr.testOnly };
  addQualifier(operand, { step, optional: false });
  return { kind: 'attribute', attribute: operand, testOnly: expr.testOnly, expr };
}

/** What is not an attribute becomes one when something is selected from it, or it is a branch of a condition. */
function attributeFor(p: Plan, expr: Expr): Attribute {
  const planned = node(p, expr);
  if (planned.kind === 'attribute' && !planned.testOnly) return planned.attribute;
  return pathFrom(p, expr, codeOf(p, planned));
}

function pathFrom(p: Plan, { type }: Expr, of: Code): Attribute {
  const mayBeOptional = type.kind === 'dyn' || type.kind === 'param' || type.name === 'optional_type';
  return { kind: 'path', of, qualifiers: [], reread: mayBeOptional ? p.rules.reread : undefined };
}

function index(p: Plan, expr: Call, optional: boolean): Planned {
  const [operand, at] = argumentsOf(expr) as [Expr, Expr];
  const attribute = attributeFor(p, operand);
  addQualifier(attribute, { step: keyStep(p, node(p, at)), optional });
  return attributeOf(expr, attribute);
}

function keyStep(p: Plan, at: Planned): PathStep {
  if (at.kind === 'constant') {
    const problem = badKey(at.value);
    if (problem) refuse(problem.message);
    if (typeof at.value === 'string') return { kind: 'name', selector: new Selector(at.value), tests: false };
  }
  return { kind: 'key', key: at.kind === 'attribute' && !at.testOnly ? resolved(at.attribute) : codeOf(p, at) };
}

// Calls

function argumentsOf(expr: Call): readonly Expr[] {
  return expr.target ? [expr.target, ...expr.args] : expr.args;
}

function call(p: Plan, expr: Call): Planned {
  switch (expr.name) {
    case '_&&_':
      return logical(p, expr, false);
    case '_||_':
      return logical(p, expr, true);
    case '_?_:_':
      return conditional(p, expr);
    case '_==_':
    case '_!=_':
      return equality(p, expr);
    case '_[_]':
      return index(p, expr, false);
    case '_?._':
    case '_[?_]':
      return index(p, expr, true);
    case '@not_strictly_false':
    case '__not_strictly_false__':
      return notStrictlyFalse(p, expr);
    case 'or':
    case 'orValue':
      if (expr.target && argumentsOf(expr).length === 2) return otherwise(p, expr);
  }
  return ordinaryCall(p, expr);
}

function logical(p: Plan, expr: Call, stop: boolean): Planned {
  const [left, right] = expr.args.map((arg) => codeOf(p, node(p, arg))) as [Code, Code];
  return { kind: 'logical', stop, left, right };
}

function conditional(p: Plan, expr: Call): Planned {
  const [test, truthy, falsy] = expr.args as [Expr, Expr, Expr];
  const attribute: Attribute = {
    kind: 'conditional',
    test: codeOf(p, node(p, test)),
    truthy: attributeFor(p, truthy),
    falsy: attributeFor(p, falsy),
  };
  return attributeOf(expr, attribute);
}

function equality(p: Plan, expr: Call): Planned {
  const [left, right] = expr.args.map((arg) => codeOf(p, node(p, arg))) as [Code, Code];
  const wanted = expr.name === '_==_';
  const cost = p.rules.costs(expr.name, wanted ? 'equals' : 'not_equals')!;
  return { kind: 'equal', wanted, left, right, cost };
}

function notStrictlyFalse(p: Plan, expr: Call): Planned {
  const tested = stepOf(p, node(p, argumentsOf(expr)[0]!));
  return other((f) => {
    const value = tested(f);
    chargeUnits(f, 1);
    return value !== false;
  });
}

/** `or` and `orValue`: the right side is evaluated only where the left one has no value. */
function otherwise(p: Plan, expr: Call): Planned {
  const [left, right] = argumentsOf(expr).map((arg) => stepOf(p, node(p, arg))) as [Step, Step];
  const unwraps = expr.name === 'orValue';
  const loose = p.rules.looseOptionals;
  return other((f) => {
    const value = left(f);
    if (!isKind(value, 'optional')) return loose ? value : orNoSuchOverload(value);
    if (value.value === undefined) return right(f);
    return unwraps ? value.value : value;
  });
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

function ordinaryCall(p: Plan, expr: Call): Planned {
  const args = argumentsOf(expr).map((arg) => node(p, arg));
  const overload = expr.overloads.length === 1 ? expr.overloads[0]! : undefined;
  const id = overload?.id ?? '';
  if (id === 'in_list' && args[1]!.kind === 'constant') {
    const set = inConstants(p, args);
    if (set) return set;
  }
  const bound = binding(p, expr.name, args.length, overload);
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
    return invoke(p, expr, args, { impl, strict: true }, id);
  }
  return invoke(p, expr, args, bound, id);
}

function inConstants(p: Plan, args: readonly Planned[]): Planned | undefined {
  const haystack = args[1]!.kind === 'constant' ? args[1]!.value : undefined;
  if (haystack === undefined || !isKind(haystack, 'list')) return undefined;
  if (sizeOfList(haystack) === 0) return constant(false);
  const has = constantSet(haystack);
  if (!has) return undefined;
  const needle = codeOf(p, args[0]!);
  return { kind: 'call', args: [needle], strict: false, impl: has, cost: 0 };
}

function invoke(
  p: Plan,
  expr: Call,
  planned: readonly Planned[],
  { impl, ints, strict }: Binding,
  id: string,
): Planned {
  const cost = p.rules.costs(expr.name, id) ?? 1;
  const args = planned.map((arg) => codeOf(p, arg));
  const [left, right] = args;
  if (ints && left && right && cost === 1) return { kind: 'ints', by: ints, left, right, impl };
  return { kind: 'call', args, strict, impl, cost };
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
  return fixed ? constant(build(nowhere)) : other(paid(build, listCost));
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
  if (!fixed) return other(paid(build, mapCost));
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

function comprehension(p: Plan, expr: Comprehension): Planned {
  const initialize = stepOf(p, node(p, expr.init));
  const range = codeOf(p, node(p, expr.range));
  const accu = enter(p, expr.accuVar);
  p.initializers.set(accu, initialize);
  const first = enter(p, expr.iterVar);
  const two = expr.iterVar2 !== '';
  const slots = { accu, first, second: two ? enter(p, expr.iterVar2) : undefined };
  const loop: LoopPlan = { expr, range, slots, seesErrors: two && p.rules.looseRanges };
  const known = p.trace ? undefined : (quantifier(p, loop) ?? collection(p, loop));
  const turn = known ? undefined : anyTurn(p, loop);
  leave(p, expr.iterVar, ...(two ? [expr.iterVar2] : []));
  const start = p.rules.eagerAccumulators ? initialize : undefined;
  const code = known ?? other(anyLoop(loop, start, turn!, stepOf(p, node(p, expr.result))));
  leave(p, expr.accuVar);
  return code;
}

interface LoopPlan {
  readonly expr: Comprehension;
  readonly range: Code;
  readonly slots: LoopSlots;
  /** Whether it runs over an error too, rather than handing it on. */
  readonly seesErrors: boolean;
}

/** `all` and `exists`. */
function quantifier(p: Plan, { expr, range, slots, seesErrors }: LoopPlan): Planned | undefined {
  const stop = stopOf(expr);
  if (stop === undefined) return undefined;
  const predicate = codeOf(p, node(p, (expr.step as Call).args[1]!));
  return { kind: 'quantifier', stop, range, predicate, seesErrors, slots };
}

/** The value that ends `all` (false) or `exists` (true); undefined where a comprehension is none of the two. */
function stopOf({ init, condition, step, result, accuVar }: Comprehension): boolean | undefined {
  if (init.kind !== 'literal' || condition.kind !== 'call' || step.kind !== 'call') return undefined;
  if (condition.name !== '@not_strictly_false' || !isNamed(step.args[0], accuVar)) return undefined;
  if (!isNamed(result, accuVar)) return undefined;
  const [tested] = condition.args;
  if (init.literal.value === true && step.name === '_&&_') return isNamed(tested, accuVar) ? false : undefined;
  if (init.literal.value !== false || step.name !== '_||_') return undefined;
  return tested?.kind === 'call' && tested.name === '!_' && isNamed(tested.args[0], accuVar) ? true : undefined;
}

function isNamed(expr: Expr | undefined, name: string): boolean {
  return expr?.kind === 'ident' && expr.name === name;
}

/** `filter` and `map`: with `accumulator + [item]` the item joins a list that grows, without a list of its own. */
function collection(p: Plan, { expr, range, slots, seesErrors }: LoopPlan): Planned | undefined {
  const { init, condition, step, result, accuVar } = expr;
  if (init.kind !== 'list' || init.elements.length > 0 || !isNamed(result, accuVar)) return undefined;
  if (condition.kind !== 'literal' || condition.literal.value !== true || step.kind !== 'call') return undefined;
  const filters = step.name === '_?_:_';
  if (filters && !isNamed(step.args[2], accuVar)) return undefined;
  const item = appended(filters ? step.args[1] : step, accuVar);
  const made = item && node(p, item);
  // A list of constants is made, and paid for, only once.
  if (!made || made.kind === 'constant') return undefined;
  const test = filters ? codeOf(p, node(p, step.args[0]!)) : undefined;
  return { kind: 'collect', range, test, item: codeOf(p, made), seesErrors, slots };
}

function appended(step: Expr | undefined, accuVar: string): Expr | undefined {
  if (step?.kind !== 'call' || step.name !== '_+_' || step.overloads.length !== 1) return undefined;
  const [target, added] = step.args;
  if (!isNamed(target, accuVar) || added?.kind !== 'list') return undefined;
  return added.elements.length === 1 && added.optionals.length === 0 ? added.elements[0] : undefined;
}

function anyTurn(p: Plan, { expr, slots }: LoopPlan): Turn {
  const condition = stepOf(p, node(p, expr.condition));
  const step = stepOf(p, node(p, expr.step));
  return (f) => {
    // An error in the condition does not end the loop.
    if (condition(f) === false) return false;
    f.slots[slots.accu] = step(f);
    return true;
  };
}

function anyLoop({ range, slots, seesErrors }: LoopPlan, start: Step | undefined, turn: Turn, result: Step): Step {
  const items = closure(range);
  return (f) => {
    const over = items(f);
    if (isError(over) && !seesErrors) return over;
    f.slots[slots.accu] = start ? opened(start(f)) : unset;
    return fold(f, over, slots, turn) ?? closed(result(f));
  };
}
