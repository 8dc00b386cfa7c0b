import type { Path, ValueMap } from '../../base/value.ts';
import type { Delivered } from './objects.ts';

/** One source of an Application, and where it is. */
export interface Source {
  readonly value: ValueMap;
  readonly path: Path;
  /** Files that say parts of it, the last one with the last word. */
  readonly over?: readonly Delivered[];
}

/** An Application whose spec is somewhere in an object. */
export interface AppAt {
  readonly of: Delivered;
  readonly name: string;
  readonly spec: Path;
}
