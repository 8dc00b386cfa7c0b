import type { LiteralValue } from './literal.ts';
import type { Overload } from './overload.ts';
import { type CelType, dynType } from './types.ts';

/**
 * The tree of an expression. Offsets are UTF-16 offsets into the text: `start` and `end` span what the node was made
 * from, `at` is the place that cel-go reports errors at. Nodes that a macro made carry the macro's places. The checker
 * fills in `type`, `overloads` and what a name turned out to be.
 */
export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | StructExpr | Comprehension | ErrorExpr;

interface Base {
  readonly id: number;
  readonly at: number;
  start: number;
  end: number;
  type: CelType;
  /** The macro call that this node was expanded from. */
  macro: MacroCall | undefined;
  /** The node that a macro repeats here. */
  readonly copyOf?: Expr;
}

export interface Literal extends Base {
  readonly kind: 'literal';
  readonly literal: LiteralValue;
}

/** A name; with a leading dot where the text had one. */
export interface Ident extends Base {
  readonly kind: 'ident';
  name: string;
}

/** `operand.field`, or with `testOnly` what has() asks. */
export interface Select extends Base {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  readonly testOnly: boolean;
  /** Where the field's name stands. */
  readonly fieldStart: number;
  /** Set by the checker where the whole chain is one qualified name. */
  qualified: string | undefined;
}

/** Every operator and function call; operators have cel-go's names such as `_+_`. */
export interface Call extends Base {
  readonly kind: 'call';
  /** The checker writes the full name here where the target was a namespace. */
  name: string;
  target: Expr | undefined;
  readonly args: readonly Expr[];
  /** What stood before the name when that was a namespace (`optional` in `optional.of(x)`). */
  namespace: Expr | undefined;
  overloads: readonly Overload[];
  /** Where a macro was refused of which this call is left. */
  refusedAt?: number;
}

export interface ListExpr extends Base {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** The places of `?` elements. */
  readonly optionals: readonly number[];
}

export interface Entry {
  readonly id: number;
  readonly at: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr extends Base {
  readonly kind: 'map';
  readonly entries: readonly Entry[];
}

export interface FieldInit {
  readonly id: number;
  readonly at: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface StructExpr extends Base {
  readonly kind: 'struct';
  typeName: string;
  readonly fields: readonly FieldInit[];
}

export interface Comprehension extends Base {
  readonly kind: 'comprehension';
  readonly range: Expr;
  readonly iterVar: string;
  /** '' in comprehensions over one variable. */
  readonly iterVar2: string;
  readonly accuVar: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** Stands where nothing could be made of the text. */
export interface ErrorExpr extends Base {
  readonly kind: 'error';
}

/** A macro call as it was written. */
export interface MacroCall {
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
  readonly at: number;
}

/** Makes nodes and numbers them. */
export interface Factory {
  next: number;
}

const unchecked = dynType;
const noOverloads: readonly Overload[] = [];

export function newLiteral(f: Factory, at: number, start: number, end: number, literal: LiteralValue): Literal {
  return { kind: 'literal', id: f.next++, at, start, end, type: unchecked, macro: undefined, literal };
}

export function newIdent(f: Factory, at: number, start: number, end: number, name: string): Ident {
  return { kind: 'ident', id: f.next++, at, start, end, type: unchecked, macro: undefined, name };
}

export function newError(f: Factory, at: number, start: number, end: number): ErrorExpr {
  return { kind: 'error', id: f.next++, at, start, end, type: unchecked, macro: undefined };
}

export function newSelect(
  f: Factory,
  at: number,
  end: number,
  operand: Expr,
  field: string,
  fieldStart: number,
  testOnly = false,
): Select {
  // Written out: this is the most frequent node, and spreading objects is slow.
  return {
    kind: 'select',
    id: f.next++,
    at,
    start: operand.start,
    end,
    type: unchecked,
    macro: undefined,
    operand,
    field,
    testOnly,
    fieldStart,
    qualified: undefined,
  };
}

export function newCall(
  f: Factory,
  at: number,
  start: number,
  end: number,
  name: string,
  target: Expr | undefined,
  args: readonly Expr[],
): Call {
  return {
    kind: 'call',
    id: f.next++,
    at,
    start,
    end,
    type: unchecked,
    macro: undefined,
    name,
    target,
    args,
    namespace: undefined,
    overloads: noOverloads,
  };
}

export function newList(
  f: Factory,
  at: number,
  end: number,
  elements: readonly Expr[],
  optionals: readonly number[],
): ListExpr {
  return { kind: 'list', id: f.next++, at, start: at, end, type: unchecked, macro: undefined, elements, optionals };
}

export function newMap(f: Factory, at: number, end: number, entries: readonly Entry[]): MapExpr {
  return { kind: 'map', id: f.next++, at, start: at, end, type: unchecked, macro: undefined, entries };
}

export function newStruct(
  f: Factory,
  at: number,
  start: number,
  end: number,
  typeName: string,
  fields: readonly FieldInit[],
): StructExpr {
  return { kind: 'struct', id: f.next++, at, start, end, type: unchecked, macro: undefined, typeName, fields };
}

/** Calls back for each part of a node, in the order that cel-go visits them. */
export function eachChild(e: Expr, visit: (child: Expr) => void): void {
  switch (e.kind) {
    case 'literal':
    case 'ident':
    case 'error':
      return;
    case 'select':
      visit(e.operand);
      return;
    case 'call':
      if (e.target) visit(e.target);
      for (const arg of e.args) visit(arg);
      return;
    case 'list':
      for (const element of e.elements) visit(element);
      return;
    case 'map':
      for (const entry of e.entries) {
        visit(entry.key);
        visit(entry.value);
      }
      return;
    case 'struct':
      for (const field of e.fields) visit(field.value);
      return;
    case 'comprehension':
      visit(e.range);
      visit(e.init);
      visit(e.condition);
      visit(e.step);
      visit(e.result);
  }
}

/** The parts of a node in the order that cel-go visits them. */
export function childrenOf(e: Expr): readonly Expr[] {
  const children: Expr[] = [];
  eachChild(e, (child) => children.push(child));
  return children;
}

/** The parts that somebody has written: those of a macro are what it is called on and its arguments. */
export function writtenParts(e: Expr): readonly Expr[] {
  const { macro } = e;
  if (!macro) return childrenOf(e);
  return [...(macro.target ? [macro.target] : []), ...writtenArgs(macro)];
}

/** The arguments of a macro that are evaluated. */
export function writtenArgs({ name, args }: MacroCall): readonly Expr[] {
  // What has() is asked is a field that may not be there; the first argument of a loop is its variable.
  return name === 'has' ? [] : args.filter((arg) => arg.kind !== 'ident');
}
