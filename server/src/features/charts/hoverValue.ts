/** Cards of the keys of files of values. */
import type { Hover } from '../at/hover.ts';
import { blocks, code, list, md, own, prose } from '../words/markdown.ts';
import { saidBySchema } from './schemaOfValue.ts';
import type { Seen } from './seen.ts';
import { declarationsOf, startsWith, usesOf, valueAt } from './uses.ts';
import { commentAbove, lineOf } from './values.ts';

/** How many places that read a value are named. */
const mostPlaces = 8;

/** A key of a file of values: its comment, what the chart's own file says, and where it is read. */
export function hoverValue(seen: Seen, offset: number): Hover | undefined {
  const { folder } = seen;
  const found = valueAt(seen, offset);
  if (!found) return undefined;
  const [declared] = declarationsOf(folder, found.path);
  const comment = declared ? commentAbove(declared) : '';
  const uses = usesOf(folder).filter((use) => startsWith(use.path, found.path));
  const around =
    uses.length > 0 ? uses : usesOf(folder).filter((use) => use.path.length > 0 && startsWith(found.path, use.path));
  const places = [...new Set(around.map(({ file, action }) => `${file.path}:${lineOf(file, action.start)}`))];
  const more = places.length > mostPlaces ? [md`and ${places.length - mostPlaces} more`] : [];
  const read =
    places.length === 0
      ? [own('No template reads it by its name.')]
      : [own('Read in:'), list([...places.slice(0, mostPlaces).map((one) => md`${one}`), ...more])];
  const said = saidBySchema(folder, found.path, comment !== '');
  return { markdown: blocks(code(found.path.join('.')), prose(comment), said, ...read), range: found.range };
}
