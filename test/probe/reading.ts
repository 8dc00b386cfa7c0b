import { hover } from '../../server/src/features/at/hover.ts';
import type { Snapshot } from '../../server/src/workspace/snapshot.ts';
import { shown } from './asking.ts';
import { count, newTally, type Tally } from './tally.ts';
import { entriesOf } from './trees.ts';
import type { WorldFile } from './world.ts';

/** Hover on the name of every property that a CRD declares: its own description must be there. */
export function probePropertyNames(snapshot: Snapshot, crds: readonly WorldFile[]): Tally {
  const tally = newTally();
  for (const file of crds) {
    const entries = entriesOf(file.text);
    const said = new Map(
      entries
        .filter(({ path }) => path.at(-1) === 'description')
        .map(({ path, node }) => [path.slice(0, -1).join('/'), node]),
    );
    for (const { path, key } of entries) {
      const description = said.get(path.join('/'));
      if (path.at(-2) !== 'properties' || description?.kind !== 'scalar') continue;
      const card = hover(snapshot, file.uri, key.start + 1)?.markdown.plain ?? '';
      count(tally, {
        rank: card.includes(description.value) ? 0 : undefined,
        about: shown(file, file.text, key.start),
      });
    }
  }
  return tally;
}
