import { isMap, type ValueMap, valueAt } from '../../base/value.ts';
import type { Comprehension, Expr } from '../../cel/ast.ts';
import { unescapeName } from '../../kubernetes/cel/escape.ts';
import type { RulePlace } from '../../workspace/rulePlace.ts';
import { nodesOf } from '../place/nodesAt.ts';

/** The schema that describes the value of an expression, as the CRD writes it; undefined where there is none. */
export function writtenSchema(place: RulePlace, expr: Expr): ValueMap | undefined {
  if (expr.kind === 'select') return propertyOf(writtenSchema(place, expr.operand), expr.field);
  if (expr.kind === 'ident') return ofVariable(place, expr);
  if (expr.kind !== 'call') return undefined;
  const [operand, index] = expr.args;
  if (!operand) return undefined;
  if (expr.name === '_[_]' || expr.name === '_[?_]') return elementOf(writtenSchema(place, operand));
  if (expr.name === '_?._' && index?.kind === 'literal' && index.literal.of === 'string')
    return propertyOf(writtenSchema(place, operand), index.literal.value);
  return undefined;
}

function propertyOf(schema: ValueMap | undefined, field: string): ValueMap | undefined {
  return schema && (below(schema, 'properties', unescapeName(field) ?? field) ?? below(schema, 'additionalProperties'));
}

/** The schema of a list's items or a map's values. */
function elementOf(schema: ValueMap | undefined): ValueMap | undefined {
  return schema && (below(schema, 'items') ?? below(schema, 'additionalProperties'));
}

function below(schema: ValueMap, ...steps: readonly string[]): ValueMap | undefined {
  const found = valueAt(schema, steps);
  return isMap(found) ? found : undefined;
}

/** `self` is what the rule guards; a macro's variable is an item of what the macro goes over. */
function ofVariable(place: RulePlace, ident: Expr & { kind: 'ident' }): ValueMap | undefined {
  if (ident.name === 'self' || ident.name === 'oldSelf') return isMap(place.written) ? place.written : undefined;
  const loop = [...nodesOf(place.compiled.expr)].findLast(
    (node): node is Comprehension =>
      node.kind === 'comprehension' && node.start <= ident.start && ident.end <= node.end && declares(node, ident.name),
  );
  // Over one variable a macro goes over a map's keys, which no schema describes.
  if (!loop || (loop.iterVar2 === '' && loop.range.type.kind === 'map')) return undefined;
  const isElement = loop.iterVar2 === '' || loop.iterVar2 === ident.name;
  return isElement ? elementOf(writtenSchema(place, loop.range)) : undefined;
}

function declares({ iterVar, iterVar2 }: Comprehension, name: string): boolean {
  return iterVar === name || iterVar2 === name;
}
