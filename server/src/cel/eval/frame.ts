import type { Val } from './values.ts';

/** The state of one evaluation. */
export interface Frame {
  cost: number;
  /** The cost that exceeded the limit, where a number does not hold it exactly. */
  excess: bigint | undefined;
  readonly limit: number;
  /** The variables that the expression names, and those of its comprehensions. */
  readonly slots: (Val | typeof unset)[];
}

export type Step = (f: Frame) => Val;

/** An accumulator that has not been asked for yet. */
export const unset: unique symbol = Symbol('unset');

/** Thrown inside an evaluation where its cost passes the limit. */
export const costExceeded = { costExceeded: true } as const;

/**
 * Only one call can be so dear that its cost is a bigint, and that is more than any limit. Below zero, cel-go's
 * unsigned count wraps.
 */
export function charge(f: Frame, cost: number | bigint): void {
  if (typeof cost === 'bigint') {
    f.excess = BigInt(f.cost) + cost;
    f.cost = Number(f.excess);
  } else f.cost += cost;
  if (f.cost < 0) f.excess = BigInt.asUintN(64, f.excess ?? BigInt(f.cost));
  if (f.cost > f.limit || f.cost < 0) throw costExceeded;
}

/** As many charges of 1. */
export function chargeUnits(f: Frame, count: number): void {
  f.cost += count;
  if (f.cost <= f.limit) return;
  f.cost = f.limit + 1;
  throw costExceeded;
}

/** A step that costs something beside what it does. */
export function paid(step: Step, cost: number): Step {
  return (f) => {
    const value = step(f);
    charge(f, cost);
    return value;
  };
}
