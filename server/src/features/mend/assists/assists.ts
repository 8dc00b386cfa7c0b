import { movedRange } from '../../../base/text.ts';
import type { Snapshot } from '../../../workspace/snapshot.ts';
import { cursorAt } from '../../place/cursor.ts';
import type { Assist, MakeAssists } from './assist.ts';
import { extractBound } from './extractBound.ts';
import { flowOrBlock } from './flowOrBlock.ts';
import { moveProperty } from './moveProperty.ts';
import { sortRequired } from './sortRequired.ts';

/** All there are, in the order in which an editor shows them. */
const assists: readonly MakeAssists[] = [extractBound, sortRequired, moveProperty, flowOrBlock];

/** What can be done at an offset; edits are in the file's offsets. */
export function assistsAt(snapshot: Snapshot, uri: string, offset: number): Assist[] {
  const cursor = cursorAt(snapshot, uri, offset);
  if (!cursor) return [];
  const { start } = cursor.placed;
  return assists
    .flatMap((make) => make(cursor, snapshot))
    .filter(({ edits }) => edits.length > 0)
    .map((assist) => ({
      ...assist,
      edits: assist.edits.map(({ range, text }) => ({
        range: movedRange(range, start),
        text,
      })),
    }));
}
