import {
  type Entry,
  type Expr,
  type FieldInit,
  newCall,
  newError,
  newIdent,
  newList,
  newLiteral,
  newMap,
  newSelect,
  newStruct,
} from '../ast.ts';
import { maxDepth, maxNodes } from '../limits.ts';
import { readLiteral } from '../literal.ts';
import { type Expansion, isMacroError } from '../macros.ts';
import { beforeStart, type CelProblem, nowhere } from '../source.ts';
import { findMacro, operatorNames, reservedWords, type Syntax } from '../syntax.ts';
import type { Context, Token } from './parser.ts';

/**
 * What cel-go says of a tree once it is parsed, with holes where the text did not fit the grammar: bad literals, names
 * and macros. A valid tree goes the same way when it is too large for the fast parser to vouch for.
 */
interface Visitor extends Expansion {
  readonly text: string;
  readonly syntax: Syntax;
  readonly problems: CelProblem[];
  depth: number;
}

/** Thrown where the tree is too deep; never leaves this file. */
class TooDeep extends Error {}

export function visitTree(tree: Context, text: string, syntax: Syntax): readonly CelProblem[] {
  const { accumulator, guardsAccumulator } = syntax;
  const place = { next: 1, at: 0, start: 0, end: 0 };
  const v: Visitor = { ...place, text, syntax, problems: [], depth: 0, accumulator, guardsAccumulator };
  try {
    visit(v, child(tree, 'e'));
  } catch (limit) {
    if (!(limit instanceof TooDeep)) throw limit;
    v.problems.push({ at: nowhere, message: 'max recursion depth exceeded' });
  }
  return v.problems;
}

// Fields

const isContext = (value: Context | Token): value is Context => 'rule' in value;

function child(context: Context, name: string): Context | undefined {
  const found = context.fields.get(name)?.[0];
  return found && isContext(found) ? found : undefined;
}

function token(context: Context, name: string): Token | undefined {
  const found = context.fields.get(name)?.[0];
  return found && !isContext(found) ? found : undefined;
}

function children(context: Context | undefined, name: string): Context[] {
  return (context?.fields.get(name) ?? []).filter(isContext);
}

function tokens(context: Context | undefined, name: string): Token[] {
  return (context?.fields.get(name) ?? []).filter((value): value is Token => !isContext(value));
}

function textOf(v: Visitor, found: Token): string {
  return found.missing ? '<missing undefined>' : v.text.slice(found.start, found.end);
}

/** Where an error stands whose node has no text. */
function hole(v: Visitor): Expr {
  return newError(v, beforeStart, 0, 0);
}

function errorAt(v: Visitor, at: number): Expr {
  return newError(v, at, at, at);
}

function refuse(v: Visitor, at: number, message: string): Expr {
  v.problems.push({ at, message });
  return errorAt(v, at);
}

// Rules

/** Down to the first rule that means something of its own. */
function unnest(context: Context | undefined): Context | undefined {
  let at = context;
  for (;;) {
    const below = at && nestedIn(at);
    if (below === undefined) return at;
    at = below === null ? undefined : below;
  }
}

/** The only part of a rule that adds nothing; undefined where it adds something, null where the part is missing. */
function nestedIn(context: Context): Context | null | undefined {
  const has = (name: string) => context.fields.has(name);
  switch (context.rule) {
    case 'expr':
      return has('op') ? undefined : (child(context, 'e') ?? null);
    case 'conditionalOr':
    case 'conditionalAnd':
      return has('ops') ? undefined : (child(context, 'e') ?? null);
    case 'relation':
    case 'calc':
      return context.fields.has('left') ? undefined : (child(context, 'operand') ?? null);
    case 'unary':
      return context.alternative === 'memberExpr' ? (child(context, 'member') ?? null) : undefined;
    case 'member':
      return context.alternative === 'primaryExpr' ? (child(context, 'primary') ?? null) : undefined;
    case 'primary':
      if (context.alternative === 'nested') return child(context, 'e') ?? null;
      return context.alternative === 'constant' ? (child(context, 'literal') ?? null) : undefined;
    default:
      return undefined;
  }
}

type Visit = (v: Visitor, context: Context) => Expr;

function visit(v: Visitor, context: Context | undefined): Expr {
  const found = unnest(context);
  if (!found) return hole(v);
  const rule = rules[found.rule] ?? rules[`${found.rule} ${found.alternative}`];
  return rule ? rule(v, found) : hole(v);
}

/** Counts how deep operators and selections are nested. */
function deep(rule: Visit): Visit {
  return (v, context) => {
    if (++v.depth > maxDepth || v.next > maxNodes) throw new TooDeep();
    const result = rule(v, context);
    v.depth--;
    return result;
  };
}

const call = (v: Visitor, at: number, name: string, ...args: Expr[]) => newCall(v, at, at, at, name, undefined, args);

const conditional: Visit = (v, context) => {
  const condition = visit(v, child(context, 'e'));
  const at = token(context, 'op')!.start;
  return call(v, at, '_?_:_', condition, visit(v, child(context, 'e1')), visit(v, child(context, 'e2')));
};

/** The shape of the tree does not matter to what is found here. */
function chain(name: string): Visit {
  return (v, context) => {
    let left = visit(v, child(context, 'e'));
    const rest = children(context, 'e1');
    for (const [i, operator] of tokens(context, 'ops').entries()) {
      if (i >= rest.length) {
        return refuse(v, context.start.start, `unexpected character, wanted '${name === '_||_' ? '||' : '&&'}'`);
      }
      left = call(v, operator.start, name, left, visit(v, rest[i]));
    }
    return left;
  };
}

const binary: Visit = (v, context) => {
  const operator = token(context, 'op');
  const name = operator && !operator.missing ? operatorNames[operator.kind] : undefined;
  if (!operator || name === undefined) return refuse(v, context.start.start, 'operator not found');
  const left = visit(v, child(context, 'left'));
  return call(v, operator.start, name, left, visit(v, child(context, 'right')));
};

function prefix(name: string): Visit {
  return (v, context) => {
    const operand = visit(v, child(context, 'member'));
    const operators = tokens(context, 'ops');
    return operators.length % 2 === 0 ? operand : call(v, operators[0]!.start, name, operand);
  };
}

/** A field's name out of its rule, or what cel-go says where there is none. */
function identifier(v: Visitor, context: Context | undefined): { readonly name: string } | { readonly error: string } {
  const found = context && token(context, 'id');
  if (!found || context.alternative === '') return { error: 'unsupported ident kind' };
  if (context.alternative === 'simple') return { name: textOf(v, found) };
  if (v.syntax.quotedIdents !== 'read') return { error: "unsupported syntax: '`'" };
  return { name: textOf(v, found).slice(1, -1) };
}

const select: Visit = (v, context) => {
  const operand = visit(v, child(context, 'left'));
  const operator = token(context, 'op');
  const [plain, rule] = [token(context, 'id'), child(context, 'id')];
  if (!operator || (!plain && !rule)) return errorAt(v, context.start.start);
  const read = plain ? { name: textOf(v, plain) } : identifier(v, rule);
  const at = plain?.start ?? rule!.start.start;
  if ('error' in read) refuse(v, at, read.error);
  const field = 'error' in read ? '' : read.name;
  if (!context.fields.has('opt')) return newSelect(v, operator.start, operator.end, operand, field, at);
  if (!v.syntax.optionals) return refuse(v, operator.start, "unsupported syntax '.?'");
  return call(v, operator.start, '_?._', operand, newLiteral(v, at, at, at, { of: 'string', value: field }));
};

function args(v: Visitor, context: Context): Expr[] {
  return children(child(context, 'args'), 'e').map((arg) => visit(v, arg));
}

function callOrMacro(v: Visitor, at: number, name: string, target: Expr | undefined, given: Expr[]): Expr {
  const macro = findMacro(v.syntax, name, target !== undefined, given.length);
  if (!macro) return newCall(v, at, at, at, name, target, given);
  v.at = at;
  const result = macro.expand(v, target, given);
  if (!result) return newCall(v, at, at, at, name, target, given);
  return isMacroError(result) ? refuse(v, result.at, result.message) : result;
}

const memberCall: Visit = (v, context) => {
  const target = visit(v, child(context, 'left'));
  const name = token(context, 'id');
  if (!name) return errorAt(v, context.start.start);
  const at = token(context, 'open')?.start ?? beforeStart;
  return callOrMacro(v, at, textOf(v, name), target, args(v, context));
};

const index: Visit = (v, context) => {
  const target = visit(v, child(context, 'left'));
  const operator = token(context, 'op');
  if (!operator) return errorAt(v, context.start.start);
  const place = visit(v, child(context, 'index'));
  const optional = context.fields.has('opt');
  if (optional && !v.syntax.optionals) return refuse(v, operator.start, "unsupported syntax '[?'");
  return call(v, operator.start, optional ? '_[?_]' : '_[_]', target, place);
};

const ident: Visit = (v, context) => {
  const name = token(context, 'id');
  if (!name) return errorAt(v, context.start.start);
  const text = textOf(v, name);
  if (reservedWords.has(text)) return refuse(v, context.start.start, `reserved identifier: ${text}`);
  return newIdent(v, name.start, name.start, name.end, context.fields.has('leadingDot') ? `.${text}` : text);
};

const globalCall: Visit = (v, context) => {
  const name = token(context, 'id');
  if (!name) return errorAt(v, context.start.start);
  const text = textOf(v, name);
  if (reservedWords.has(text)) return refuse(v, context.start.start, `reserved identifier: ${text}`);
  const at = token(context, 'op')?.start ?? beforeStart;
  return callOrMacro(v, at, context.fields.has('leadingDot') ? `.${text}` : text, undefined, args(v, context));
};

const list: Visit = (v, context) => {
  const elements: Expr[] = [];
  for (const item of children(child(context, 'entries'), 'elems')) {
    elements.push(visit(v, child(item, 'e')));
    const question = token(item, 'opt');
    if (question && !v.syntax.optionals) refuse(v, question.start, "unsupported syntax '?'");
  }
  return newList(v, token(context, 'op')!.start, 0, elements, []);
};

/** Keys or fields with their values, up to the first that lacks its colon or value. */
function pairs(context: Context, one: (key: Context, colon: Token, value: Context) => void): boolean {
  const entries = child(context, 'entries');
  const [keys, colons, values] = [children(entries, 'keys'), tokens(entries, 'cols'), children(entries, 'values')];
  const count = entries?.rule === 'mapInitializerList' ? colons.length : keys.length;
  for (let i = 0; i < count; i++) {
    const [key, colon, value] = [keys[i], colons[i], values[i]];
    if (!key || !colon || !value) return false;
    one(key, colon, value);
  }
  return true;
}

const map: Visit = (v, context) => {
  const entries: Entry[] = [];
  const complete = pairs(context, (key, colon, value) => {
    const question = token(key, 'opt');
    if (question && !v.syntax.optionals) {
      refuse(v, key.start.start, "unsupported syntax '?'");
      return;
    }
    const at = colon.start;
    const parts = { key: visit(v, child(key, 'e')), value: visit(v, value) };
    entries.push({ id: v.next++, at, ...parts, optional: question !== undefined });
  });
  return newMap(v, token(context, 'op')!.start, 0, complete ? entries : []);
};

const message: Visit = (v, context) => {
  const fields: FieldInit[] = [];
  const entries = child(context, 'entries');
  const complete = pairs(context, (key, colon, value) => {
    const question = token(key, 'opt');
    if (question && !v.syntax.optionals) {
      refuse(v, key.start.start, "unsupported syntax '?'");
      return;
    }
    const plain = token(key, 'id');
    const read = plain ? { name: textOf(v, plain) } : identifier(v, child(key, 'id'));
    if ('error' in read) refuse(v, entries!.start.start, read.error);
    else fields.push({ id: v.next++, at: colon.start, name: read.name, value: visit(v, value), optional: false });
  });
  const at = token(context, 'op')?.start ?? beforeStart;
  return newStruct(v, at, at, at, '', complete ? fields : []);
};

const literal: Visit = (v, context) => {
  const found = token(context, 'tok');
  const at = context.start.start;
  if (!found || found.missing) return hole(v);
  const read = literalError(v, found, context.fields.has('sign'));
  if (read !== undefined) return refuse(v, at, read);
  return newLiteral(v, at, at, at, { of: 'null', value: null });
};

/** What is wrong with a literal; what it is worth does not matter here. */
function literalError(v: Visitor, found: Token, negative: boolean): string | undefined {
  const read = readLiteral(found.kind, textOf(v, found), negative, v.syntax.lenientEscapes);
  return read && 'error' in read ? read.error : undefined;
}

const rules: Readonly<Record<string, Visit>> = {
  expr: deep(conditional),
  conditionalOr: chain('_||_'),
  conditionalAnd: chain('_&&_'),
  relation: deep(binary),
  calc: deep(binary),
  'unary ': (v, context) => errorAt(v, context.start.start),
  'unary not': prefix('!_'),
  'unary negate': prefix('-_'),
  'member select': deep(select),
  'member memberCall': deep(memberCall),
  'member index': deep(index),
  'primary ident': ident,
  'primary globalCall': globalCall,
  'primary list': list,
  'primary map': map,
  'primary message': message,
  ...Object.fromEntries(
    ['int', 'uint', 'double', 'string', 'bytes', 'true', 'false', 'null'].map((name) => [`literal ${name}`, literal]),
  ),
};
