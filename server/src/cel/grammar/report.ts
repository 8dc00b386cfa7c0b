import { parse, type Syntax } from '../parse.ts';
import type { CelProblem } from '../source.ts';

export function syntaxProblems(text: string, syntax: Syntax): readonly CelProblem[] {
  const parsed = parse(text, syntax);
  return [...parsed.syntax.map((p) => ({ ...p, message: `Syntax error: ${p.message}` })), ...parsed.problems];
}
