import { runAtEnd } from '../../base/text.ts';
import { type Comprehension, childrenOf, type Expr } from '../../cel/ast.ts';
import type { CelType } from '../../cel/types.ts';

/** Every node of a tree, outer ones first. */
export function* nodesOf(expr: Expr): Generator<Expr> {
  yield expr;
  for (const child of childrenOf(expr)) yield* nodesOf(child);
}

/** The smallest node around an offset that was written, not made by a macro. */
export function nodeAt(root: Expr, offset: number): Expr | undefined {
  let best: Expr | undefined;
  for (const node of nodesOf(root)) {
    if (offset < node.start || offset > node.end || (node.kind === 'ident' && node.name.startsWith('@'))) continue;
    if (!best || node.end - node.start < best.end - best.start) best = node;
  }
  return best;
}

export interface Variable {
  readonly name: string;
  readonly type: CelType;
}

/** The variables of the macros around an offset, inner ones first. */
export function macroVariables(root: Expr, offset: number): Variable[] {
  const around = [...nodesOf(root)].filter(
    (node): node is Comprehension => node.kind === 'comprehension' && offset > node.range.end && offset <= node.end,
  );
  return around.reverse().flatMap((node) => variablesOf(node));
}

function variablesOf({ range, iterVar, iterVar2 }: Comprehension): Variable[] {
  const [first, second] = range.type.params;
  const of = (name: string, type: CelType | undefined) =>
    name === '' || name.startsWith('#') || !type ? [] : [{ name, type }];
  if (iterVar2 === '') return of(iterVar, first ?? range.type);
  // Over two variables a map gives key and value, a list index and item.
  return range.type.kind === 'map' ? [...of(iterVar, first), ...of(iterVar2, second)] : of(iterVar2, first);
}

/** Where the name begins that ends at an offset; it does not begin with a digit. */
export function nameStart(text: string, end: number): number {
  let start = runAtEnd(text, /\w/, end);
  while (start < end && /\d/.test(text[start]!)) start++;
  return start;
}
