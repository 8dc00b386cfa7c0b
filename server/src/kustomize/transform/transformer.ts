import type { Accumulated } from '../accumulator.ts';
import type { Context } from '../context.ts';
import type { Place } from '../origin.ts';

/** A step that changes resources. */
export interface Transformer {
  /** The name of kustomize's plugin, as `buildMetadata` writes it. */
  readonly plugin: string;
  readonly place: Place | undefined;
  /** What it does to a resource rests on nothing but that resource, and on the heads of others: kinds, names, metadata. */
  readonly isAlone: boolean;
  transform(made: Accumulated, context: Context): void;
}
