/** What is filled in for variables. */
import type { Path } from '../../base/value.ts';
import type { Delivered } from './objects.ts';

/** The value of a variable, and where that is set. */
export interface VariableSet {
  readonly value: string;
  readonly of: Delivered;
  readonly path: Path;
}

/** What a Kustomization fills in. */
export interface Filling {
  readonly by: Delivered;
  readonly variables: ReadonlyMap<string, VariableSet>;
  /** What may set other variables, and is not here. */
  readonly elsewhere: readonly string[];
  /** Whether texts are looked at although there is no variable. */
  readonly always: boolean;
}
