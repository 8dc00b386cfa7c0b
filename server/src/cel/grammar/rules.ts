import { T } from '../lex.ts';
import {
  act,
  alternatives,
  call,
  type Decide,
  define,
  type Look,
  loop,
  newRule,
  nextTokens,
  oneOf,
  operators,
  optional,
  type Part,
  type Rule,
  repeat,
  sequence,
  token,
} from './atn.ts';

/** The rules of CEL's grammar, as cel-go's parser has them. */
export interface Grammar {
  readonly start: Rule;
}

const none = (ahead: number) => -ahead - 1;

const isNumber = (kind: number) => kind === T.int || kind === T.float;

const unaryAlternative: Decide = (look) => {
  if (look(1) === T.not) return 2;
  if (look(1) !== T.minus) return 1;
  // A number with a sign is a literal as well as a negation; the first way to read it wins.
  if (isNumber(look(2))) return 1;
  return startsOperand(look(2)) ? 3 : none(2);
};

const operandStarts = new Set<number>([
  T.leftBracket,
  T.leftBrace,
  T.leftParen,
  T.dot,
  T.minus,
  T.true,
  T.false,
  T.null,
  T.float,
  T.int,
  T.uint,
  T.string,
  T.bytes,
  T.ident,
]);

const startsOperand = (kind: number) => operandStarts.has(kind);

/** The row of minus signs: another one, or the operand, which may start with one. */
const moreMinus: Decide = (look) => {
  if (look(1) !== T.minus) return startsOperand(look(1)) ? 2 : none(1);
  return startsOperand(look(2)) ? 1 : none(2);
};

/** `.name`, `.?name`, `.name(…)` and `[…]`. */
function memberAlternative(quoted: boolean): Decide {
  return (look) => {
    if (look(1) === T.leftBracket) return 3;
    if (look(2) === T.question || (quoted && look(2) === T.quotedIdent)) return 1;
    if (look(2) !== T.ident) return none(2);
    return look(3) === T.leftParen ? 2 : 1;
  };
}

const primaryAlternative: Decide = (look) => {
  switch (look(1)) {
    case T.leftParen:
      return 3;
    case T.leftBracket:
      return 4;
    case T.leftBrace:
      return 5;
    case T.ident:
      return nameAlternative(look, 1);
    case T.dot:
      return look(2) === T.ident ? nameAlternative(look, 2) : none(2);
    default:
      return 7;
  }
};

/** A name alone, a call, or `a.b.c {`. */
function nameAlternative(look: Look, at: number): number {
  if (look(at + 1) === T.leftParen) return 2;
  let next = at + 1;
  while (look(next) === T.dot && look(next + 1) === T.ident) next += 2;
  return look(next) === T.leftBrace ? 6 : 1;
}

const literalAlternative: Decide = (look) => {
  const signedKind = look(1) === T.minus ? look(2) : look(1);
  if (signedKind === T.int) return 1;
  if (signedKind === T.float) return 3;
  if (look(1) === T.minus) return none(2);
  return { [T.uint]: 2, [T.string]: 4, [T.bytes]: 5, [T.true]: 6, [T.false]: 7, [T.null]: 8 }[look(1)] ?? none(1);
};

/** Whether a comma is followed by another item, or is the one that may end the list. */
function moreItems(rule: () => Rule): Decide {
  return (look) => (look(1) === T.comma && nextTokens(rule().start).has(look(2)) ? 1 : 2);
}

export function buildGrammar(quotedIdents: boolean): Grammar {
  const rules = Object.fromEntries(ruleNames.map((name) => [name, newRule(name)])) as Record<RuleName, Rule>;
  defineOperators(rules);
  defineMember(rules, quotedIdents);
  definePrimary(rules);
  defineLists(rules, quotedIdents);
  defineLiteral(rules);
  return { start: rules.start };
}

const ruleNames = [
  'start',
  'expr',
  'conditionalOr',
  'conditionalAnd',
  'relation',
  'calc',
  'unary',
  'member',
  'primary',
  'exprList',
  'listInit',
  'fieldInitializerList',
  'optField',
  'mapInitializerList',
  'escapeIdent',
  'optExpr',
  'literal',
] as const;

type RuleName = (typeof ruleNames)[number];
type Rules = Readonly<Record<RuleName, Rule>>;

const relations = [T.less, T.lessEquals, T.greaterEquals, T.greater, T.equals, T.notEquals, T.in];
const products = [T.star, T.slash, T.percent];
const sums = [T.plus, T.minus];
const level = (tokens: readonly number[], value: number) => tokens.map((kind) => [kind, value] as const);
const recursion = act({ op: 'leftRecursion' });

function chained(operator: number, rule: Rule): readonly Part[] {
  return [call(rule, 'e'), loop(sequence(token(operator, 'ops+'), call(rule, 'e1+')))];
}

function defineOperators(r: Rules): void {
  define(r.start, call(r.expr, 'e'), token(T.end));
  const branches = [token(T.question, 'op'), call(r.conditionalOr, 'e1'), token(T.colon), call(r.expr, 'e2')];
  define(r.expr, call(r.conditionalOr, 'e'), optional(sequence(...branches)));
  define(r.conditionalOr, ...chained(T.or, r.conditionalAnd));
  define(r.conditionalAnd, ...chained(T.and, r.relation));
  define(
    r.relation,
    call(r.calc, 'operand'),
    operators(new Map(level(relations, 1)), sequence(recursion, oneOf(relations, 'op'), call(r.relation, 'right', 2))),
  );
  const calcAlternative: Decide = (look) => (products.some((kind) => kind === look(1)) ? 1 : 2);
  define(
    r.calc,
    call(r.unary, 'operand'),
    operators(
      new Map([...level(products, 2), ...level(sums, 1)]),
      alternatives(calcAlternative, [
        ['', sequence(recursion, oneOf(products, 'op'), call(r.calc, 'right', 3))],
        ['', sequence(recursion, oneOf(sums, 'op'), call(r.calc, 'right', 2))],
      ]),
    ),
  );
  define(
    r.unary,
    alternatives(unaryAlternative, [
      ['memberExpr', call(r.member, 'member')],
      ['not', sequence(repeat(token(T.not, 'ops+')), call(r.member, 'member'))],
      ['negate', sequence(repeat(token(T.minus, 'ops+'), moreMinus), call(r.member, 'member'))],
    ]),
  );
}

const named = (name: string, ...parts: readonly Part[]) =>
  [name, sequence(recursion, act({ op: 'alternative', name }), ...parts)] as const;

function defineMember(r: Rules, quotedIdents: boolean): void {
  const field = quotedIdents ? call(r.escapeIdent, 'id') : token(T.ident, 'id');
  define(
    r.member,
    act({ op: 'alternative', name: 'primaryExpr' }),
    call(r.primary, 'primary'),
    operators(
      new Map([...level([T.dot], 3), ...level([T.leftBracket], 1)]),
      alternatives(
        memberAlternative(quotedIdents),
        [
          named('select', token(T.dot, 'op'), optional(token(T.question, 'opt')), field),
          named(
            'memberCall',
            token(T.dot, 'op'),
            token(T.ident, 'id'),
            token(T.leftParen, 'open'),
            optional(call(r.exprList, 'args')),
            token(T.rightParen),
          ),
          named(
            'index',
            token(T.leftBracket, 'op'),
            optional(token(T.question, 'opt')),
            call(r.expr, 'index'),
            token(T.rightBracket),
          ),
        ].map(([, part]) => ['', part] as const),
      ),
    ),
  );
  define(
    r.escapeIdent,
    alternatives(
      (look) => (look(1) === T.ident ? 1 : look(1) === T.quotedIdent ? 2 : none(1)),
      [
        ['simple', token(T.ident, 'id')],
        ['escaped', token(T.quotedIdent, 'id')],
      ],
    ),
  );
}

function definePrimary(r: Rules): void {
  const leadingDot = optional(token(T.dot, 'leadingDot'));
  const trailingComma = optional(token(T.comma));
  const args = [optional(call(r.exprList, 'args')), token(T.rightParen)];
  const typeName = [token(T.ident, 'ids+'), loop(sequence(token(T.dot), token(T.ident, 'ids+')))];
  const bracketed = (open: number, entries: Rule, close: number) =>
    sequence(token(open, 'op'), optional(call(entries, 'entries')), trailingComma, token(close));
  define(
    r.primary,
    alternatives(primaryAlternative, [
      ['ident', sequence(leadingDot, token(T.ident, 'id'))],
      ['globalCall', sequence(leadingDot, token(T.ident, 'id'), token(T.leftParen, 'op'), ...args)],
      ['nested', sequence(token(T.leftParen), call(r.expr, 'e'), token(T.rightParen))],
      ['list', bracketed(T.leftBracket, r.listInit, T.rightBracket)],
      ['map', bracketed(T.leftBrace, r.mapInitializerList, T.rightBrace)],
      ['message', sequence(leadingDot, ...typeName, bracketed(T.leftBrace, r.fieldInitializerList, T.rightBrace))],
      ['constant', call(r.literal, 'literal')],
    ]),
  );
}

function defineLists(r: Rules, quotedIdents: boolean): void {
  define(r.exprList, call(r.expr, 'e+'), loop(sequence(token(T.comma), call(r.expr, 'e+'))));
  define(
    r.listInit,
    call(r.optExpr, 'elems+'),
    loop(
      sequence(token(T.comma), call(r.optExpr, 'elems+')),
      moreItems(() => r.optExpr),
    ),
  );
  const pair = (key: Rule, label: string) =>
    sequence(call(key, label), token(T.colon, 'cols+'), call(r.expr, 'values+'));
  define(
    r.fieldInitializerList,
    pair(r.optField, 'keys+'),
    loop(
      sequence(token(T.comma), pair(r.optField, 'keys+')),
      moreItems(() => r.optField),
    ),
  );
  define(
    r.mapInitializerList,
    pair(r.optExpr, 'keys+'),
    loop(
      sequence(token(T.comma), pair(r.optExpr, 'keys+')),
      moreItems(() => r.optExpr),
    ),
  );
  const question = optional(token(T.question, 'opt'));
  define(r.optField, question, quotedIdents ? call(r.escapeIdent, 'id') : token(T.ident, 'id'));
  define(r.optExpr, question, call(r.expr, 'e'));
}

function defineLiteral(r: Rules): void {
  const sign = optional(token(T.minus, 'sign'));
  define(
    r.literal,
    alternatives(literalAlternative, [
      ['int', sequence(sign, token(T.int, 'tok'))],
      ['uint', token(T.uint, 'tok')],
      ['double', sequence(sign, token(T.float, 'tok'))],
      ['string', token(T.string, 'tok')],
      ['bytes', token(T.bytes, 'tok')],
      ['true', token(T.true, 'tok')],
      ['false', token(T.false, 'tok')],
      ['null', token(T.null, 'tok')],
    ]),
  );
}
