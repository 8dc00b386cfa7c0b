/** A chart with the values that somebody installs it with. */

import type { Path } from '../../base/value.ts';
import type { Release } from '../../helm/render.ts';
import type { SaidCluster } from '../charts/valueSets.ts';
import type { Delivered } from './objects.ts';

export interface ChartUse {
  readonly by: Delivered;
  /** The address of the chart's folder. */
  readonly chart: string;
  readonly release: Release;
  readonly cluster?: SaidCluster;
  /** Values are not compared with the chart's schema. */
  readonly skipsSchema: boolean;
  /** Helm renders the chart without a cluster, so that `lookup` finds nothing. */
  readonly rendersAlone?: true;
  /** In place of the chart's own values. */
  readonly defaults?: readonly Layer[];
  /** The later ones over the earlier ones. */
  readonly layers: readonly Layer[];
  /** What is laid over all of them, and is there already where one of them sets a single value. */
  readonly own?: Layer;
  /** Where the object says which values it gives, for what is to be said of them all. */
  readonly at: Path;
}

/**
 * How a text is read: as Flux does, for which quotes make a text, or to the letter; as Argo CD gives it to `--set` or to
 * `--set-string`, with commas that stand for themselves.
 */
export type SetAs = 'flux' | 'literal' | 'argo' | 'argoText';

interface MapAt {
  readonly of: Delivered;
  readonly path: Path;
}

/** Values of one source; `asked` is how an error names it, in the words of whoever installs the chart. */
export type Layer =
  /** A map in an object, and maps that are laid over it as merge patches of JSON. */
  | ({ readonly kind: 'map'; readonly over?: readonly MapAt[] } & MapAt)
  /** A text in an object, which is a file of values. */
  | { readonly kind: 'text'; readonly of: Delivered; readonly path: Path; readonly asked?: string }
  | { readonly kind: 'file'; readonly uri: string; readonly isOptional: boolean }
  /** One value, by a path as `--set` has it. */
  | {
      readonly kind: 'set';
      readonly name: string;
      readonly of: Delivered;
      readonly path: Path;
      readonly as: SetAs;
      readonly asked?: string;
    }
  /** A file that is the text of one value. */
  | { readonly kind: 'setFile'; readonly name: string; readonly uri: string }
  /** Why whoever installs the chart gives it no values, in its words. */
  | { readonly kind: 'error'; readonly message: string }
  /** What is not here: everything may be in it, or one value is. */
  | { readonly kind: 'unknown'; readonly what: string; readonly name?: string };

/** The files that a use reads values from. */
export function filesOf({ defaults = [], layers }: ChartUse): readonly string[] {
  return [...defaults, ...layers].flatMap((layer) =>
    layer.kind === 'file' || layer.kind === 'setFile' ? [layer.uri] : [],
  );
}
