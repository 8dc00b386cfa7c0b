import type { Frame, Step } from './frame.ts';
import type { CallCost, Impl, IntOperator, Partly } from './implementation.ts';
import type { Selector, Val } from './values.ts';

/**
 * What an expression is planned as: its frequent operations as data, the rest as functions. Closures are made of it.
 */
export type Code =
  | { readonly kind: 'constant'; readonly value: Val }
  | SlotCode
  | PathCode
  | { readonly kind: 'logical'; readonly stop: boolean; readonly left: Code; readonly right: Code }
  | IntsCode
  | EqualCode
  | { readonly kind: 'choice'; readonly test: Code; readonly yes: Code; readonly no: Code }
  | CallCode
  | QuantifierCode
  | CollectCode
  | OtherCode;

/** A variable that only has to be read. */
export interface SlotCode {
  readonly kind: 'slot';
  readonly slot: number;
  readonly cost: number;
}

/** Names, indices and keys, none of them optional, one after the other from a map on. */
export interface PathCode {
  readonly kind: 'path';
  readonly of: Code;
  readonly steps: readonly PathStep[];
  /** What it costs beside its steps, which cost 1 each. */
  readonly cost: number;
  /** The same for a start that is not a map. */
  readonly otherwise: (f: Frame, from: Val) => Val;
}

export type PathStep =
  /** With `tests`, whether something stands under a name. */
  | { readonly kind: 'name'; readonly selector: Selector; readonly tests: boolean }
  | { readonly kind: 'key'; readonly key: Code };

/** An operator of which both sides mostly are ints; it costs 1. */
export interface IntsCode {
  readonly kind: 'ints';
  readonly by: IntOperator;
  readonly left: Code;
  readonly right: Code;
  readonly impl: Impl;
  readonly partly: Partly | undefined;
}

export interface EqualCode {
  readonly kind: 'equal';
  readonly wanted: boolean;
  readonly left: Code;
  readonly right: Code;
  readonly cost: CallCost;
}

export interface CallCode {
  readonly kind: 'call';
  /** Four at most. */
  readonly args: readonly Code[];
  /** After an error nothing more is evaluated, and nothing is paid but where the last argument was it. */
  readonly strict: boolean;
  readonly impl: Impl;
  /** What is sure of arguments that are not all known. */
  readonly partly?: Partly | undefined;
  readonly cost: CallCost | number;
  /** It counts the items of a list, whatever they are. */
  readonly counts?: boolean;
  /** The cost is known before the call. */
  readonly paidFirst: boolean;
}

/** `all` (which stops at false) and `exists` (which stops at true). */
export interface QuantifierCode {
  readonly kind: 'quantifier';
  readonly stop: boolean;
  readonly range: Code;
  readonly predicate: Code;
  readonly seesErrors: boolean;
  readonly slots: LoopSlots;
}

/** `filter` and `map`: the items of a new list. */
export interface CollectCode {
  readonly kind: 'collect';
  readonly range: Code;
  readonly test: Code | undefined;
  readonly item: Code;
  readonly seesErrors: boolean;
  readonly slots: LoopSlots;
}

/** Where a comprehension's variables are kept; the second has a place in those over two only. */
export interface LoopSlots {
  readonly accu: number;
  readonly first: number;
  readonly second: number | undefined;
}

/** What has no form of its own. */
export interface OtherCode {
  readonly kind: 'other';
  readonly step: Step;
}
