import { type Expr, writtenParts } from '../../cel/ast.ts';
import type { Val } from '../../cel/eval/values.ts';
import { valText } from './valText.ts';

/** What the parts of an expression came to while it was evaluated. */
export interface PartValues {
  watch(part: Expr, value: Val): void;
  /** Each part below the one that holds it, with its value: the last one, where it was evaluated in several rounds. */
  lines(expr: Expr, text: string): string[];
}

const longestText = 60;
const longestValue = 100;

export function partValues(): PartValues {
  const values = new Map<Expr, { value: Val; rounds: number }>();
  const lines = (expr: Expr, text: string, indent: string): string[] => {
    const own = cut(text.slice(expr.start, expr.end), longestText);
    const known = values.get(expr);
    const rounds = known && known.rounds > 1 ? `, in the last of ${known.rounds} rounds` : '';
    const value = known ? `${cut(valText(known.value), longestValue)}${rounds}` : 'not evaluated';
    // The steps of a way such as `p.size` are taken in one.
    const isWay = known !== undefined && expr.kind === 'select';
    const below = writtenParts(expr).filter((part) => saysMore(part) && !(isWay && !values.has(part)));
    return [`${indent}${own}: ${value}`, ...below.flatMap((part) => lines(part, text, `${indent}  `))];
  };
  return {
    watch: (part, value) => void values.set(part, { value, rounds: (values.get(part)?.rounds ?? 0) + 1 }),
    lines: (expr, text) => lines(expr, text, ''),
  };
}

/** A literal is its own value, and `self` the whole object. */
function saysMore(expr: Expr): boolean {
  return expr.kind !== 'literal' && !(expr.kind === 'ident' && (expr.name === 'self' || expr.name === 'oldSelf'));
}

function cut(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
