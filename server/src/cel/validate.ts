import { type Call, type Expr, eachChild, type ListExpr, type MapExpr } from './ast.ts';
import type { CelEnv } from './env.ts';
import { checkFormat } from './formatString.ts';
import type { CelProblem } from './source.ts';
import { type CelType, unspecifiedType } from './types.ts';

interface Validator {
  readonly env: CelEnv;
  readonly problems: CelProblem[];
  readonly formats: CelProblem[];
  panics: boolean;
}

/** What cel-go's validators say, or that one of them panics. */
export interface Validated {
  readonly problems: readonly CelProblem[];
  readonly panics: boolean;
}

/** What is checked of literals once all types agree: durations, times, patterns, formats, and lists of one type. */
export function validateLiterals(expr: Expr, env: CelEnv): Validated {
  const v: Validator = { env, problems: [], formats: [], panics: false };
  visit(v, expr, false);
  return { problems: v.formats.length === 0 ? v.problems : [...v.problems, ...v.formats], panics: v.panics };
}

function visit(v: Validator, e: Expr, insideFormat: boolean): void {
  let inside = insideFormat;
  switch (e.kind) {
    case 'literal':
    case 'ident':
      return;
    case 'select':
      visit(v, e.operand, inside);
      return;
    case 'call':
      validateCall(v, e);
      if (e.name === 'format' && v.env.dialect.formatValidator) inside = true;
      if (e.target) visit(v, e.target, inside);
      for (const arg of e.args) visit(v, arg, inside);
      return;
    case 'list':
      if (!inside) validateList(v, e);
      break;
    case 'map':
      if (!inside) validateMap(v, e);
  }
  eachChild(e, (child) => visit(v, child, inside));
}

function validateCall(v: Validator, e: Call): void {
  const arg = e.args[0];
  if (arg === undefined || (arg.kind !== 'literal' && arg.kind !== 'list')) return;
  const takes = v.env.dialect.validators ? v.env.functions.get(e.name)?.takesLiteral : undefined;
  if (takes && arg.kind === 'literal' && !takes(arg.literal.value)) {
    v.problems.push({ at: arg.at, start: arg.start, end: arg.end, message: `invalid ${e.name} argument` });
  }
  if (e.name !== 'format' || !v.env.dialect.formatValidator || e.args.length !== 1) return;
  const { target } = e;
  if (target?.kind !== 'literal' || target.literal.of !== 'string' || arg.kind !== 'list') return;
  const problem = checkFormat(e, target.literal.value, arg.elements);
  if (problem) v.formats.push(problem);
}

function differ(v: Validator, e: Expr, expected: CelType, actual: CelType): void {
  const fact = { kind: 'mismatch', expected, actual, isOfEntries: true } as const;
  const message = `expected type '${expected.text}' but found '${actual.text}'`;
  v.problems.push({ at: e.at, start: e.start, end: e.end, message, fact });
}

/** cel-go takes the first parameter of what stands behind a `?`, and panics where that is dyn and has none. */
function optionalPart(v: Validator, type: CelType): CelType {
  if (type.params.length === 0) v.panics = true;
  return type.params[0] ?? type;
}

function validateList(v: Validator, e: ListExpr): void {
  let first: CelType | undefined;
  for (let i = 0; i < e.elements.length; i++) {
    const element = e.elements[i]!;
    const type = e.optionals.includes(i) ? optionalPart(v, element.type) : element.type;
    if (first && first !== unspecifiedType && first !== type) {
      differ(v, element, first, type);
      return;
    }
    if (!first || first === unspecifiedType) first = type;
  }
}

function validateMap(v: Validator, e: MapExpr): void {
  const first = e.entries[0];
  if (!first) return;
  const valueType = (entry: (typeof e.entries)[number]) =>
    entry.optional ? optionalPart(v, entry.value.type) : entry.value.type;
  for (const entry of e.entries) {
    if (entry.key.type !== first.key.type) differ(v, entry.key, first.key.type, entry.key.type);
    if (valueType(entry) !== valueType(first)) differ(v, entry.value, valueType(first), valueType(entry));
  }
}
