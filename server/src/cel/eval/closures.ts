import { newListCost } from '../prices.ts';
import type {
  CallCode,
  Code,
  CollectCode,
  EqualCode,
  IntsCode,
  LoopSlots,
  PathCode,
  PathStep,
  QuantifierCode,
} from './code.ts';
import { textWalk } from './costs.ts';
import { equal } from './equal.ts';
import { charge, chargeUnits, type Frame, type Step } from './frame.ts';
import { goType } from './goType.ts';
import type { CallCost, Impl, Partly } from './implementation.ts';
import { has, keyed, selected } from './select.ts';
import { holdsUnknown, inPart, surelyDiffer, unknownVal } from './unknown.ts';
import {
  type CelError,
  error,
  growingList,
  isError,
  isKind,
  itemAt,
  noSuchOverload,
  orNoSuchOverload,
  sizeOfList,
  type Val,
} from './values.ts';

/** The function that does what was planned. */
export function closure(code: Code): Step {
  switch (code.kind) {
    case 'constant': {
      const { value } = code;
      return () => value;
    }
    case 'slot': {
      const { slot, cost } = code;
      return (f) => {
        chargeUnits(f, cost);
        return f.slots[slot] as Val;
      };
    }
    case 'path':
      return path(code);
    case 'logical':
      return logical(code.stop, closure(code.left), closure(code.right));
    case 'ints':
      return ints(code);
    case 'equal':
      return equality(code);
    case 'choice':
      return choice(closure(code.test), closure(code.yes), closure(code.no));
    case 'call':
      return call(code);
    case 'quantifier':
      return quantifier(code);
    case 'collect':
      return collect(code);
    case 'other':
      return code.step;
  }
}

function path({ of, steps, cost, otherwise }: PathCode): Step {
  const read = closure(of);
  const follow = steps.map(pathStep);
  return (f) => {
    let value = read(f);
    if (!isKind(value, 'map')) return otherwise(f, value);
    for (let i = 0; i < follow.length && !isError(value); i++) {
      value = follow[i]!(f, value);
      chargeUnits(f, 1);
    }
    chargeUnits(f, cost);
    return value;
  };
}

export function pathStep(step: PathStep): (f: Frame, from: Val) => Val {
  if (step.kind === 'key') {
    const read = closure(step.key);
    return (f, from) => keyed(from, read(f));
  }
  const { selector, tests } = step;
  return tests ? (_f, from) => has(from, selector) : (_f, from) => selected(from, selector);
}

/** && (stopping at false) and || (stopping at true); an error only counts where nothing stops. */
function logical(stop: boolean, left: Step, right: Step): Step {
  return (f) => {
    const a = left(f);
    if (a === stop) return stop;
    const b = right(f);
    if (b === stop) return stop;
    if (typeof a !== 'boolean') return orNoSuchOverload(a);
    return typeof b === 'boolean' ? !stop : orNoSuchOverload(b);
  };
}

function ints({ by, left, right, impl, partly }: IntsCode): Step {
  const [first, second] = [closure(left), closure(right)];
  return (f) => {
    const a = first(f);
    const b = second(f);
    chargeUnits(f, 1);
    if (typeof a !== 'bigint' || typeof b !== 'bigint') return applied(impl, a, b, partly);
    switch (by) {
      case '<':
        return a < b;
      case '<=':
        return a <= b;
      case '>':
        return a > b;
      case '>=':
        return a >= b;
    }
  };
}

/** A call, where no argument is an error. */
export function applied(impl: Impl, a: Val, b: Val, partly?: Partly): Val {
  if (isError(a)) return a;
  if (isError(b)) return b;
  return isOpen(a, b) ? inPart(partly, a, b) : impl(a, b, null, null);
}

function equality({ wanted, left, right, cost }: EqualCode): Step {
  const [first, second] = [closure(left), closure(right)];
  return (f) => {
    const a = first(f);
    const b = second(f);
    if (typeof a !== 'string' || typeof b !== 'string') return compared(f, a, b, wanted, cost);
    charge(f, textWalk(a, b));
    return (a === b) === wanted;
  };
}

/** Equality of whatever it is. */
export function compared(f: Frame, a: Val, b: Val, wanted: boolean, cost: CallCost): Val {
  const result = isError(a) ? a : isError(b) ? b : equalityOf(a, b, wanted);
  charge(f, cost(a, b, result, null));
  return result;
}

function equalityOf(a: Val, b: Val, wanted: boolean): Val {
  if (isOpen(a, b)) return surelyDiffer(a, b) ? !wanted : unknownVal;
  return wanted ? equal(a, b) : equal(a, b) !== true;
}

const isOpen = (a: Val, b: Val) => holdsUnknown(a) || holdsUnknown(b);

function choice(test: Step, yes: Step, no: Step): Step {
  return (f) => {
    const value = test(f);
    if (value === true) return yes(f);
    return value === false ? no(f) : orNotBoolean(value);
  };
}

function orNotBoolean(test: Val): CelError {
  return isError(test) ? test : noSuchOverload;
}

function call(code: CallCode): Step {
  const [left, right, ...more] = code.args.map(closure);
  if (more.length > 0) return longCall(code);
  const { strict, impl, partly, cost, paidFirst, counts } = code;
  return (f) => {
    const a = left ? left(f) : null;
    if (strict && right && isError(a)) return a;
    const b = right ? right(f) : null;
    if (paidFirst && typeof cost !== 'number') {
      charge(f, cost(a, b, null, null));
      return applied(impl, a, b, partly);
    }
    const result = counts && isKind(a, 'list') ? impl(a, b, null, null) : applied(impl, a, b, partly);
    charge(f, typeof cost === 'number' ? cost : cost(a, b, result, null));
    return result;
  };
}

/** With three or four arguments. */
function longCall({ args, impl, cost, paidFirst }: CallCode): Step {
  const [readA, readB, readC, readD] = args.map(closure) as [Step, Step, Step, Step?];
  return (f) => {
    const a = readA(f);
    if (isError(a)) return a;
    const b = readB(f);
    if (isError(b)) return b;
    const c = readC(f);
    if (isError(c) && readD) return c;
    const d = readD ? readD(f) : null;
    const failed = isError(c) ? c : isError(d) ? d : undefined;
    const third = failed ? null : c;
    if (paidFirst && typeof cost !== 'number') {
      charge(f, cost(a, b, null, third));
      return failed ?? (isOpen(a, b) || isOpen(c, d) ? unknownVal : impl(a, b, c, d));
    }
    const isUnknown = isOpen(a, b) || isOpen(c, d);
    const result = failed ?? (isUnknown ? unknownVal : impl(a, b, c, d));
    charge(f, typeof cost === 'number' ? cost : cost(a, b, result, third));
    return result;
  };
}

// Comprehensions

/**
 * What a turn of `all` costs beside its predicate, as in its expansion: the accumulator, which for `exists` is negated,
 * whether that is not false, and, where it is, the accumulator once more.
 */
function turnCost(stop: boolean): { readonly test: number; readonly turn: number } {
  return stop ? { test: 3, turn: 4 } : { test: 2, turn: 3 };
}

function quantifier({ stop, range, predicate, seesErrors, slots }: QuantifierCode): Step {
  const [items, holds] = [closure(range), closure(predicate)];
  const { accu } = slots;
  const cost = turnCost(stop);
  const turn: Turn = (f) => {
    const before = f.slots[accu] as Val;
    chargeUnits(f, before === stop ? cost.test : cost.turn);
    if (before === stop) return false;
    const found = holds(f);
    if (found === stop) f.slots[accu] = stop;
    else if (typeof found !== 'boolean' && typeof before === 'boolean') f.slots[accu] = orNoSuchOverload(found);
    return true;
  };
  return (f) => {
    const over = items(f);
    if (isError(over) && !seesErrors) return over;
    f.slots[accu] = !stop;
    const failed = fold(f, over, slots, turn);
    if (failed) return failed;
    chargeUnits(f, 1);
    return f.slots[accu] as Val;
  };
}

function collect({ range, test, item, seesErrors, slots }: CollectCode): Step {
  const [items, wanted, made] = [closure(range), test && closure(test), closure(item)];
  const { accu } = slots;
  const turn: Turn = (f) => {
    const asked = wanted ? wanted(f) : true;
    if (asked === false) return true;
    if (asked !== true) f.slots[accu] = orNotBoolean(asked);
    else {
      chargeUnits(f, 1);
      add(f, made(f));
    }
    return true;
  };
  const add = (f: Frame, value: Val) => {
    // The item has a list of its own before it joins the other.
    charge(f, newListCost);
    chargeUnits(f, 1);
    const held = f.slots[accu] as Val;
    if (!isKind(held, 'list')) return;
    if (isError(value)) f.slots[accu] = value;
    else (held.items as Val[]).push(value);
  };
  return (f) => {
    const over = items(f);
    if (isError(over) && !seesErrors) return over;
    const found = growingList();
    f.slots[accu] = found;
    const failed = fold(f, over, slots, turn);
    found.growing = false;
    if (failed) return failed;
    chargeUnits(f, 1);
    return f.slots[accu] as Val;
  };
}

/** One turn, whose variables are set; false where the loop ends. */
export type Turn = (f: Frame) => boolean;

/** All turns over a range; an error where it is none. */
export function fold(f: Frame, over: Val, { first, second }: LoopSlots, turn: Turn): CelError | undefined {
  const { slots } = f;
  if (isKind(over, 'list')) {
    const size = sizeOfList(over);
    for (let i = 0; i < size; i++) {
      slots[first] = second === undefined ? itemAt(over, i) : BigInt(i);
      if (second !== undefined) slots[second] = itemAt(over, i);
      if (!turn(f)) break;
    }
    return undefined;
  }
  if (isKind(over, 'map')) {
    for (const key of over.keys()) {
      slots[first] = key;
      if (second !== undefined) slots[second] = over.find(key) ?? null;
      if (!turn(f)) break;
    }
    return undefined;
  }
  if (second !== undefined) return error(`unsupported comprehension range type: ${goType(over)}`);
  return noRange(over);
}

function noRange(over: Val): CelError {
  return isError(over) ? over : error(`got '${goType(over)}', expected iterable type`);
}
