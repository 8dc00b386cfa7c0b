/** Keys for files of values: what templates read, and what the chart's own file has. */
import { isMap, valueAt as valueIn } from '../../base/value.ts';
import { yamlOf } from '../../helm/chart.ts';
import { valueOf } from '../../yaml/value.ts';
import type { Completion } from '../complete/completion.ts';
import { cursorAt } from '../place/cursor.ts';
import { entryLine } from '../place/entryLine.ts';
import { keysBeside, marked } from '../place/marked.ts';
import { blocks, type Markdown, md, prose } from '../words/markdown.ts';
import { inGiven, rangeInValues, type Seen, valuesPart } from './seen.ts';
import { absolute, declarationsOf, startsWith, type Use, usesOf, type ValuePath } from './uses.ts';
import { commentAbove, lineOf } from './values.ts';

export function completeValues(seen: Seen, offset: number): Completion[] {
  const { snapshot, folder, file } = seen;
  const part = valuesPart(seen);
  const cursor = cursorAt(snapshot, file.id, offset);
  const line = cursor && entryLine(cursor);
  const found = line && part && marked(snapshot, cursor, line.word, 'key');
  if (!line || !part || !found) return [];
  const parent = found.cursor.target.path.slice(0, -1);
  const own = inGiven(seen, parent);
  if (!own) return [];
  const around = absolute(
    folder,
    part,
    own.map((step) => (typeof step === 'number' ? '*' : step)),
  );
  const used = keysBeside(valueIn(valueOf(found.cursor.placed.document), parent));
  const read = readBelow(folder, around);
  const names = new Set([...read.keys(), ...definedBelow(folder, around)]);
  return [...names].sort().flatMap((name) => {
    if (used.has(name)) return [];
    const uses = read.get(name) ?? [];
    const isMapOfUses =
      uses.length > 0 &&
      uses.every((use) => use.path.length > around.length + 1 && use.path[around.length + 1] !== '*');
    return [
      {
        ...({ label: name, kind: 'field', range: line.word, snippet: false, order: name } as const),
        text: isMapOfUses ? `${name}:` : `${name}: `,
        detail: detailOf(folder, [...around, name], uses),
        documentation: documentationOf(folder, [...around, name], uses),
      },
    ];
  });
}

function readBelow(folder: Seen['folder'], parent: ValuePath): ReadonlyMap<string, readonly Use[]> {
  const found = new Map<string, Use[]>();
  for (const use of usesOf(folder)) {
    const name = use.path[parent.length];
    if (name === undefined || name === '*' || !startsWith(use.path, parent)) continue;
    found.set(name, [...(found.get(name) ?? []), use]);
  }
  return found;
}

/** What files of values of the chart have there. */
function definedBelow(folder: Seen['folder'], parent: ValuePath): string[] {
  const places =
    parent.length === 0
      ? folder.files.filter(({ path }) => path === 'values.yaml').map((file) => ({ file, path: [] }))
      : declarationsOf(folder, parent);
  return places.flatMap(({ file, path }) =>
    yamlOf(file).documents.flatMap(({ document }) => {
      const value = valueIn(valueOf(document), path);
      return isMap(value) ? [...value.keys()] : [];
    }),
  );
}

function detailOf(folder: Seen['folder'], path: ValuePath, uses: readonly Use[]): string {
  const [place] = declarationsOf(folder, path);
  const range = place && rangeInValues(place, 'value');
  const shown = range && place.file.text.slice(range.start, range.end).split('\n')[0]!;
  if (shown) return `${shown.slice(0, 40)} (${place.file.path})`;
  return uses.length === 0 ? '' : `read in ${uses[0]!.file.path}`;
}

/** How many places that read a value are named. */
const mostPlaces = 5;

function documentationOf(folder: Seen['folder'], path: ValuePath, uses: readonly Use[]): Markdown {
  const comments = declarationsOf(folder, path)
    .map(commentAbove)
    .filter((one) => one !== '');
  const places = [...new Set(uses.map(({ file, action }) => `${file.path}:${lineOf(file, action.start)}`))];
  const read =
    places.length === 0
      ? ''
      : `Read in ${places.slice(0, mostPlaces).join(', ')}${places.length > mostPlaces ? ', …' : ''}`;
  return blocks(prose(comments[0] ?? ''), md`${read}`);
}
