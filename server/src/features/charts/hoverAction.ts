/** Cards of what is in actions of templates. */
import type { Range } from '../../base/text.ts';
import { functionDoc } from '../../helm/functionDocs.ts';
import { functionNames } from '../../helm/render.ts';
import type { Hover } from '../at/hover.ts';
import { blocks, code, fenced, list, type Markdown, md, own } from '../words/markdown.ts';
import type { Action, Chain } from './actions.ts';
import { mark, markedRenderings } from './markedTemplate.ts';
import { objectWords } from './objectWords.ts';
import { headOf, namedBefore, namedBehind, type Scope, scopedOf, stepsOf } from './scopes.ts';
import type { Seen } from './seen.ts';
import { aboutCell, cellsAt, typeWord, valuesInSets } from './values.ts';

export function hoverAction(seen: Seen, action: Action, offset: number): Hover | undefined {
  const { actions, scopes } = scopedOf(seen.file);
  const scope = scopes[actions.indexOf(action)]!;
  const at = action.tokens.findIndex(({ start, end }) => start <= offset && offset <= end);
  const token = action.tokens[at];
  if (token?.kind === 'chain') {
    const found = chainTo(token, offset);
    const steps = stepsOf(scope, found.chain);
    const card = steps && valueCard(seen, steps);
    if (card) return { markdown: card, range: found.range };
  }
  if (token?.kind === 'word' && functionNames.has(token.text)) {
    return { markdown: functionCard(token.text), range: { start: token.start, end: token.end } };
  }
  const named = token?.kind === 'string' ? keyCard(seen, action, at, scope) : undefined;
  if (named && token) return { markdown: named, range: { start: token.start, end: token.end } };
  return outcomeOf(seen, action);
}

/** A chain up to the name that an offset is at. */
export function chainTo(chain: Chain, offset: number): { readonly chain: Chain; readonly range: Range } {
  const at = chain.parts.findIndex(({ end }) => offset <= end);
  const isHead = chain.head !== '' && offset <= chain.start + chain.head.length;
  const parts = isHead ? [] : chain.parts.slice(0, at === -1 ? undefined : at + 1);
  const range = isHead
    ? { start: chain.start, end: chain.start + chain.head.length }
    : (parts.at(-1) ?? { start: chain.start, end: chain.end });
  return { chain: { ...chain, parts }, range: { start: range.start, end: range.end } };
}

/** What a path is: its type, its comment, what it comes to. */
function valueCard(seen: Seen, steps: readonly string[]): Markdown | undefined {
  const words = objectWords(steps);
  const cells = cellsAt(seen, steps);
  const [first] = cells;
  const title = code(`.${steps.join('.')}`);
  if (words !== undefined && steps[0] === 'Values') return blocks(title, own(words));
  if (words !== undefined) return blocks(title, own(words), values(cells));
  if (!first) return steps[0] === 'Values' ? blocks(title, own('No file of values has it.')) : undefined;
  return blocks(md`${title} · ${code(typeWord(first.cell.value))}`, aboutCell(seen, first.cell), values(cells));
}

function values(cells: ReturnType<typeof cellsAt>): Markdown {
  const rows = valuesInSets(cells);
  return rows.length === 0 ? own('') : list(rows);
}

function keyCard(seen: Seen, action: Action, at: number, scope: Scope): Markdown | undefined {
  const { tokens } = action;
  const named = namedBefore(tokens, at, scope);
  const chain = tokens.findLastIndex(({ kind }, i) => i < at && kind !== 'string');
  const whole = named && namedBehind(tokens.slice(0, at + 1), chain, scope);
  return whole && valueCard(seen, whole.steps);
}

function functionCard(name: string): Markdown {
  const doc = functionDoc(name);
  return doc ? blocks(code(doc.call), md`${doc.words}`) : code(name);
}

const printing: ReadonlySet<string> = new Set([
  'if',
  'else',
  'end',
  'with',
  'range',
  'define',
  'block',
  'break',
  'continue',
]);

/** How much of what an action comes to is shown, and of how many sets of values. */
const most = { lines: 12, characters: 1_000, sets: 5 };

/** What an action comes to in each set of values. */
function outcomeOf(seen: Seen, action: Action): Hover | undefined {
  const isDeclaring = action.tokens.some(
    (token) => token.kind === 'other' && (token.text === ':=' || token.text === '='),
  );
  if (printing.has(headOf(action)) || isDeclaring || !action.isClosed) return undefined;
  const bySet = new Map<string, string>();
  for (const { set, rendered } of markedRenderings(seen, [action.start, action.end])) {
    const [, shown] = rendered.text.split(mark);
    if (shown === undefined || [...bySet.values()].includes(shown)) continue;
    if (!bySet.has(set.name)) bySet.set(set.name, shown);
    if (bySet.size >= most.sets) break;
  }
  if (bySet.size === 0) return undefined;
  const parts = Array.from(bySet, ([name, shown]) => blocks(md`With ${name}:`, fenced('yaml', shortened(shown))));
  return { markdown: blocks(...parts), range: { start: action.start, end: action.end } };
}

function shortened(shown: string): string {
  const lines = shown.replace(/^\n/, '').slice(0, most.characters).split('\n');
  const kept = lines.slice(0, most.lines).join('\n');
  return kept.length < shown.replace(/^\n/, '').length ? `${kept}\n…` : kept;
}
