import { shortened } from '../../base/text.ts';
import { type Expr, writtenParts } from '../../cel/ast.ts';
import type { Val } from '../../cel/eval/values.ts';
import { valText } from './valText.ts';

/** What the parts of an expression came to while it was evaluated. */
export interface PartValues {
  watch(part: Expr, value: Val): void;
  /** Each part below the one that holds it, with its value: the last one, where it was evaluated in several rounds. */
  lines(expr: Expr, text: string): string[];
  /** The same, part by part, from the outside to the inside. */
  parts(expr: Expr): PartValue[];
  valueOf(part: Expr): Val | undefined;
}

/** A part of an expression with its value as one would write it; undefined where it was not evaluated. */
export interface PartValue {
  readonly part: Expr;
  readonly level: number;
  readonly value: string | undefined;
  /** In how many rounds of a macro it was evaluated: the value is that of the last one. */
  readonly rounds: number;
}

const longestText = 60;
const longestValue = 100;

export function partValues(): PartValues {
  const values = new Map<Expr, { value: Val; rounds: number }>();
  const parts = (expr: Expr, level: number): PartValue[] => {
    const known = values.get(expr);
    const value = known && cut(valText(known.value), longestValue);
    // The steps of a way such as `p.size` are taken in one.
    const isWay = known !== undefined && expr.kind === 'select';
    const below = writtenParts(expr).filter((part) => saysMore(part) && !(isWay && !values.has(part)));
    const own = { part: expr, level, value, rounds: known?.rounds ?? 0 };
    return [own, ...below.flatMap((part) => parts(part, level + 1))];
  };
  const line = ({ part, level, value = 'not evaluated', rounds }: PartValue, text: string) => {
    const often = rounds > 1 ? `, in the last of ${rounds} rounds` : '';
    return `${'  '.repeat(level)}${cut(text.slice(part.start, part.end), longestText)}: ${value}${often}`;
  };
  return {
    watch: (part, value) => void values.set(part, { value, rounds: (values.get(part)?.rounds ?? 0) + 1 }),
    lines: (expr, text) => parts(expr, 0).map((part) => line(part, text)),
    parts: (expr) => parts(expr, 0),
    valueOf: (part) => values.get(part)?.value,
  };
}

/** A literal is its own value, and `self` the whole object. */
function saysMore(expr: Expr): boolean {
  return expr.kind !== 'literal' && !(expr.kind === 'ident' && (expr.name === 'self' || expr.name === 'oldSelf'));
}

function cut(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ');
  return shortened(line, longest);
}
