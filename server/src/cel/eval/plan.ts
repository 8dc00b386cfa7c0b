import type { Call, Expr, Select } from '../ast.ts';
import type { CelEnv } from '../env.ts';
import type { Price } from '../overload.ts';
import { wellKnownConstants } from '../wellKnown.ts';
import { type Attribute, addQualifier, resolved } from './attribute.ts';
import { type Binding, binding } from './binding.ts';
import type { Code, PathStep } from './code.ts';
import { constantSet } from './constantSet.ts';
import { chargeUnits, type Step, unset } from './frame.ts';
import type { CallCost, EvalRules, Partly } from './implementation.ts';
import { listLiteral, mapLiteral, messageLiteral } from './planLiterals.ts';
import { comprehension } from './planLoops.ts';
import {
  codeOf,
  constant,
  type Global,
  opened,
  other,
  type Plan,
  type Planned,
  refuse,
  stepOf,
  type Trace,
  traced,
} from './planning.ts';
import { badKey } from './select.ts';
import { amongInPart } from './unknown.ts';
import {
  bytes,
  error,
  isError,
  isKind,
  itemsOfList,
  orNoSuchOverload,
  Selector,
  sizeOfList,
  typeVal,
  uint,
  unsupported,
  type Val,
} from './values.ts';

export interface Planning {
  readonly code: Code;
  readonly slots: number;
  readonly globals: readonly Global[];
}

/** Turns a checked expression into operations. Throws a PlanError where constants in it cannot be evaluated. */
export function plan(expr: Expr, env: CelEnv, rules: EvalRules, trace?: Trace): Planning {
  const state: Plan = {
    env,
    rules,
    trace,
    node: (expr) => node(state, expr),
    scope: new Map(),
    globals: new Map(),
    initializers: new Map(),
    slots: 0,
  };
  const code = codeOf(state, state.node(expr));
  return { code, slots: state.slots, globals: [...state.globals.values()] };
}

function node(p: Plan, expr: Expr): Planned {
  const planned = dispatch(p, expr);
  if (!p.trace || planned.kind === 'attribute' || planned.kind === 'constant') return planned;
  return traced(p.trace, expr, planned);
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
      return messageLiteral(p, expr);
    case 'comprehension':
      return comprehension(p, expr);
    case 'error':
      throw unsupported('an expression with errors');
  }
}

function literalValue(expr: Extract<Expr, { kind: 'literal' }>): Val {
  const { literal } = expr;
  if (literal.of === 'uint') return uint(literal.value);
  return literal.of === 'bytes' ? bytes(literal.value) : literal.value;
}

// Names and selections

function ident(p: Plan, expr: Expr, name: string): Planned {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  const slot = name.startsWith('.') && p.env.dialect.leadingDotIsGlobal ? undefined : p.scope.get(plain)?.at(-1);
  if (expr.type.kind === 'type' && slot === undefined) return typeIdent(p, plain);
  if (expr.type.kind === 'type') refuse(`reference to undefined type: ${plain}`);
  const known = slot === undefined && !p.env.idents.has(plain) ? wellKnownConstants.get(plain) : undefined;
  if (known !== undefined) return constant(known);
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
  const struct = p.env.structs(name);
  const declared = p.env.idents.get(name) ?? (struct?.onlyChecked ? undefined : (struct?.named ?? struct?.type));
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
  return { kind: 'path', of, qualifiers: [], rebox: mayBeOptional ? p.rules.reboxOptional : undefined };
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

const unit: CallCost = () => 1;

function equality(p: Plan, expr: Call): Planned {
  const [left, right] = expr.args.map((arg) => codeOf(p, node(p, arg))) as [Code, Code];
  const wanted = expr.name === '_==_';
  const cost = p.env.functions.get(expr.name)?.price?.cost;
  return { kind: 'equal', wanted, left, right, cost: typeof cost === 'function' ? cost : unit };
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
  const passes = p.rules.orPassesNonOptionals;
  return other((f) => {
    const value = left(f);
    if (!isKind(value, 'optional')) return passes ? value : orNoSuchOverload(value);
    if (value.value === undefined) return right(f);
    return unwraps ? value.value : value;
  });
}

function ordinaryCall(p: Plan, expr: Call): Planned {
  const args = argumentsOf(expr).map((arg) => node(p, arg));
  const overload = expr.overloads.length === 1 ? expr.overloads[0]! : undefined;
  if (overload?.id === 'in_list' && args[1]!.kind === 'constant') {
    const set = inConstants(p, args);
    if (set) return set;
  }
  const bound = binding(p.env, expr.name, args.length, overload);
  const fn = p.env.functions.get(expr.name);
  const price = overload ? overload.price : fn?.price;
  const first = args[0];
  if (fn?.folds && args.length === 1 && first?.kind === 'constant') {
    const value = isError(first.value) ? first.value : bound.impl(first.value, null, null, null);
    return isError(value) ? refuse(value.message) : constant(value);
  }
  const pattern = args[1];
  if (fn?.pattern && pattern?.kind === 'constant' && typeof pattern.value === 'string') {
    const impl = fn.pattern(pattern.value);
    if (typeof impl === 'string') return refuse(impl);
    return invoke(p, args, { impl, strict: true }, price, fn.partly);
  }
  const made = invoke(p, args, bound, price, fn?.partly);
  return made.kind === 'call' && expr.name === 'size' ? { ...made, counts: true } : made;
}

function inConstants(p: Plan, args: readonly Planned[]): Planned | undefined {
  const haystack = args[1]!.kind === 'constant' ? args[1]!.value : undefined;
  if (haystack === undefined || !isKind(haystack, 'list')) return undefined;
  if (sizeOfList(haystack) === 0) return constant(false);
  const has = constantSet(haystack);
  if (!has) return undefined;
  const needle = codeOf(p, args[0]!);
  const partly = amongInPart(itemsOfList(haystack));
  return { kind: 'call', args: [needle], strict: false, impl: has, partly, cost: 0, paidFirst: false };
}

function invoke(
  p: Plan,
  planned: readonly Planned[],
  { impl, ints, strict }: Binding,
  price: Price | undefined,
  partly: Partly | undefined,
): Planned {
  const cost = price?.cost ?? 1;
  const args = planned.map((arg) => codeOf(p, arg));
  const [left, right] = args;
  if (ints && left && right && cost === 1) return { kind: 'ints', by: ints, left, right, impl, partly };
  return { kind: 'call', args, strict, impl, partly, cost, paidFirst: price?.paidFirst === true };
}
