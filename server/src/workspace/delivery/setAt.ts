import type { Delivery } from './index.ts';
import type { Delivered } from './objects.ts';

/** An ApplicationSet, and how its templates are read. */
export interface SetAt {
  readonly delivery: Delivery;
  readonly one: Delivered;
  /** Whether templates are Go's. */
  readonly isGo: boolean;
  /** Whether a name that is not there ends a template. */
  readonly isStrict: boolean;
  /** Whether the files that it asks for were looked for. */
  readonly isRead: boolean;
}
