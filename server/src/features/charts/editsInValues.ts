/** Edits of what templates print of values, such as with `toYaml`, as edits of the file that has the values. */
import { lineStartBefore, movedRange, type TextEdit } from '../../base/text.ts';
import { type ChartFile, yamlOf } from '../../helm/chart.ts';
import type { ValuePlace } from '../../template/from.ts';
import type { MadeFile } from '../../workspace/charts/madeFile.ts';
import { removeAt } from '../../yaml/edit/remove.ts';
import { rangeOf } from '../../yaml/place.ts';
import type { Seen } from './seen.ts';

export interface EditOf {
  readonly uri: string;
  readonly edit: TextEdit;
}

/** What is printed of values is taken away, or gets more beside it; undefined where it is not of values. */
export function editInValues({ folder }: Seen, { source, places }: MadeFile, edit: TextEdit): EditOf | undefined {
  const { start, end } = edit.range;
  const isAddition = start === end;
  const before = source.text.slice(0, start).trimEnd().length - 1;
  // What goes before an entry may as well go behind it.
  const place = isAddition
    ? (places.valueAt(before, before + 1) ?? places.valueAt(start, start + 1))
    : places.valueAt(start, end);
  const file = place && folder.fileAt(place.source);
  if (!place || !file || file.id.includes('!/')) return undefined;
  if (isAddition) return added(file, place, edit.text);
  return edit.text.trim() === '' ? removed(file, place) : undefined;
}

function removed(file: ChartFile, { path }: ValuePlace): EditOf | undefined {
  for (const { document, start } of yamlOf(file).documents) {
    const [first, ...others] = removeAt(document, path);
    if (first && others.length === 0)
      return { uri: file.id, edit: { range: movedRange(first.range, start), text: first.text } };
  }
  return undefined;
}

/** Behind an entry, at the indentation of that. */
function added(file: ChartFile, { path }: ValuePlace, text: string): EditOf | undefined {
  for (const { document, start } of yamlOf(file).documents) {
    const pair = rangeOf(document, path, 'pair');
    if (!pair) continue;
    const { start: from, end } = movedRange(pair, start);
    const before = file.text.slice(lineStartBefore(file.text, from), from);
    // The first entry of an item is behind its dash.
    if (!/^[ -]*$/.test(before)) return undefined;
    const pad = ' '.repeat(before.length);
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const indent = /^ */.exec(lines[0] ?? '')![0].length;
    const at = from + file.text.slice(from, end).trimEnd().length;
    const put = lines.map((line) => `\n${pad}${line.slice(indent)}`).join('');
    return { uri: file.id, edit: { range: { start: at, end: at }, text: put } };
  }
  return undefined;
}
