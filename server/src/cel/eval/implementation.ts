import type { Val } from './values.ts';

/** What an overload does. Arguments that a call does not have are null. */
export type Impl = (a: Val, b: Val, c: Val, d: Val) => Val;

/** Implementations by overload. A value's type is checked against the overload before. */
export type Impls = ReadonlyMap<string, Impl>;

/** A function that sees to the types of its arguments itself, whatever the overload. */
export interface Singleton {
  readonly impl: Impl;
  /** What it is for two ints, the frequent case. */
  readonly ints?: IntOperator;
  /** Which first arguments have the operation at all. */
  readonly trait?: (value: Val) => boolean;
}

export type IntOperator = '<' | '<=' | '>' | '>=';

export type Singletons = ReadonlyMap<string, Singleton>;

/** What one call costs at run time, from its arguments and its result. */
export type CallCost = (a: Val, b: Val, result: Val, c: Val) => number | bigint;

/** Finds the cost of a call by function and overload ('' where evaluation chooses); 1 without an answer. */
export type CallCosts = (name: string, overload: string) => CallCost | undefined;

/** How evaluation differs between releases of cel-go. */
export interface EvalRules {
  readonly impls: Impls;
  readonly singletons: Singletons;
  readonly costs: CallCosts;
  /** Calls with a constant pattern are compiled while planning: the function and what one of them does. */
  readonly patterns: ReadonlyMap<string, PatternImpl>;
  /** `or` and `orValue` hand on what is no optional (up to cel-go 0.26). */
  readonly looseOptionals: boolean;
  /** What an optional hands on of its value when it is read from a variable or chosen by a condition (up to 0.26). */
  readonly reread: ((held: Val) => Val) | undefined;
  /** Accumulators are made before they are asked for (cel-go 0.20). */
  readonly eagerAccumulators: boolean;
  /** A comprehension over two variables does not look for an error in its range (cel-go 0.22). */
  readonly looseRanges: boolean;
}

/** A function whose second argument is a pattern, made for one pattern; a string says what is wrong with it. */
export type PatternImpl = (pattern: string) => Impl | string;
