import type { TextEdit } from '../../../base/text.ts';
import type { Snapshot } from '../../../workspace/snapshot.ts';
import type { Cursor } from '../../place/cursor.ts';

/** Something to be done at the cursor where nothing is wrong. Edits are in the document's offsets. */
export interface Assist {
  readonly title: string;
  readonly kind: 'refactor.rewrite' | 'refactor.move' | 'refactor.extract';
  readonly edits: readonly TextEdit[];
}

/** What one assist offers at a place, if anything. */
export type MakeAssists = (cursor: Cursor, snapshot: Snapshot) => readonly Assist[];
