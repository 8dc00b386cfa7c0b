import type { Accumulated } from '../accumulator.ts';
import type { Context } from '../context.ts';
import type { Place } from '../origin.ts';

/** A step that changes resources. */
export interface Transformer {
  /** The name of kustomize's plugin, as `buildMetadata` writes it. */
  readonly plugin: string;
  readonly place: Place | undefined;
  transform(made: Accumulated, context: Context): void;
}
