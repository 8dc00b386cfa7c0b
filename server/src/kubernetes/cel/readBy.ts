import type { Path, Value } from '../../base/value.ts';
import { childrenOf, type Expr } from '../../cel/ast.ts';
import { unescapeName } from './escape.ts';

interface Reading {
  readonly fields: Map<string, Path>;
  readonly literals: Value[];
}

/** The fields of `self` and `oldSelf` that an expression reads, and the texts and whole numbers that it names. */
export function readBy(expr: Expr): { readonly fields: readonly Path[]; readonly literals: readonly Value[] } {
  const into: Reading = { fields: new Map(), literals: [] };
  const scope: Scope = new Map([
    ['self', []],
    ['oldSelf', []],
  ]);
  collect(expr, scope, into);
  return { fields: [...into.fields.values()], literals: into.literals };
}

type Scope = ReadonlyMap<string, Path>;

/** What an expression reads; a variable of a macro stands for the first item. */
function collect(expr: Expr, scope: Scope, into: Reading): void {
  const chain = chainOf(expr, scope);
  if (chain) into.fields.set(chain.join('/'), chain);
  if (expr.kind === 'literal') {
    const { value } = expr.literal;
    if (typeof value === 'string' || typeof value === 'bigint') into.literals.push(value);
  }
  const { macro } = expr;
  if (!macro?.target) {
    if (!chain) for (const child of childrenOf(expr)) collect(child, scope, into);
    return;
  }
  collect(macro.target, scope, into);
  const of = chainOf(macro.target, scope);
  const [variable, ...args] = macro.args;
  const inner = new Map(scope);
  if (of && variable?.kind === 'ident') inner.set(variable.name, [...of, 0]);
  for (const arg of args) collect(arg, inner, into);
}

function chainOf(expr: Expr, scope: Scope): Path | undefined {
  if (expr.kind === 'ident') return scope.get(expr.name);
  if (expr.kind === 'select') {
    const before = chainOf(expr.operand, scope);
    return before && [...before, unescapeName(expr.field) ?? expr.field];
  }
  if (expr.kind !== 'call' || expr.name !== '_[_]') return undefined;
  const before = chainOf(expr.args[0]!, scope);
  const [, index] = expr.args;
  const step = index?.kind === 'literal' ? index.literal.value : undefined;
  if (!before || (typeof step !== 'string' && typeof step !== 'bigint')) return undefined;
  return [...before, typeof step === 'bigint' ? Number(step) : step];
}
