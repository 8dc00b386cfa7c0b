/** The colors of the actions of a template: what is between them is YAML, which editors color themselves. */
import { memo } from '../../base/memo.ts';
import { lineIndex, type Range } from '../../base/text.ts';
import type { ChartFile } from '../../helm/chart.ts';
import { functionNames } from '../../helm/render.ts';
import type { Color, ColoredRange } from '../lenses/colors.ts';
import { type Action, actionsOf, type Token } from './actions.ts';
import type { Seen } from './seen.ts';

export function colorsOfActions({ file }: Seen, within?: Range): ColoredRange[] {
  const all = colorsOf(file);
  return within ? all.filter(({ start, end }) => end >= within.start && start <= within.end) : [...all];
}

const colorsOf = memo((file: ChartFile): readonly ColoredRange[] =>
  actionsOf(file).flatMap((action) =>
    partsOf(action).flatMap(({ start, end, color }) => onLines(file.text, start, end, color)),
  ),
);

function partsOf({ tokens, isComment, inner }: Action): ColoredRange[] {
  return isComment ? [{ ...inner, color: 'comment' }] : tokens.flatMap(colorsOfToken);
}

function colorsOfToken(token: Token): ColoredRange[] {
  const { start, end } = token;
  if (token.kind === 'string') return [{ start, end, color: 'string' }];
  if (token.kind === 'chain') {
    const head: ColoredRange[] =
      token.head === '' ? [] : [{ start, end: start + token.head.length, color: 'variable' }];
    const parts = token.parts.filter(({ name }) => name !== '');
    return [...head, ...parts.map((part): ColoredRange => ({ start: part.start, end: part.end, color: 'property' }))];
  }
  const color = colorOfWord(token.text);
  return color ? [{ start, end, color }] : [];
}

const keywords = new Set('if else end with range define template block break continue true false nil'.split(' '));

function colorOfWord(text: string): Color | undefined {
  if (keywords.has(text)) return 'keyword';
  if (functionNames.has(text)) return 'function';
  if (/^[+-]?\d/.test(text)) return 'number';
  return text === '|' || text === ':=' || text === '=' ? 'operator' : undefined;
}

/** A color is of one line. */
function onLines(text: string, start: number, end: number, color: Color): ColoredRange[] {
  const lines = lineIndex(text.slice(start, end));
  if (lines.count === 1) return [{ start, end, color }];
  return Array.from({ length: lines.count }, (_, line) => ({
    start: start + lines.lineStart(line),
    end: start + lines.lineEnd(line),
    color,
  })).filter((one) => one.end > one.start);
}
