import { memo } from '../../base/memo.ts';
import { grouped } from '../../base/text.ts';
import { isList, isMap, type Value, type ValueMap } from '../../base/value.ts';

/** How long a value is as YAML: parts that are shared count wherever they are used. */
export interface Size {
  readonly lines: number;
  readonly characters: number;
  readonly levels: number;
}

/** What one CRD may have at most. */
export const mostOfCrd: Size = { lines: 50_000, characters: 4_000_000, levels: 300 };

/** Why something is more than is made; undefined where it is not. */
export function beyond(size: Size, most: Size): string | undefined {
  const [what] = (['levels', 'lines', 'characters'] as const).filter((one) => size[one] > most[one]);
  return what && `more than ${grouped(Math.floor(most[what]))} ${what}`;
}

/** What the lines of a part are indented by. */
const indent = 2;

export const sizeOf = memo((value: ValueMap | readonly Value[]): Size => {
  let [lines, characters, levels] = [0, 0, 0];
  for (const [key, item] of value.entries()) {
    const inner = sizeOfValue(item);
    lines += inner.lines + (isList(value) ? 0 : 1);
    characters += inner.characters + String(key).length + indent * inner.lines;
    levels = Math.max(levels, inner.levels);
  }
  return { lines, characters, levels: levels + 1 };
});

function sizeOfValue(value: Value): Size {
  if (isMap(value) || isList(value)) return sizeOf(value);
  const text = typeof value === 'string' ? value : String(value);
  return { lines: linesIn(text), characters: text.length, levels: 0 };
}

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
