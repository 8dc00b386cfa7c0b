import type { PartValue } from '../../kubernetes/cel/partValues.ts';
import type { Location } from '../place/location.ts';

/** What an expression came to: `none` where it was not evaluated, `value` where it is not a yes or no. */
export type Outcome = 'true' | 'false' | 'error' | 'none' | 'value';

/** An expression, evaluated over objects, for a view of it. */
export interface Tried {
  /** What the expression stands over, such as `Database v1, spec`. */
  readonly title: string;
  readonly expression: string;
  readonly kubernetes: string;
  /** Why it cannot be evaluated at all; in the server's words where these are known. */
  readonly problem: string | undefined;
  /** Its type and cost, each in a few words. */
  readonly facts: readonly string[];
  readonly objects: readonly TriedObject[];
  /** It is a policy, which lets objects in or not. */
  readonly isPolicy?: true;
  /** How many objects are not looked at. */
  readonly more: number;
}

export interface TriedObject {
  readonly name: string;
  readonly place: Location;
  readonly outcome: Outcome;
  /** The part that made it false, the error in the server's words, or why it was not evaluated. */
  readonly said: string;
  /** What the expression came to for each value in the object that it judges, those that are not true first. */
  readonly values: readonly TriedValue[];
  /** How many values are not shown. */
  readonly more: number;
}

export interface TriedValue {
  /** Where the value is in the object. */
  readonly at: string;
  readonly outcome: Outcome;
  readonly said: string;
  /** The parts of the expression with their values, each below the one that holds it. */
  readonly parts: readonly PartValue[];
  readonly lines: readonly string[];
}
