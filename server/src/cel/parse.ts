import {
  type Call,
  type Entry,
  type Expr,
  eachChild,
  type FieldInit,
  newCall,
  newError,
  newIdent,
  newList,
  newLiteral,
  newMap,
  newSelect,
  newStruct,
} from './ast.ts';
import { lex, T, type Tokens } from './lex.ts';
import { maxDepth, maxNodes } from './limits.ts';
import { readLiteral } from './literal.ts';
import { type Expansion, isMacroError } from './macros.ts';
import type { CelProblem } from './source.ts';
import { findMacro, operatorNames, reservedWords, type Syntax } from './syntax.ts';

export interface Parsed {
  readonly expr: Expr;
  /** One more than the largest node number. */
  readonly size: number;
  /** What cel-go says of a text that its grammar accepts. */
  readonly problems: readonly CelProblem[];
  /** What the grammar does not accept, in our own words; cel-go's own text comes from `grammar/`. */
  readonly syntax: readonly CelProblem[];
  /** So large or deep that cel-go's limits may apply: only `grammar/` knows. */
  readonly suspect: boolean;
}

interface Parser extends Expansion {
  readonly text: string;
  readonly syntax: Syntax;
  readonly tokens: Tokens;
  /** The current token. */
  pos: number;
  kind: number;
  nesting: number;
  suspect: boolean;
  readonly problems: CelProblem[];
  readonly broken: CelProblem[];
}

/** Any text gives a tree; where the grammar has no place for something stands an error node. */
export function parse(text: string, syntax: Syntax): Parsed {
  const p = start(text, syntax);
  const expr = expression(p);
  if (p.kind !== T.end) unexpected(p);
  for (const error of p.tokens.errors)
    p.broken.push({ ...error, at: error.start, message: lexMessage(text, error.start) });
  // With fewer tokens no tree is too deep.
  const tall = p.next > maxNodes || (p.tokens.count > maxDepth && isTall(expr));
  return { expr, size: p.next, problems: p.problems, syntax: p.broken, suspect: p.suspect || tall };
}

function start(text: string, syntax: Syntax): Parser {
  const tokens = lex(text, syntax.quotedIdents !== 'unknown');
  return {
    text,
    syntax,
    tokens,
    pos: 0,
    kind: tokens.kinds[0]!,
    nesting: 0,
    suspect: false,
    problems: [],
    broken: [],
    next: 1,
    at: 0,
    start: 0,
    end: 0,
    accumulator: syntax.accumulator,
    guardsAccumulator: syntax.guardsAccumulator,
  };
}

function lexMessage(text: string, at: number): string {
  const char = text[at]!;
  if (char === '"' || char === "'") return 'this string does not end, or has an escape sequence that CEL does not know';
  if (char === '=') return 'CEL compares with ==';
  if (char === '&' || char === '|') return `CEL's operator is ${char}${char}`;
  return `${JSON.stringify(char)} has no meaning here`;
}

/** Whether a tree is so deep that a walk over it may meet cel-go's limits. */
function isTall(root: Expr): boolean {
  let level: Expr[] = [root];
  for (let depth = 0; depth < 100 && level.length > 0; depth++) {
    const below: Expr[] = [];
    for (const e of level) eachChild(e, (child) => below.push(child));
    level = below;
  }
  return level.length > 0;
}

// Tokens

function advance(p: Parser): void {
  p.pos++;
  p.kind = p.tokens.kinds[p.pos]!;
}

const startOf = (p: Parser) => p.tokens.starts[p.pos]!;
const endOf = (p: Parser) => p.tokens.ends[p.pos]!;
const previousEnd = (p: Parser) => (p.pos === 0 ? 0 : p.tokens.ends[p.pos - 1]!);
const kindAt = (p: Parser, pos: number) => (pos < p.tokens.count ? p.tokens.kinds[pos]! : T.end);
const textOf = (p: Parser, pos: number) => p.text.slice(p.tokens.starts[pos]!, p.tokens.ends[pos]!);

function at(p: Parser, kind: number): boolean {
  return p.kind === kind;
}

function accept(p: Parser, kind: number): boolean {
  if (p.kind !== kind) return false;
  advance(p);
  return true;
}

function expect(p: Parser, kind: number, what: string): void {
  if (p.kind === kind) advance(p);
  else broken(p, `${what} is missing here`);
}

function broken(p: Parser, message: string): void {
  if (p.broken.length < 100) p.broken.push({ at: startOf(p), start: startOf(p), end: endOf(p), message });
}

/** Says that the grammar has no place for the current token, and skips it so that reading goes on. */
function unexpected(p: Parser): void {
  while (p.kind !== T.end) {
    broken(p, `${JSON.stringify(textOf(p, p.pos))} is not expected here`);
    advance(p);
    if (p.kind !== T.end) expression(p);
  }
}

function refuse(p: Parser, at: number, message: string, end = at): Expr {
  p.problems.push({ at, message, start: at, end });
  return newError(p, at, at, end);
}

// Operators

function expression(p: Parser): Expr {
  if (p.nesting >= maxDepth || p.next > maxNodes) return tooDeep(p);
  p.nesting++;
  let result = logical(p, T.or);
  if (p.kind === T.question) result = conditional(p, result);
  p.nesting--;
  return result;
}

function tooDeep(p: Parser): Expr {
  p.suspect = true;
  const at = startOf(p);
  p.pos = p.tokens.count - 1;
  p.kind = T.end;
  return newError(p, at, at, p.text.length);
}

function conditional(p: Parser, condition: Expr): Expr {
  const at = startOf(p);
  advance(p);
  const yes = logical(p, T.or);
  expect(p, T.colon, 'the ":" of "? :"');
  const no = expression(p);
  return newCall(p, at, condition.start, no.end, '_?_:_', undefined, [condition, yes, no]);
}

/** `||` over `&&` over comparisons. A row of one operator becomes a balanced tree, as in cel-go. */
function logical(p: Parser, operator: typeof T.or | typeof T.and): Expr {
  const first = operator === T.or ? logical(p, T.and) : binary(p, 1);
  if (p.kind !== operator) return first;
  const terms = [first];
  const places: number[] = [];
  while (p.kind === operator) {
    places.push(startOf(p));
    advance(p);
    terms.push(operator === T.or ? logical(p, T.and) : binary(p, 1));
  }
  return balanced(p, operator === T.or ? '_||_' : '_&&_', terms, places, 0, places.length - 1);
}

function balanced(
  p: Parser,
  name: string,
  terms: readonly Expr[],
  places: readonly number[],
  lo: number,
  hi: number,
): Expr {
  const mid = (lo + hi + 1) >> 1;
  const left = mid === lo ? terms[mid]! : balanced(p, name, terms, places, lo, mid - 1);
  const right = mid === hi ? terms[mid + 1]! : balanced(p, name, terms, places, mid + 1, hi);
  return newCall(p, places[mid]!, left.start, right.end, name, undefined, [left, right]);
}

const precedence = new Uint8Array(40);
for (const kind of [T.less, T.lessEquals, T.greater, T.greaterEquals, T.equals, T.notEquals, T.in])
  precedence[kind] = 1;
for (const kind of [T.plus, T.minus]) precedence[kind] = 2;
for (const kind of [T.star, T.slash, T.percent]) precedence[kind] = 3;

/** Left-associative operators of at least a precedence. */
function binary(p: Parser, least: number): Expr {
  let left = unary(p);
  for (let chain = 0; ; chain++) {
    const level = precedence[p.kind]!;
    if (level === 0 || level < least) return left;
    if (chain > maxDepth) return tooDeep(p);
    const name = operatorNames[p.kind]!;
    const at = startOf(p);
    advance(p);
    const right = binary(p, level + 1);
    left = newCall(p, at, left.start, right.end, name, undefined, [left, right]);
  }
}

/** A row of `!` or of `-`; a minus straight before a number belongs to the number. */
function unary(p: Parser): Expr {
  if (p.kind !== T.not && p.kind !== T.minus) return member(p);
  const operator = p.kind;
  if (operator === T.minus && isNumber(kindAt(p, p.pos + 1))) return member(p);
  const at = startOf(p);
  let count = 0;
  while (p.kind === operator) {
    count++;
    advance(p);
  }
  const operand = member(p);
  if (count % 2 === 0) return operand;
  return newCall(p, at, at, operand.end, operator === T.not ? '!_' : '-_', undefined, [operand]);
}

const isNumber = (kind: number) => kind === T.int || kind === T.float;

// Members

function member(p: Parser): Expr {
  let left = primary(p);
  for (let chain = 0; ; chain++) {
    if (chain > maxDepth) return tooDeep(p);
    if (p.kind === T.dot) left = selection(p, left);
    else if (p.kind === T.leftBracket) left = index(p, left);
    else return left;
  }
}

function selection(p: Parser, operand: Expr): Expr {
  const dot = startOf(p);
  advance(p);
  const optional = accept(p, T.question);
  if (p.kind !== T.ident && p.kind !== T.quotedIdent) return missingField(p, dot, operand);
  const named = p.pos;
  const nameStart = startOf(p);
  const nameEnd = endOf(p);
  const field = fieldName(p, named);
  advance(p);
  if (!optional && at(p, T.leftParen) && kindAt(p, named) === T.ident) return memberCall(p, operand, field);
  if (!optional) return newSelect(p, dot, nameEnd, operand, field, nameStart);
  if (!p.syntax.optionals) return refuse(p, dot, "unsupported syntax '.?'", dot + 1);
  const name = newLiteral(p, nameStart, nameStart, nameEnd, { of: 'string', value: field });
  return newCall(p, dot, operand.start, nameEnd, '_?._', undefined, [operand, name]);
}

/** `self.` with nothing behind it: the selection of an empty name, so that completion knows what it is asked of. */
function missingField(p: Parser, at: number, operand: Expr): Expr {
  broken(p, "a field's name is missing here");
  const reserved = p.kind === T.in || p.kind === T.true || p.kind === T.false || p.kind === T.null;
  const field = reserved ? textOf(p, p.pos) : '';
  const nameStart = reserved ? startOf(p) : previousEnd(p);
  if (reserved) advance(p);
  return newSelect(p, at, reserved ? previousEnd(p) : nameStart, operand, field, nameStart);
}

/** A name, out of its backquotes. */
function fieldName(p: Parser, pos: number, place = p.tokens.starts[pos]!): string {
  if (kindAt(p, pos) !== T.quotedIdent) return textOf(p, pos);
  if (p.syntax.quotedIdents === 'read') return textOf(p, pos).slice(1, -1);
  p.problems.push({ at: place, message: "unsupported syntax: '`'" });
  return '';
}

function memberCall(p: Parser, target: Expr, name: string): Expr {
  const at = startOf(p);
  advance(p);
  const args = callArguments(p);
  return callOrMacro(p, at, target.start, name, target, args);
}

function callArguments(p: Parser): Expr[] {
  const args: Expr[] = [];
  if (p.kind !== T.rightParen) {
    do args.push(expression(p));
    while (accept(p, T.comma));
  }
  expect(p, T.rightParen, '")"');
  return args;
}

function callOrMacro(p: Parser, at: number, from: number, name: string, target: Expr | undefined, args: Expr[]): Expr {
  const end = previousEnd(p);
  const macro = findMacro(p.syntax, name, target !== undefined, args.length);
  if (!macro) return newCall(p, at, from, end, name, target, args);
  p.at = at;
  p.start = from;
  p.end = end;
  const result = macro.expand(p, target, args);
  if (!result) return newCall(p, at, from, end, name, target, args);
  if (isMacroError(result)) return refuseMacro(p, result, newCall(p, at, from, end, name, target, args));
  result.macro = { name, target, args, at };
  return result;
}

/** A macro with bad arguments stays a call in the tree, so that its parts are still there for an editor. */
function refuseMacro(p: Parser, error: CelProblem, call: Call): Expr {
  p.problems.push(error);
  call.refusedAt = error.at;
  return call;
}

function index(p: Parser, operand: Expr): Expr {
  const at = startOf(p);
  advance(p);
  const optional = accept(p, T.question);
  const place = expression(p);
  expect(p, T.rightBracket, '"]"');
  const end = previousEnd(p);
  if (optional && !p.syntax.optionals) return refuse(p, at, "unsupported syntax '[?'", at + 1);
  return newCall(p, at, operand.start, end, optional ? '_[?_]' : '_[_]', undefined, [operand, place]);
}

// Primaries

function primary(p: Parser): Expr {
  switch (p.kind) {
    case T.ident:
      return name(p, startOf(p), '');
    case T.dot:
      return leadingDot(p);
    case T.leftParen:
      return nested(p);
    case T.leftBracket:
      return list(p);
    case T.leftBrace:
      return map(p);
    case T.minus:
      return signedNumber(p);
    default:
      return literal(p);
  }
}

function nested(p: Parser): Expr {
  const from = startOf(p);
  advance(p);
  const inner = expression(p);
  expect(p, T.rightParen, '")"');
  if (inner.start > from) {
    inner.start = from;
    inner.end = previousEnd(p);
  }
  return inner;
}

function leadingDot(p: Parser): Expr {
  const at = startOf(p);
  advance(p);
  if (p.kind === T.ident) return name(p, at, '.');
  broken(p, 'a name is missing after "."');
  return newError(p, at, at, previousEnd(p));
}

function name(p: Parser, from: number, dot: '' | '.'): Expr {
  const message = messageNameEnd(p);
  if (message > p.pos) return struct(p, from, dot, message);
  const nameStart = startOf(p);
  const text = textOf(p, p.pos);
  advance(p);
  const called = p.kind === T.leftParen;
  if (reservedWords.has(text)) return reservedName(p, from, text, called);
  if (!called) return newIdent(p, nameStart, from, previousEnd(p), dot + text);
  const at = startOf(p);
  advance(p);
  return callOrMacro(p, at, from, dot + text, undefined, callArguments(p));
}

function reservedName(p: Parser, from: number, text: string, called: boolean): Expr {
  const end = previousEnd(p);
  if (called) {
    // cel-go does not look at the arguments of such a call.
    const before = p.problems.length;
    advance(p);
    callArguments(p);
    p.problems.length = before;
  }
  return refuse(p, from, `reserved identifier: ${text}`, end);
}

/** Where `a.b.c {` starts here, the place of the brace; else −1. */
function messageNameEnd(p: Parser): number {
  let at = p.pos + 1;
  if (kindAt(p, at) !== T.dot && kindAt(p, at) !== T.leftBrace) return -1;
  while (kindAt(p, at) === T.dot && kindAt(p, at + 1) === T.ident) at += 2;
  return kindAt(p, at) === T.leftBrace ? at : -1;
}

function struct(p: Parser, from: number, dot: string, brace: number): Expr {
  let typeName = dot;
  for (let at = p.pos; at < brace; at++) typeName += textOf(p, at);
  p.pos = brace;
  p.kind = T.leftBrace;
  const at = startOf(p);
  advance(p);
  const fields: FieldInit[] = [];
  const first = startOf(p);
  while (p.kind === T.ident || p.kind === T.quotedIdent || p.kind === T.question) {
    const field = fieldInit(p, first);
    if (field) fields.push(field);
    if (!accept(p, T.comma)) break;
  }
  if (fields.length === 0) accept(p, T.comma);
  expect(p, T.rightBrace, '"}"');
  return newStruct(p, at, from, previousEnd(p), typeName, fields);
}

/** `first` is where the list starts: cel-go reports quoted names there. */
function fieldInit(p: Parser, first: number): FieldInit | undefined {
  const from = startOf(p);
  const optional = accept(p, T.question);
  const refused = optional && !p.syntax.optionals;
  if (refused) p.problems.push({ at: from, message: "unsupported syntax '?'" });
  const quoted = p.kind === T.quotedIdent && p.syntax.quotedIdents === 'refused';
  const field = p.kind === T.ident || p.kind === T.quotedIdent ? fieldName(p, p.pos, first) : '';
  if (field !== '' || quoted) advance(p);
  else broken(p, "a field's name is missing here");
  const kept = p.problems.length;
  const at = startOf(p);
  expect(p, T.colon, '":"');
  const value = expression(p);
  if (refused || quoted) {
    // cel-go does not look at the value of such a field.
    p.problems.length = kept;
    return undefined;
  }
  return { id: p.next++, at, name: field, value, optional };
}

function list(p: Parser): Expr {
  const at = startOf(p);
  advance(p);
  const elements: Expr[] = [];
  const optionals: number[] = [];
  while (p.kind !== T.rightBracket && p.kind !== T.end && p.kind !== T.comma) {
    const mark = startOf(p);
    const optional = accept(p, T.question);
    elements.push(expression(p));
    if (optional && !p.syntax.optionals) p.problems.push({ at: mark, message: "unsupported syntax '?'" });
    else if (optional) optionals.push(elements.length - 1);
    if (!accept(p, T.comma)) break;
  }
  if (elements.length === 0) accept(p, T.comma);
  expect(p, T.rightBracket, '"]"');
  return newList(p, at, previousEnd(p), elements, optionals);
}

function map(p: Parser): Expr {
  const from = startOf(p);
  advance(p);
  const entries: Entry[] = [];
  while (p.kind !== T.rightBrace && p.kind !== T.end && p.kind !== T.comma) {
    const entry = mapEntry(p);
    if (entry) entries.push(entry);
    if (!accept(p, T.comma)) break;
  }
  if (entries.length === 0) accept(p, T.comma);
  expect(p, T.rightBrace, '"}"');
  return newMap(p, from, previousEnd(p), entries);
}

function mapEntry(p: Parser): Entry | undefined {
  const from = startOf(p);
  const optional = accept(p, T.question);
  const refused = optional && !p.syntax.optionals;
  if (refused) p.problems.push({ at: from, message: "unsupported syntax '?'" });
  const kept = p.problems.length;
  const key = expression(p);
  const at = startOf(p);
  expect(p, T.colon, '":"');
  const value = expression(p);
  if (refused) {
    // Nor at the key and value of such an entry.
    p.problems.length = kept;
    return undefined;
  }
  return { id: p.next++, at, key, value, optional };
}

// Literals

function literal(p: Parser): Expr {
  const from = startOf(p);
  const end = endOf(p);
  const value = readLiteral(p.kind, textOf(p, p.pos), false, p.syntax.lenientEscapes);
  if (value === undefined) return missingOperand(p);
  advance(p);
  if ('error' in value) return refuse(p, from, value.error, end);
  return newLiteral(p, from, from, end, value);
}

function missingOperand(p: Parser): Expr {
  if (p.kind === T.end) broken(p, 'the expression ends too early');
  else broken(p, `${JSON.stringify(textOf(p, p.pos))} is not expected here: a value is`);
  const at = p.kind === T.end ? previousEnd(p) : startOf(p);
  return newError(p, at, at, at);
}

function signedNumber(p: Parser): Expr {
  const from = startOf(p);
  if (!isNumber(kindAt(p, p.pos + 1))) return missingOperand(p);
  advance(p);
  const end = endOf(p);
  const value = readLiteral(p.kind, textOf(p, p.pos), true, p.syntax.lenientEscapes)!;
  advance(p);
  if ('error' in value) return refuse(p, from, value.error, end);
  return newLiteral(p, from, from, end, value);
}
