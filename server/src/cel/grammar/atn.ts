/**
 * A grammar as ANTLR sees it: a transition network that says which tokens may come next, and beside it the steps that a
 * generated parser takes. cel-go's syntax errors are made of both.
 */

/** Stands in a token set for "the rule may end here". */
export const ruleEnd = -2;

/** What error recovery distinguishes: where an optional part or a loop starts, and where a loop comes back. */
export type StateKind = 'plain' | 'blockStart' | 'loopBack';

export interface State {
  readonly kind: StateKind;
  readonly epsilon: State[];
  /** The tokens that lead from here to `target`. */
  readonly tokens: ReadonlySet<number> | undefined;
  readonly rule: Rule | undefined;
  /** Behind the tokens, or behind the rule. */
  target: State | undefined;
  next: ReadonlySet<number> | undefined;
}

export interface Rule {
  readonly name: string;
  start: State;
  readonly end: State;
  steps: readonly Step[];
}

/** Chooses between alternatives from the tokens ahead; a negative number −n−1 means: none, seen n tokens ahead. */
export type Decide = (look: Look) => number;

/** The kinds of the tokens ahead, 1 being the next one. */
export type Look = (ahead: number) => number;

export type Step =
  | { readonly op: 'match'; readonly state: State; readonly token: number; readonly label: string }
  | { readonly op: 'set'; readonly state: State; readonly tokens: ReadonlySet<number>; readonly label: string }
  | {
      readonly op: 'call';
      readonly state: State;
      readonly rule: Rule;
      readonly precedence: number;
      readonly label: string;
    }
  | { readonly op: 'sync'; readonly state: State }
  | { readonly op: 'unless'; readonly tokens: ReadonlySet<number>; to: number }
  | { readonly op: 'choose'; readonly decide: Decide; readonly to: number[] }
  | { readonly op: 'operator'; readonly levels: ReadonlyMap<number, number>; to: number }
  | { readonly op: 'alternative'; readonly name: string }
  | { readonly op: 'leftRecursion' }
  | { readonly op: 'jump'; to: number };

function newState(kind: StateKind = 'plain', tokens?: ReadonlySet<number>, rule?: Rule): State {
  return { kind, epsilon: [], tokens, rule, target: undefined, next: undefined };
}

export function newRule(name: string): Rule {
  return { name, start: newState(), end: newState(), steps: [] };
}

/** The tokens that may come next in a state, and `ruleEnd` where its rule may be over. */
export function nextTokens(state: State): ReadonlySet<number> {
  if (!state.next) {
    const found = new Set<number>();
    look(state, found, new Set());
    state.next = found;
  }
  return state.next;
}

function look(state: State, found: Set<number>, seen: Set<State>): void {
  if (seen.has(state)) return;
  seen.add(state);
  if (state.rule) {
    // No rule of CEL can be empty, so what follows it does not matter here.
    for (const token of nextTokens(state.rule.start)) if (token !== ruleEnd) found.add(token);
    return;
  }
  if (state.tokens) for (const token of state.tokens) found.add(token);
  else if (state.epsilon.length === 0) found.add(ruleEnd);
  for (const next of state.epsilon) look(next, found, seen);
}

// Building

/** A part of a rule: gives the state where it starts, `after` being where it leads. */
export type Part = (after: State, steps: Step[]) => State;

function leaf(state: State, after: State): State {
  state.target = after;
  return state;
}

export function token(kind: number, label = ''): Part {
  return (after, steps) => {
    const state = leaf(newState('plain', new Set([kind])), after);
    steps.push({ op: 'match', state, token: kind, label });
    return state;
  };
}

export function oneOf(kinds: readonly number[], label: string): Part {
  return (after, steps) => {
    const tokens = new Set(kinds);
    const state = leaf(newState('plain', tokens), after);
    steps.push({ op: 'set', state, tokens, label });
    return state;
  };
}

export function call(rule: Rule, label = '', precedence = 0): Part {
  return (after, steps) => {
    const state = leaf(newState('plain', undefined, rule), after);
    steps.push({ op: 'call', state, rule, precedence, label });
    return state;
  };
}

/**
 * Parts one behind the other. States are linked from the end, steps from the start: the steps of each part are collected
 * on their own, and jumps inside them are moved to where they end up.
 */
export function sequence(...parts: readonly Part[]): Part {
  return (after, steps) => {
    const collected: Step[][] = [];
    let state = after;
    for (const part of [...parts].reverse()) {
      const own: Step[] = [];
      state = part(state, own);
      collected.unshift(own);
    }
    for (const own of collected) append(steps, own);
    return state;
  };
}

/** Adds steps whose jumps count from their own first step. */
function append(steps: Step[], own: readonly Step[]): void {
  const base = steps.length;
  for (const step of own) {
    if ('to' in step) steps.push({ ...step, to: moved(step.to, base) } as Step);
    else steps.push(step);
  }
}

function moved(to: number | readonly number[], base: number): number | number[] {
  return typeof to === 'number' ? to + base : to.map((one) => one + base);
}

/** What a predicate of LL(1) compares the next token with: the tokens that the part can start with. */
function firstOf(state: State): ReadonlySet<number> {
  return nextTokens(state);
}

export function optional(part: Part): Part {
  return (after, steps) => {
    const body: Step[] = [];
    const start = newState('blockStart');
    const inner = part(after, body);
    start.epsilon.push(inner, after);
    steps.push(
      { op: 'sync', state: start },
      { op: 'unless', tokens: lazily(() => firstOf(inner)), to: 2 + body.length },
    );
    append(steps, body);
    return start;
  };
}

/** A loop; `decide` is for those that one token does not decide: 1 goes on, 2 ends it. */
export function loop(part: Part, decide?: Decide): Part {
  return (after, steps) => {
    const entry = newState('blockStart');
    const back = newState('loopBack');
    const body: Step[] = [];
    const inner = part(back, body);
    entry.epsilon.push(inner, after);
    back.epsilon.push(entry);
    const end = body.length + 4;
    steps.push({ op: 'sync', state: entry });
    if (decide) steps.push({ op: 'choose', decide, to: [2, end] });
    else steps.push({ op: 'unless', tokens: lazily(() => firstOf(inner)), to: end });
    append(steps, body);
    steps.push({ op: 'sync', state: back }, { op: 'jump', to: 1 });
    return entry;
  };
}

/** At least once. */
export function repeat(part: Part, decide?: Decide): Part {
  return (after, steps) => {
    const start = newState('blockStart');
    const back = newState('loopBack');
    const body: Step[] = [];
    const inner = part(back, body);
    start.epsilon.push(inner);
    back.epsilon.push(start, after);
    const again = body.length + 2;
    steps.push({ op: 'sync', state: start });
    append(steps, body);
    steps.push({ op: 'sync', state: back });
    if (decide) steps.push({ op: 'choose', decide, to: [1, again + 1] });
    else steps.push({ op: 'unless', tokens: lazily(() => firstOf(inner)), to: again + 2 }, { op: 'jump', to: 1 });
    return start;
  };
}

export function alternatives(decide: Decide, named: readonly (readonly [name: string, part: Part])[]): Part {
  return (after, steps) => {
    const start = newState('blockStart');
    const bodies = named.map(([name, part]) => {
      const body: Step[] = name === '' ? [] : [{ op: 'alternative', name }];
      const own: Step[] = [];
      start.epsilon.push(part(after, own));
      append(body, own);
      return body;
    });
    const end = 2 + bodies.reduce((sum, body) => sum + body.length + 1, 0);
    const to: number[] = [];
    const all: Step[] = [
      { op: 'sync', state: start },
      { op: 'choose', decide, to },
    ];
    for (const body of bodies) {
      to.push(all.length);
      append(all, body);
      all.push({ op: 'jump', to: end });
    }
    append(steps, all);
    return start;
  };
}

/**
 * What follows the first operand of a left-recursive rule: a loop that goes on while the next token is an operator of at
 * least the rule's precedence.
 */
export function operators(levels: ReadonlyMap<number, number>, part: Part): Part {
  return (after, steps) => {
    const entry = newState('blockStart');
    const back = newState('loopBack');
    const body: Step[] = [];
    entry.epsilon.push(part(back, body), after);
    back.epsilon.push(entry);
    steps.push({ op: 'sync', state: entry }, { op: 'operator', levels, to: body.length + 4 });
    append(steps, body);
    steps.push({ op: 'sync', state: back }, { op: 'jump', to: 1 });
    return entry;
  };
}

/** A step that makes no state. */
export function act(step: Step): Part {
  return (after, steps) => {
    steps.push(step);
    return after;
  };
}

/** A set that is computed when it is first asked: rules refer to each other. */
function lazily(compute: () => ReadonlySet<number>): ReadonlySet<number> {
  let known: ReadonlySet<number> | undefined;
  const has = (token: number) => {
    known ??= compute();
    return known.has(token);
  };
  return { has } as ReadonlySet<number>;
}

export function define(rule: Rule, ...parts: readonly Part[]): void {
  const steps: Step[] = [];
  rule.start.epsilon.push(sequence(...parts)(rule.end, steps));
  rule.steps = steps;
}
