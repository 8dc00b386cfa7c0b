import { closure, pathStep } from './closures.ts';
import type { Code, PathStep } from './code.ts';
import { chargeUnits, type Frame, paid } from './frame.ts';
import { badKey, find } from './select.ts';
import { isError, isKind, none, optional, type Val } from './values.ts';

/** A variable or value and what is selected from it: one unit, whose parts are paid for in cel-go's own way. */
export type Attribute =
  | {
      readonly kind: 'path';
      readonly of: Code;
      readonly qualifiers: Qualifier[];
      /** Applied to what an optional that it starts from holds. */
      readonly rebox: ((held: Val) => Val) | undefined;
    }
  | {
      readonly kind: 'conditional';
      readonly test: Code;
      readonly truthy: Attribute;
      readonly falsy: Attribute;
    };

export interface Qualifier {
  readonly step: PathStep;
  readonly optional: boolean;
}

export function addQualifier(attribute: Attribute, qualifier: Qualifier): void {
  if (attribute.kind !== 'conditional') {
    attribute.qualifiers.push(qualifier);
    return;
  }
  addQualifier(attribute.truthy, qualifier);
  addQualifier(attribute.falsy, qualifier);
}

/** Evaluates an attribute, which costs `own` besides what is selected. */
export function resolved(attribute: Attribute, own = 0): Code {
  if (attribute.kind === 'conditional') {
    const { test, truthy, falsy } = attribute;
    return { kind: 'choice', test, yes: resolved(truthy), no: resolved(falsy) };
  }
  const { of, rebox } = attribute;
  const qualifiers = [...attribute.qualifiers];
  const steps = qualifiers.map(({ step }) => step);
  if (steps.length === 0) {
    const code = costing(of, own);
    return rebox ? reboxing(code, rebox) : code;
  }
  // Rarely asked for, and closures that nobody asks for are not made.
  let path: readonly Following[] | undefined;
  const otherwise = (f: Frame, from: Val) => {
    const start = rebox ? reopened(from, rebox) : from;
    path ??= qualifiers.map(following);
    const value = isError(start) ? start : follow(f, start, path);
    chargeUnits(f, own);
    return value;
  };
  if (!qualifiers.some(({ optional }) => optional)) return { kind: 'path', of, steps, cost: own, otherwise };
  const read = closure(of);
  return { kind: 'other', step: (f) => otherwise(f, read(f)) };
}

function costing(of: Code, own: number): Code {
  if (own === 0) return of;
  return of.kind === 'slot' ? { ...of, cost: of.cost + own } : { kind: 'other', step: paid(closure(of), own) };
}

function reboxing(code: Code, rebox: (held: Val) => Val): Code {
  const read = closure(code);
  return { kind: 'other', step: (f) => reopened(read(f), rebox) };
}

function reopened(value: Val, rebox: (held: Val) => Val): Val {
  return isKind(value, 'optional') && value.value !== undefined ? optional(rebox(value.value)) : value;
}

/** How one step of a path is taken. */
interface Following {
  /** What stands there, an error where nothing does. */
  get(f: Frame, from: Val): Val;
  /** The same, undefined where nothing stands there. */
  find(f: Frame, from: Val): Val | undefined;
  /** The question whether something stands there is paid for whatever the answer. */
  readonly tests: boolean;
  readonly optional: boolean;
}

function following({ step, optional }: Qualifier): Following {
  if (step.kind === 'key') {
    const read = closure(step.key);
    return {
      get: pathStep(step),
      find: (f, from) => {
        const key = read(f);
        return badKey(key) ?? find(from, key);
      },
      tests: false,
      optional,
    };
  }
  const { selector, tests } = step;
  return { get: pathStep(step), find: (_f, from) => find(from, selector.name), tests, optional };
}

/** Follows a path step by step; from the first optional on, what is missing is not an error. */
function follow(f: Frame, start: Val, path: readonly Following[]): Val {
  let value = start;
  let maybe = false;
  if (isKind(value, 'optional')) {
    if (value.value === undefined) return value;
    value = value.value;
    maybe = true;
  }
  for (const step of path) {
    maybe ||= step.optional;
    const next: Val | undefined = maybe ? step.find(f, value) : step.get(f, value);
    const there = next !== undefined && !isError(next);
    // Only what is there is paid for where it need not be there.
    if (!maybe || step.tests || there) chargeUnits(f, 1);
    if (next === undefined) return none;
    if (!there) return next;
    value = next;
  }
  return maybe ? optional(value) : value;
}
