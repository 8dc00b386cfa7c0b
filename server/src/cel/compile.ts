import { childrenOf, type Expr } from './ast.ts';
import { check } from './check.ts';
import type { CelEnv } from './env.ts';
import { syntaxProblems } from './grammar/report.ts';
import { maxCodePoints } from './limits.ts';
import { parse } from './parse.ts';
import { type CelProblem, displayProblems } from './source.ts';
import { validateLiterals } from './validate.ts';

/** An expression in an environment: its tree, with types in it, and what is wrong. */
export interface Compiled {
  readonly text: string;
  readonly expr: Expr;
  /** One more than the largest node number. */
  readonly size: number;
  /** In our own words, where the grammar does not accept the text. */
  readonly syntax: readonly CelProblem[];
  /** cel-go's messages, but for syntax errors: `issuesOf` has those. */
  readonly problems: readonly CelProblem[];
  /** Whether cel-go's parser would refuse the text, or has to be asked because the text is very large. */
  readonly unparsed: boolean;
  /** cel-go panics on it, with this text. */
  readonly panic: string | undefined;
}

/** Parses and checks. Any text gives a tree whose nodes have types; a text with syntax errors as far as it is clear. */
export function compile(text: string, env: CelEnv): Compiled {
  const parsed = parse(text, env.syntax);
  const { expr, size, syntax, suspect } = parsed;
  const unparsed = syntax.length > 0 || suspect || text.length > maxCodePoints;
  // A tree that cel-go's limits may forbid is not walked.
  if (suspect) return { text, expr, size, syntax, problems: parsed.problems, unparsed, panic: undefined };
  const { problems, literals } = check(expr, env);
  const found = unparsed || parsed.problems.length > 0 ? parsed.problems : problems;
  const clean = !unparsed && found.length === 0;
  const validated = clean && literals ? validateLiterals(expr, env) : { problems: found, panics: false };
  const panic = clean ? panicOf(expr, env, validated.panics) : undefined;
  return { text, expr, size, syntax, problems: validated.problems, unparsed, panic };
}

/** Whether the expression names a variable, of the environment or of a comprehension. */
export function namesVariable(compiled: Compiled, name: string): boolean {
  return compiled.text.includes(name) && names(compiled.expr, name);
}

function names(e: Expr, name: string): boolean {
  if (e.kind === 'ident') return e.name === name;
  if (e.kind === 'select' && e.qualified !== undefined) return e.qualified === name;
  return childrenOf(e).some((child) => names(child, name));
}

function panicOf(expr: Expr, { dialect }: CelEnv, validating: boolean): string | undefined {
  if (validating) return 'runtime error: index out of range [0] with length 0';
  // Kubernetes 1.31: `format` called on anything but a written string.
  if (!dialect.formatCrashes || !formatsUnwritten(expr)) return undefined;
  return 'runtime error: invalid memory address or nil pointer dereference';
}

/** Whether `format` is called anywhere on something that is not a string literal. */
function formatsUnwritten(e: Expr): boolean {
  if (e.kind === 'call' && e.name === 'format' && e.target && e.target.kind !== 'literal') return true;
  return childrenOf(e).some(formatsUnwritten);
}

/** Everything that cel-go says of an expression, to the letter; undefined where it has nothing to say. */
export function issuesOf(compiled: Compiled, env: CelEnv): string | undefined {
  if (compiled.unparsed) {
    const exact = syntaxProblems(compiled.text, env.syntax);
    if (exact.length > 0) return displayProblems(compiled.text, exact, env.syntax);
    // Large, yet within the limits.
    return checkedIssues(compiled, env);
  }
  return compiled.problems.length === 0 ? undefined : displayProblems(compiled.text, compiled.problems, env.syntax);
}

function checkedIssues(compiled: Compiled, env: CelEnv): string | undefined {
  if (compiled.problems.length > 0) return displayProblems(compiled.text, compiled.problems, env.syntax);
  const { problems } = check(compiled.expr, env);
  const all = problems.length > 0 ? problems : validateLiterals(compiled.expr, env).problems;
  return all.length === 0 ? undefined : displayProblems(compiled.text, all, env.syntax);
}
