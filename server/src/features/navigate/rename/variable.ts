import type { Range } from '../../../base/text.ts';
import type { Expr, MacroCall } from '../../../cel/ast.ts';
import { compile } from '../../../cel/compile.ts';
import { reservedWords } from '../../../kubernetes/cel/escape.ts';
import type { ExpressionAt } from '../../place/expressionAt.ts';
import { nodesOf } from '../../place/nodesAt.ts';
import type { Refusal } from './places.ts';

/** A macro's variable: where it is declared, and all places that name it. */
export interface Variable {
  readonly name: string;
  /** The place under the cursor. */
  readonly here: Range;
  /** In the expression. */
  readonly places: readonly Range[];
  readonly macro: Scope;
}

interface Scope extends Range {
  readonly declares: readonly string[];
}

/** The variable at an offset of an expression. */
export function variableAt({ place, offset }: ExpressionAt): Variable | Refusal | undefined {
  const found = nameAt(place.compiled.expr, offset);
  if (!found) return undefined;
  const { here, macro, places } = found;
  return macro
    ? { name: here.name, here, places, macro }
    : { refused: `\`${here.name}\` is a name that Kubernetes gives: it cannot be renamed.` };
}

/** All places of the name at an offset of an expression, where it means the same. */
export function placesOfName({ place, offset }: ExpressionAt): readonly Range[] {
  return nameAt(place.compiled.expr, offset)?.places ?? [];
}

function nameAt(expr: Expr, offset: number) {
  const scopes = scopesIn(expr);
  const names = namesIn(expr);
  const here = names.find(({ start, end }) => offset >= start && offset <= end);
  if (!here) return undefined;
  const macro = scopeOf(scopes, here);
  const places = names.filter((one) => one.name === here.name && scopeOf(scopes, one) === macro);
  return { here, macro, places };
}

interface Name extends Range {
  readonly name: string;
}

/** Every name that is written in an expression, each once. */
function namesIn(expr: Expr): Name[] {
  const found = new Map<number, Name>();
  for (const node of nodesOf(expr)) {
    for (const ident of [node, ...(node.macro?.args ?? [])]) {
      if (ident.kind !== 'ident' || ident.end - ident.start !== ident.name.length) continue;
      found.set(ident.start, { name: ident.name, start: ident.start, end: ident.end });
    }
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}

/** Where each macro's variables are known: from where they are declared to the end of its call. */
function scopesIn(expr: Expr): Scope[] {
  const scopes = new Map<MacroCall, Scope>();
  for (const node of nodesOf(expr)) {
    const { macro } = node;
    const [first, second] = macro?.args ?? [];
    if (!macro || macro.name === 'has' || first?.kind !== 'ident') continue;
    const hasTwo = node.kind === 'comprehension' && second?.kind === 'ident' && node.iterVar2 === second.name;
    const declares = hasTwo ? [first.name, second.name] : [first.name];
    const known = scopes.get(macro);
    if (known && known.declares.length >= declares.length) continue;
    scopes.set(macro, { declares, start: first.start, end: Math.max(node.end, known?.end ?? 0) });
  }
  return [...scopes.values()];
}

/** The innermost macro that declares a name where it is written. */
function scopeOf(scopes: readonly Scope[], { name, start, end }: Name): Scope | undefined {
  return scopes
    .filter((scope) => scope.declares.includes(name) && start >= scope.start && end <= scope.end)
    .sort((a, b) => a.end - a.start - (b.end - b.start))[0];
}

/** The places to write the new name at, or why that would change what the expression says. */
export function renamedVariable({ place }: ExpressionAt, variable: Variable, name: string): readonly Range[] | Refusal {
  if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || reservedWords.has(name))
    return { refused: `\`${name}\` is not a name that a variable can have in CEL.` };
  const { expr, text } = place.compiled;
  if (place.compiled.syntax.length > 0) return { refused: 'The expression has syntax errors.' };
  const isTaken =
    variable.macro.declares.includes(name) ||
    namesIn(expr).some(
      (one) => one.name === name && one.start >= variable.macro.start && one.end <= variable.macro.end,
    ) ||
    scopesIn(expr).some((scope) => scope.declares.includes(name) && overlap(scope, variable.macro));
  if (isTaken || name === 'self' || name === 'oldSelf')
    return { refused: `\`${name}\` already means something else here.` };
  const before = compile(text, place.schemaEnv.env).problems.length;
  const after = variable.places.reduceRight((now, { start, end }) => now.slice(0, start) + name + now.slice(end), text);
  return compile(after, place.schemaEnv.env).problems.length > before
    ? { refused: `With \`${name}\` the expression would not compile.` }
    : variable.places;
}

function overlap(a: Range, b: Range): boolean {
  return a.start < b.end && b.start < a.end;
}
