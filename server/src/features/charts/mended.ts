/** A template that cannot be parsed yet, as one that can: with everything of its text where it was. */
import { functionNames } from '../../helm/render.ts';
import { type Parsed, parseTemplate } from '../../template/parse.ts';
import { type Action, actionsIn } from './actions.ts';
import { headOf, scoped } from './scopes.ts';

/** How many errors are mended one after the other. */
const mostMended = 12;

/** Blanks out what is half-typed, and ends what is open; undefined where that is not enough. */
export function mended(text: string): string | undefined {
  let now = withEnds(blankedOpen(text));
  for (let left = mostMended; left > 0; left--) {
    const [problem] = problemsOf(now);
    if (!problem) return now;
    const action = actionsIn(now).findLast(({ start }) => start <= problem.start);
    if (!action) return undefined;
    now = withEnds(now.slice(0, action.start) + blank(action) + now.slice(action.end));
  }
  return problemsOf(now).length === 0 ? now : undefined;
}

function problemsOf(text: string): Parsed['problems'] {
  return parseTemplate('template', text, (name) => functionNames.has(name)).problems;
}

/** Actions that nobody has closed. */
function blankedOpen(text: string): string {
  const open = actionsIn(text).filter(({ isClosed }) => !isClosed);
  const kept = open.map((action, i) => text.slice(open[i - 1]?.end ?? 0, action.start) + blank(action));
  return kept.join('') + text.slice(open.at(-1)?.end ?? 0);
}

/** As long as it was; what opens a block still does. */
function blank(action: Action): string {
  const length = action.end - action.start;
  const opens = ['if', 'with', 'range'].includes(headOf(action));
  const put = opens && action.isClosed && length >= opening.length ? opening : '';
  return put + ' '.repeat(length - put.length);
}

const opening = '{{if 1}}';

/** Ends the blocks that are open, behind all that is written. */
function withEnds(text: string): string {
  const open = scoped(actionsIn(text)).blocks.filter(({ last }) => last === undefined).length;
  return `${text}${'{{end}}'.repeat(open)}`;
}
