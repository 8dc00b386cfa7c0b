/** What the dot and the variables of a template stand for at each of its actions, as far as that is plain to see. */
import { memo } from '../../base/memo.ts';
import type { Range } from '../../base/text.ts';
import type { ChartFile } from '../../helm/chart.ts';
import { type Action, actionsOf, type Chain, type Part, type Token } from './actions.ts';

/** Steps from what a template is given, such as `Values`, `image`; `*` for any item. Undefined where that is not known. */
export type Steps = readonly string[] | undefined;

interface Variable {
  readonly name: string;
  readonly steps: Steps;
  /** Where it is declared. */
  readonly declared: Range;
  readonly before: Variable | undefined;
  readonly depth: number;
}

/** How many variables are remembered at once. */
const mostVariables = 200;

export interface Scope {
  readonly dot: Steps;
  readonly variables: Variable | undefined;
}

/** A `define`, `block`, `if`, `with` or `range`, from its action to its end. */
export interface Block {
  readonly word: string;
  /** The name of a template, with where it is written. */
  readonly name: Extract<Token, { kind: 'string' }> | undefined;
  readonly action: Action;
  /** Its `else` actions, and the one that ends it; none where that is still to be written. */
  readonly middles: readonly Action[];
  readonly last: Action | undefined;
  readonly end: number;
}

interface Open {
  readonly word: string;
  readonly action: Action;
  readonly middles: Action[];
  readonly outside: Scope;
}

export interface Scoped {
  readonly actions: readonly Action[];
  /** What holds where each of them begins. */
  readonly scopes: readonly Scope[];
  readonly blocks: readonly Block[];
}

const top: Scope = { dot: [], variables: undefined };
const opening: ReadonlySet<string> = new Set(['if', 'with', 'range', 'define', 'block']);

export const scopedOf = memo((file: ChartFile): Scoped => scoped(actionsOf(file)));

export function scoped(actions: readonly Action[]): Scoped {
  const scopes: Scope[] = [];
  const blocks: Block[] = [];
  const open: Open[] = [];
  let scope = top;
  const close = (last: Action | undefined) => {
    const one = open.pop();
    if (!one) return;
    const { word, action, middles } = one;
    const named = action.tokens[1];
    const name = named?.kind === 'string' ? named : undefined;
    blocks.push({ word, name, action, middles, last, end: (last ?? actions.at(-1)!).end });
    scope = one.outside;
  };
  for (const action of actions) {
    const word = headOf(action);
    if (word === 'else') {
      scope = open.at(-1)?.outside ?? scope;
      open.at(-1)?.middles.push(action);
    }
    scopes.push(scope);
    if (word === 'end') close(action);
    else if (word === 'else') scope = within(scope, action.tokens.slice(1));
    else if (opening.has(word)) {
      open.push({ word, action, middles: [], outside: scope });
      scope = within(scope, action.tokens);
    } else scope = declaring(scope, action.tokens);
  }
  while (open.length > 0) close(undefined);
  blocks.sort((a, b) => a.action.start - b.action.start);
  return { actions, scopes, blocks };
}

/** The word that an action begins with. */
export function headOf({ tokens: [first] }: Action): string {
  return first?.kind === 'word' ? first.text : '';
}

/** What holds inside of a block that these tokens open. */
function within(scope: Scope, [head, ...pipe]: readonly Token[]): Scope {
  const word = head?.kind === 'word' ? head.text : '';
  if (word === 'define' || word === 'block') return top;
  const next = declaring(scope, pipe, word === 'range');
  const steps = stepsOfPipe(scope, pipe);
  if (word === 'with') return { ...next, dot: steps };
  return word === 'range' ? { ...next, dot: steps && [...steps, '*'] } : next;
}

function declaring(scope: Scope, tokens: readonly Token[], isRange = false): Scope {
  const at = declarationEnd(tokens);
  if (at === 0 || !isWritten(tokens[at - 1], ':=')) return scope;
  const names = tokens.slice(0, at).flatMap((token) => (token.kind === 'chain' ? [token] : []));
  const steps = stepsOfPipe(scope, tokens);
  let { variables } = scope;
  names.forEach(({ head: name, start, end }, i) => {
    const isKey = isRange && names.length > 1 && i === 0;
    const own = isKey ? undefined : isRange ? steps && [...steps, '*'] : steps;
    const depth = ((variables?.depth ?? 0) + 1) % mostVariables;
    variables = { name, steps: own, declared: { start, end }, before: depth === 0 ? undefined : variables, depth };
  });
  return { ...scope, variables };
}

/** How many tokens `$a, $b :=` are. */
export function declarationEnd(tokens: readonly Token[]): number {
  for (let at = 0; at < Math.min(tokens.length, 5); at++) {
    const token = tokens[at]!;
    if (isWritten(token, ':=') || isWritten(token, '=')) return at + 1;
    if (!(token.kind === 'chain' && token.head !== '') && !isWritten(token, ',')) return 0;
  }
  return 0;
}

function isWritten(token: Token | undefined, text: string): boolean {
  return token?.kind === 'other' && token.text === text;
}

/** Functions behind a bar that give what they are given, or something in its stead. */
const keeping: ReadonlySet<string> = new Set(['default', 'required', 'deepCopy', 'mustDeepCopy']);

/** What a pipeline comes to: a chain, perhaps with a default or an `index`. */
export function stepsOfPipe(scope: Scope, tokens: readonly Token[]): Steps {
  const from = declarationEnd(tokens);
  const bar = tokens.findIndex((token, i) => i >= from && isWritten(token, '|'));
  const first = tokens.slice(from, bar === -1 ? undefined : bar);
  const after = bar === -1 ? [] : tokens.slice(bar + 1);
  const isKept = after.every((token, i) => {
    const isFunction = token.kind === 'word' && (i === 0 || isWritten(after[i - 1], '|'));
    return !isFunction || keeping.has(token.text);
  });
  return isKept ? stepsOfCommand(scope, first) : undefined;
}

function stepsOfCommand(scope: Scope, tokens: readonly Token[]): Steps {
  const [first] = tokens;
  const last = tokens.at(-1);
  if (tokens.length === 1 && first?.kind === 'chain') return stepsOf(scope, first);
  if (first?.kind !== 'word') return undefined;
  if (first.text === 'index') return namedBehind(tokens, 1, scope)?.steps;
  return keeping.has(first.text) && last?.kind === 'chain' ? stepsOf(scope, last) : undefined;
}

export function variableIn(scope: Scope, name: string): Variable | undefined {
  let at = scope.variables;
  while (at && at.name !== name) at = at.before;
  return at;
}

/** The names of the variables that are in sight. */
export function variablesIn(scope: Scope): string[] {
  const names = new Set<string>(['$']);
  for (let at = scope.variables; at; at = at.before) names.add(at.name);
  return [...names];
}

/** What a chain leads to. Whatever has `Values` in it means those of the chart, however it came there. */
export function stepsOf(
  scope: Scope,
  { head, parts, isBehindBracket }: Pick<Chain, 'head' | 'parts' | 'isBehindBracket'>,
): Steps {
  const names = parts.map(({ name }) => name);
  const values = names.indexOf('Values');
  if (values !== -1) return names.slice(values);
  if (isBehindBracket) return undefined;
  const from = head === '' ? scope.dot : head === '$' ? [] : variableIn(scope, head)?.steps;
  return from && [...from, ...names];
}

/** Names that follow a chain as texts: `index .Values "a" "b"`. */
export interface Named {
  readonly steps: readonly string[];
  readonly parts: readonly Part[];
}

const naming: ReadonlyMap<string, number> = new Map([
  ['index', Number.POSITIVE_INFINITY],
  ['get', 1],
  ['hasKey', 1],
]);

/** The chain at an index of an action's tokens, with the names behind it where a function takes some. */
export function namedBehind(tokens: readonly Token[], at: number, scope: Scope): Named | undefined {
  const token = tokens[at];
  const steps = token?.kind === 'chain' ? stepsOf(scope, token) : undefined;
  if (token?.kind !== 'chain' || !steps) return undefined;
  const before = tokens[at - 1];
  let most = before?.kind === 'word' ? (naming.get(before.text) ?? 0) : 0;
  const more: Part[] = [];
  for (const next of tokens.slice(at + 1)) {
    if (next.kind !== 'string' || most-- <= 0) break;
    more.push({ name: next.text, ...next.content });
  }
  const explicit = token.parts.slice(token.parts.findIndex(({ name }) => name === 'Values') + 1);
  return { steps: [...steps, ...more.map(({ name }) => name)], parts: [...explicit, ...more] };
}

/** What a text at an index of an action's tokens names a part of, where it does. */
export function namedBefore(tokens: readonly Token[], at: number, scope: Scope): Named | undefined {
  const chain = tokens.findLastIndex(({ kind }, i) => i < at && kind !== 'string');
  const before = tokens[chain - 1];
  const most = before?.kind === 'word' ? (naming.get(before.text) ?? 0) : 0;
  return at - chain <= most ? namedBehind(tokens.slice(0, at), chain, scope) : undefined;
}
