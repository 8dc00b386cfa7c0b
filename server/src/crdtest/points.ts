import type { Range } from '../base/text.ts';
import type { Path } from '../base/value.ts';

/** One thing of a CRD's schema that cases can try, in the ways that it can go. */
export interface Point {
  readonly kind: 'rule' | 'branch' | 'bound' | 'field';
  /** Where it is in the CRD. */
  readonly path: Path;
  /** Of a branch, where it is in the text of its rule. */
  readonly part: Range | undefined;
  /** The field, and which of its bounds; of a rule or branch its text. */
  readonly what: string;
  readonly ways: readonly Way[];
}

/**
 * Rules and their branches come to `true` and `false`; a branch of another type is `evaluated`. Bounds are `met` and
 * `crossed`. Fields, and the values of an enum, are `set`.
 */
export type WayName = 'true' | 'false' | 'evaluated' | 'met' | 'crossed' | 'set';

export interface Way {
  readonly name: WayName;
  /** How often it went so. */
  hits: number;
}

/** What is known of a point before anything is tried. */
export type PointOf = Omit<Point, 'ways'> & { readonly ways: readonly WayName[] };

/** Gives a point: the same one whenever the same is asked for. */
export type NewPoint = (of: PointOf) => Point;

export function hit({ ways }: Point, name: WayName): void {
  for (const way of ways) if (way.name === name) way.hits++;
}
