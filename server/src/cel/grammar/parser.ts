import { lex, T } from '../lex.ts';
import { maxDepth } from '../limits.ts';
import type { CelProblem } from '../source.ts';
import { nextTokens, type Rule, ruleEnd, type State } from './atn.ts';
import { buildGrammar, type Grammar } from './rules.ts';

/** A token of the text, or one that recovery made up: that one has no text of its own. */
export interface Token {
  readonly kind: number;
  readonly start: number;
  readonly end: number;
  readonly missing: boolean;
}

/** What a rule matched; `alternative` names which form it took, '' where none was chosen. */
export interface Context {
  readonly rule: string;
  alternative: string;
  readonly start: Token;
  readonly fields: Map<string, (Context | Token)[]>;
}

export interface Recovered {
  /** Undefined where a limit ended everything. */
  readonly tree: Context | undefined;
  readonly problems: readonly CelProblem[];
}

/** One call of a rule that is not over yet. */
interface Frame {
  readonly call: State | undefined;
  readonly outer: Frame | undefined;
}

interface Parser {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly lexErrors: readonly { readonly start: number; readonly end: number }[];
  readonly problems: CelProblem[];
  /** How many of the errors between tokens are reported: they are found as tokens are looked at. */
  lexed: number;
  reported: number;
  pos: number;
  state: State;
  frame: Frame;
  /** The start of a generated parser's error handling: the state of ANTLR's default strategy. */
  recovering: boolean;
  lastErrorPos: number;
  lastErrorStates: Set<State>;
  attempts: number;
  error: Failure | undefined;
  readonly depths: Map<string, number>;
}

/** The exception that a generated parser would have set. */
type Failure =
  | { readonly kind: 'mismatch'; readonly at: Token; readonly expected: ReadonlySet<number> }
  | { readonly kind: 'noViable'; readonly from: Token; readonly at: Token };

const maxAttempts = 30;
const maxLookahead = 256;
const maxReports = 100;

/** Thrown where cel-go's limits end parsing; never leaves this file. */
class Limit extends Error {}

const grammars = new Map<boolean, Grammar>();

function grammar(quotedIdents: boolean): Grammar {
  let found = grammars.get(quotedIdents);
  if (!found) {
    found = buildGrammar(quotedIdents);
    grammars.set(quotedIdents, found);
  }
  return found;
}

/** Parses with ANTLR's error recovery. */
export function parseRecovering(text: string, quotedIdents: boolean): Recovered {
  const p = start(text, quotedIdents);
  try {
    return { tree: run(p, grammar(quotedIdents).start, 0), problems: p.problems };
  } catch (limit) {
    if (limit instanceof Limit) return { tree: undefined, problems: p.problems };
    throw limit;
  }
}

function start(text: string, quotedIdents: boolean): Parser {
  const { kinds, starts, ends, count, errors } = lex(text, quotedIdents);
  const tokens: Token[] = [];
  for (let i = 0; i < count; i++) {
    tokens.push({ kind: kinds[i]!, start: starts[i]!, end: ends[i]!, missing: false });
  }
  return {
    text,
    tokens,
    lexErrors: errors,
    problems: [],
    lexed: 0,
    reported: 0,
    pos: 0,
    state: grammar(quotedIdents).start.start,
    frame: { call: undefined, outer: undefined },
    recovering: false,
    lastErrorPos: -1,
    lastErrorStates: new Set(),
    attempts: 0,
    error: undefined,
    depths: new Map(),
  };
}

// Tokens

/** The token so far ahead; errors between tokens show as they are passed. */
function ahead(p: Parser, distance: number): Token {
  const index = Math.min(p.pos + distance - 1, p.tokens.length - 1);
  const found = p.tokens[index]!;
  while (p.lexed < p.lexErrors.length && p.lexErrors[p.lexed]!.start < found.start) lexProblem(p);
  if (found.kind === T.end) while (p.lexed < p.lexErrors.length) lexProblem(p);
  return found;
}

function lexProblem(p: Parser): void {
  const { start, end } = p.lexErrors[p.lexed]!;
  p.lexed++;
  notify(p, start, `token recognition error at: '${p.text.slice(start, end)}'`);
}

const reservedName = /no viable alternative at input '.(true|false|null)'/;

function notify(p: Parser, at: number, message: string): void {
  if (p.reported >= maxReports) {
    p.problems.push({ at, message: `Syntax error: More than ${maxReports} syntax errors` });
    throw new Limit();
  }
  p.reported++;
  const text = message.replace(reservedName, "mismatched input '$1' expecting IDENTIFIER");
  p.problems.push({ at, message: `Syntax error: ${text}` });
}

const internal = (p: Parser, message: string): never => {
  p.problems.push({ at: -1, message });
  throw new Limit();
};

function consume(p: Parser): Token {
  const token = ahead(p, 1);
  if (token.kind !== T.end) p.pos++;
  ahead(p, 1);
  return token;
}

// Rules

function enter(p: Parser, rule: string): void {
  const depth = (p.depths.get(rule) ?? 0) + 1;
  p.depths.set(rule, depth);
  if (depth > maxDepth) internal(p, `expression recursion limit exceeded: ${maxDepth}`);
}

/** A rule that is not over yet: where it is, and where its result goes in the rule that called it. */
interface Activation {
  readonly rule: Rule;
  readonly precedence: number;
  readonly label: string;
  readonly state: State;
  context: Context;
  pc: number;
}

function activation(p: Parser, rule: Rule, precedence: number, label: string, state: State): Activation {
  const context: Context = { rule: rule.name, alternative: '', start: ahead(p, 1), fields: new Map() };
  enter(p, rule.name);
  return { rule, precedence, label, state, context, pc: 0 };
}

/** Rules call each other some thousand levels deep, which is more than JavaScript's own stack may hold. */
function run(p: Parser, rule: Rule, precedence: number): Context {
  const stack = [activation(p, rule, precedence, '', p.state)];
  for (;;) {
    const top = stack.at(-1)!;
    if (top.pc < top.rule.steps.length && p.error === undefined) {
      const called = advance(p, top);
      if (called) stack.push(called);
      continue;
    }
    finish(p, top.rule);
    stack.pop();
    const caller = stack.at(-1);
    if (!caller) return top.context;
    p.frame = p.frame.outer!;
    p.state = top.state;
    put(caller.context, top.label, top.context);
  }
}

function finish(p: Parser, rule: Rule): void {
  if (p.error) {
    report(p, p.error);
    recover(p);
    p.error = undefined;
  }
  p.depths.set(rule.name, p.depths.get(rule.name)! - 1);
}

/** Takes a rule's next step; gives the rule that it calls. */
function advance(p: Parser, at: Activation): Activation | undefined {
  const step = at.rule.steps[at.pc++]!;
  switch (step.op) {
    case 'match':
      p.state = step.state;
      put(at.context, step.label, match(p, step.token));
      break;
    case 'set':
      p.state = step.state;
      put(at.context, step.label, step.tokens.has(ahead(p, 1).kind) ? matched(p) : recoverInline(p));
      break;
    case 'call':
      p.state = step.state;
      p.frame = { call: step.state, outer: p.frame };
      return activation(p, step.rule, step.precedence, step.label, step.state);
    case 'sync':
      p.state = step.state;
      sync(p);
      break;
    case 'unless':
      if (!step.tokens.has(ahead(p, 1).kind)) at.pc = step.to;
      break;
    case 'choose': {
      const chosen = step.decide((distance) => ahead(p, distance).kind);
      if (chosen > 0) at.pc = step.to[chosen - 1]!;
      else p.error = { kind: 'noViable', from: ahead(p, 1), at: ahead(p, -chosen - 1) };
      break;
    }
    case 'operator': {
      const level = step.levels.get(ahead(p, 1).kind);
      if (level === undefined || level < at.precedence) at.pc = step.to;
      break;
    }
    case 'alternative':
      at.context.alternative = step.name;
      break;
    case 'leftRecursion': {
      const fields = new Map([['left', [at.context]]]);
      at.context = { rule: at.rule.name, alternative: '', start: at.context.start, fields };
      break;
    }
    case 'jump':
      at.pc = step.to;
  }
  return undefined;
}

function put(context: Context, label: string, value: Context | Token | undefined): void {
  if (label === '' || value === undefined) return;
  const list = label.endsWith('+');
  const name = list ? label.slice(0, -1) : label;
  const known = context.fields.get(name);
  if (list && known) known.push(value);
  else context.fields.set(name, [value]);
}

function match(p: Parser, kind: number): Token | undefined {
  return ahead(p, 1).kind === kind ? matched(p) : recoverInline(p);
}

function matched(p: Parser): Token {
  endError(p);
  return consume(p);
}

// ANTLR's default error strategy

function endError(p: Parser): void {
  p.recovering = false;
  p.lastErrorPos = -1;
  if (p.lastErrorStates.size > 0) p.lastErrorStates = new Set();
}

/** The tokens that may come next here, looking through the ends of rules. */
function expectedTokens(p: Parser): Set<number> {
  return followedBy(p, p.state);
}

function followedBy(p: Parser, state: State): Set<number> {
  const expected = new Set(nextTokens(state));
  let frame: Frame | undefined = p.frame;
  while (expected.has(ruleEnd) && frame?.call) {
    expected.delete(ruleEnd);
    for (const token of nextTokens(frame.call.target!)) expected.add(token);
    frame = frame.outer;
  }
  if (expected.delete(ruleEnd)) expected.add(T.end);
  return expected;
}

/** All that may follow any rule which is not over. */
function recoverySet(p: Parser): Set<number> {
  const found = new Set<number>();
  for (let frame: Frame | undefined = p.frame; frame?.call; frame = frame.outer) {
    for (const token of nextTokens(frame.call.target!)) found.add(token);
  }
  found.delete(ruleEnd);
  return found;
}

function sync(p: Parser): void {
  if (p.recovering) return;
  const next = nextTokens(p.state);
  if (next.has(ruleEnd) || next.has(ahead(p, 1).kind)) return;
  if (p.state.kind === 'blockStart') {
    if (deleteToken(p)) return;
    p.error = { kind: 'mismatch', at: ahead(p, 1), expected: expectedTokens(p) };
  } else if (p.state.kind === 'loopBack') {
    reportUnwanted(p);
    const until = expectedTokens(p);
    for (const token of recoverySet(p)) until.add(token);
    consumeUntil(p, until, { left: Number.POSITIVE_INFINITY });
  }
}

/** How many tokens a recovery may still skip. */
interface Budget {
  left: number;
}

function skip(p: Parser, budget: Budget): void {
  if (budget.left <= 0) internal(p, `error recovery token lookahead limit exceeded: ${maxLookahead}`);
  budget.left--;
  consume(p);
}

function consumeUntil(p: Parser, tokens: ReadonlySet<number>, budget: Budget): void {
  for (let kind = ahead(p, 1).kind; kind !== T.end && !tokens.has(kind); kind = ahead(p, 1).kind) skip(p, budget);
}

/** Leaves one token out where the one behind it fits. */
function deleteToken(p: Parser): boolean {
  if (!expectedTokens(p).has(ahead(p, 2).kind)) return false;
  reportUnwanted(p);
  consume(p);
  endError(p);
  return true;
}

function recoverInline(p: Parser): Token | undefined {
  attempt(p);
  if (deleteToken(p)) return consume(p);
  const next = p.state.target!;
  if (followedBy(p, next).has(ahead(p, 1).kind)) {
    reportMissing(p);
    return missingToken(p);
  }
  p.error = { kind: 'mismatch', at: ahead(p, 1), expected: expectedTokens(p) };
  return undefined;
}

function missingToken(p: Parser): Token {
  const current = ahead(p, 1);
  const place = current.kind === T.end && p.pos > 0 ? p.tokens[p.pos - 1]! : current;
  return { kind: Math.min(...expectedTokens(p)), start: place.start, end: place.start, missing: true };
}

function attempt(p: Parser): void {
  if (p.attempts === maxAttempts) {
    p.attempts++;
    notify(p, ahead(p, 1).start, `error recovery attempt limit exceeded: ${maxAttempts}`);
    throw new Limit();
  }
  p.attempts++;
}

function recover(p: Parser): void {
  attempt(p);
  const budget: Budget = { left: maxLookahead };
  if (p.lastErrorPos === p.pos && p.lastErrorStates.has(p.state)) {
    if (ahead(p, 1).kind !== T.end) skip(p, budget);
  }
  p.lastErrorPos = p.pos;
  p.lastErrorStates.add(p.state);
  consumeUntil(p, recoverySet(p), budget);
}

// Texts

const tokenNames: readonly string[] = [
  '<EOF>',
  ..."'==' '!=' 'in' '<' '<=' '>=' '>' '&&' '||' '[' ']' '{' '}' '(' ')' '.' ',' '-' '!' '?' ':' '+' '*' '/' '%'".split(
    ' ',
  ),
  ..."'true' 'false' 'null' NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER ESC_IDENTIFIER".split(' '),
];

function setText(tokens: ReadonlySet<number>): string {
  const names = [...tokens].sort((a, b) => a - b).map((kind) => tokenNames[kind]!);
  return names.length === 1 ? names[0]! : `{${names.join(', ')}}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}

function tokenText(p: Parser, token: Token): string {
  return quoted(token.kind === T.end ? '<EOF>' : p.text.slice(token.start, token.end));
}

/** The text from one token to another, with blanks and comments but without what was no token. */
function textBetween(p: Parser, from: Token, to: Token): string {
  const end = to.kind === T.end ? p.text.length : to.end;
  let text = '';
  let at = from.start;
  for (const error of p.lexErrors) {
    if (error.start < at || error.start >= end) continue;
    text += p.text.slice(at, error.start);
    at = error.end;
  }
  return text + p.text.slice(at, end);
}

function report(p: Parser, failure: Failure): void {
  if (p.recovering) return;
  p.recovering = true;
  if (failure.kind === 'mismatch') {
    notify(p, failure.at.start, `mismatched input ${tokenText(p, failure.at)} expecting ${setText(failure.expected)}`);
    return;
  }
  const input = failure.from.kind === T.end ? '<EOF>' : textBetween(p, failure.from, failure.at);
  notify(p, failure.at.start, `no viable alternative at input ${quoted(input)}`);
}

function reportUnwanted(p: Parser): void {
  if (p.recovering) return;
  p.recovering = true;
  const token = ahead(p, 1);
  notify(p, token.start, `extraneous input ${tokenText(p, token)} expecting ${setText(expectedTokens(p))}`);
}

function reportMissing(p: Parser): void {
  if (p.recovering) return;
  p.recovering = true;
  const token = ahead(p, 1);
  notify(p, token.start, `missing ${setText(expectedTokens(p))} at ${tokenText(p, token)}`);
}
