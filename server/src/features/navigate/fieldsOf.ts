import { childrenOf, type Expr } from '../../cel/ast.ts';
import { unwrapOptional } from '../../cel/types.ts';
import { nodesOf } from '../place/nodesAt.ts';

/** A field that a node reads, and where its name is written. */
export interface FieldRead {
  readonly operand: Expr;
  readonly field: string;
  readonly start: number;
  readonly end: number;
}

/** What a node reads by name: `operand.field`, `operand.?field`, and what has() asks. */
export function fieldsOf(node: Expr): FieldRead[] {
  if (node.kind === 'select') {
    const { operand, field, fieldStart: start } = node;
    return [{ operand, field, start, end: start + field.length }];
  }
  if (node.kind !== 'call' || node.name !== '_?._') return [];
  const [operand, name] = node.args;
  if (!operand || name?.kind !== 'literal' || name.literal.of !== 'string') return [];
  return [{ operand, field: String(name.literal.value), start: name.start, end: name.end }];
}

/** What the name at an offset of an expression reads. */
export function fieldAt(expr: Expr, offset: number): FieldRead | undefined {
  for (const node of nodesOf(expr)) {
    const read = fieldsOf(node).find(({ start, end }) => offset >= start && offset <= end);
    if (read) return read;
  }
  return undefined;
}

/** By name, the lists and maps that the variables around a node go through. */
type Scope = ReadonlyMap<string, Expr>;

/**
 * Whether an expression reads a field of a value whose type it threw away, as with `dyn(self).field` or
 * `dyn(self)[name]`: then nobody can tell what is read.
 */
export function isUntracked(expr: Expr, field: string, name: string, scope: Scope = new Map()): boolean {
  const own = namesRead(expr).some(
    ({ operand, read }) => (read === undefined || read === field || read === name) && hasLostType(operand, scope),
  );
  if (own) return true;
  if (expr.kind !== 'comprehension') return childrenOf(expr).some((child) => isUntracked(child, field, name, scope));
  const inner = new Map(scope);
  for (const variable of [expr.iterVar, expr.iterVar2]) inner.set(variable, expr.range);
  return childrenOf(expr).some((child) => isUntracked(child, field, name, child === expr.range ? scope : inner));
}

/** What a node reads of which operand; without a name where that is known only when it runs. */
function namesRead(node: Expr): { readonly operand: Expr; readonly read: string | undefined }[] {
  const fields = fieldsOf(node).map(({ operand, field }) => ({ operand, read: field }));
  if (fields.length > 0 || node.kind !== 'call') return fields;
  const [first, second] = node.args;
  if (!first || !second) return [];
  if (node.name === '_[_]' || node.name === '_[?_]') return [{ operand: first, read: textOf(second) }];
  return node.name === '@in' ? [{ operand: second, read: textOf(first) }] : [];
}

/** A literal's text; undefined where it is not a text that is written out. */
function textOf(expr: Expr): string | undefined {
  return expr.kind === 'literal' && expr.literal.of === 'string' ? String(expr.literal.value) : undefined;
}

/** Whether a value may be anything, although the schema says more of it. */
function hasLostType(expr: Expr, scope: Scope): boolean {
  return unwrapOptional(expr.type).kind === 'dyn' && lostOnTheWay(expr, scope);
}

function lostOnTheWay(expr: Expr, scope: Scope): boolean {
  const [read] = fieldsOf(expr);
  if (read) return hasLostType(read.operand, scope);
  if (expr.kind === 'call' && (expr.name === '_[_]' || expr.name === '_[?_]')) return holdsLost(expr.args[0]!, scope);
  if (expr.kind !== 'ident') return true;
  const range = scope.get(expr.name);
  return range !== undefined && holdsLost(range, scope);
}

/** Whether what is in a list or map has lost its type: where the schema itself leaves it open, it never had one. */
function holdsLost(collection: Expr, scope: Scope): boolean {
  const { kind, params } = unwrapOptional(collection.type);
  return (kind === 'dyn' || params.at(-1)?.kind === 'dyn') && lostOnTheWay(collection, scope);
}
