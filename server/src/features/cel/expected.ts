import { runAtEnd } from '../../base/text.ts';
import type { Expr } from '../../cel/ast.ts';
import { boolType, type CelType, isDynOrError, stringType, typeVariable } from '../../cel/types.ts';
import { assignable, instantiate, newSubstitution } from '../../cel/unify.ts';
import type { RulePlace } from '../../workspace/rulePlace.ts';
import { nodesOf } from './nodesAt.ts';
import { openCall } from './signature.ts';

/** The types that fit where an expression begins at an offset; undefined where any does. */
export function expectedTypes(place: RulePlace, start: number): readonly CelType[] | undefined {
  const { text, expr } = place.compiled;
  const before = text.slice(0, start).trimEnd();
  if (before === '') return [place.keyword === 'rule' ? boolType : stringType];
  if (/(&&|\|\||(?<![=!<>])!)$/.test(before)) return [boolType];
  const operator = /(?:[=!<>]=|[<>+\-*/%])$/.exec(before);
  if (operator) return typeEndingAt(expr, runAtEnd(before, /\s/, operator.index), /[=<>]/.test(operator[0]));
  const call = /[(,]$/.test(before) ? openCall(text, start) : undefined;
  return call && argumentTypes(place, call);
}

const predicates: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'existsOne', 'filter']);

function argumentTypes(place: RulePlace, { name, member, parameter }: NonNullable<ReturnType<typeof openCall>>) {
  if (member && predicates.has(name)) return parameter > 0 ? [boolType] : undefined;
  const overloads = place.schemaEnv.env.functions.get(name)?.overloads.filter((one) => one.member === member) ?? [];
  const types = overloads.flatMap(({ args, params }) => {
    const type = args[parameter + Number(member)];
    return type
      ? [
          instantiate(
            type,
            params,
            params.map((_, i) => typeVariable(i)),
          ),
        ]
      : [];
  });
  return types.length === 0 ? undefined : types;
}

/** The type of the operand that ends at an offset: of a comparison's whole left side, of an arithmetic operator's nearest. */
function typeEndingAt(expr: Expr, end: number, whole: boolean): readonly CelType[] | undefined {
  let best: Expr | undefined;
  for (const node of nodesOf(expr)) {
    if (node.end !== end || isLogical(node)) continue;
    const better = !best || (whole ? node.start < best.start : node.start > best.start);
    if (better && node.kind !== 'error') best = node;
  }
  return best && !isDynOrError(best.type) ? [best.type] : undefined;
}

function isLogical(node: Expr): boolean {
  return node.kind === 'call' && ['_&&_', '_||_', '!_', '_?_:_', '_==_', '_!=_', '@in'].includes(node.name);
}

/** Whether a value of a type can stand where one of these is expected. */
export function fits(type: CelType, expected: readonly CelType[] | undefined): boolean {
  return !type.open && (expected?.some((one) => assignable(newSubstitution(), type, one)) ?? false);
}
