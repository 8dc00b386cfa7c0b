import type { Val } from './values.ts';
import type { ValueTypes } from './valueTypes.ts';

/**
 * What an overload does. Arguments that a call does not have are null, and those it has are of the overload's types:
 * that is checked before.
 */
export type Impl = (a: Val, b: Val, c: Val, d: Val) => Val;

/** What a function gives over values of which parts are not known; undefined where that depends on them. */
export type Partly = (a: Val, b: Val) => Val | undefined;

/** A function that sees to the types of its arguments itself, whatever the overload. */
export interface Singleton {
  readonly impl: Impl;
  /** What it is for two ints, the frequent case. */
  readonly ints?: IntOperator;
  /** Which first arguments have the operation at all. */
  readonly trait?: (value: Val) => boolean;
}

export type IntOperator = '<' | '<=' | '>' | '>=';

/** What one call costs at run time, from its arguments and its result. */
export type CallCost = (a: Val, b: Val, result: Val, c: Val) => number | bigint;

/** How evaluation differs between releases of cel-go, beside what its functions do. */
export interface EvalRules {
  /** `or` and `orValue` hand on what is not an optional (up to cel-go 0.26). */
  readonly orPassesNonOptionals: boolean;
  /** What an optional hands on of its value when it is read from a variable or chosen by a condition (up to 0.26). */
  readonly reboxOptional: ((held: Val) => Val) | undefined;
  /** Accumulators are made before they are asked for (cel-go 0.20). */
  readonly eagerAccumulators: boolean;
  /** A comprehension over two variables does not look for an error in its range (cel-go 0.22). */
  readonly ignoresRangeErrors: boolean;
  /** How errors write the types of values. */
  readonly valueTypes: ValueTypes;
}

/** A function whose second argument is a pattern, made for one pattern; a string says what is wrong with it. */
export type PatternImpl = (pattern: string) => Impl | string;
