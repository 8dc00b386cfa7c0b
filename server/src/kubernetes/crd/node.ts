import type { SchemaProps } from '../api/schema.ts';
import type { FieldPath } from '../field.ts';
import type { CelContext } from './celContext.ts';

/** What the way down to a node decides about it. */
export interface Inherited {
  /** Why no default may stand here, or undefined where one may. */
  readonly noDefault: string | undefined;
  /** Inside apiVersion, kind or metadata of a resource. */
  readonly insideMeta: boolean;
  /** The outermost node below which old and new values cannot be matched. */
  readonly uncorrelatable: FieldPath | undefined;
}

export const fromRoot: Inherited = { noDefault: undefined, insideMeta: false, uncorrelatable: undefined };

/** One node and everything below it. `context` is undefined where CEL is not looked at. */
export interface Node {
  readonly schema: SchemaProps;
  readonly spot: FieldPath;
  readonly inherited: Inherited;
  readonly isRoot: boolean;
  readonly context: CelContext | undefined;
}
