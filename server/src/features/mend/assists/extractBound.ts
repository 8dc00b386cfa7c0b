import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../../../base/value.ts';
import type { Expr } from '../../../cel/ast.ts';
import { insertKey, removeAt } from '../../../yaml/edit.ts';
import { valueOf } from '../../../yaml/value.ts';
import { expressionAt } from '../../place/expressionAt.ts';
import type { MakeAssists } from './assist.ts';

const validations = 'x-kubernetes-validations';

/** A rule that says no more than a keyword of the schema becomes that keyword, at all nodes that have the same rule. */
export const extractBound: MakeAssists = (cursor, snapshot) => {
  const place = expressionAt(snapshot, cursor)?.place;
  if (cursor.manifest?.role !== 'crd' || place?.keyword !== 'rule' || place.compiled.problems.length > 0) return [];
  const { document } = cursor.placed;
  const schema = valueAt(valueOf(document), place.node);
  const bound = isMap(schema) ? boundIn(place.compiled.expr, schema) : undefined;
  if (!bound) return [];
  const rule = place.compiled.text;
  const places = nodesWith(valueAt(valueOf(document), rootOf(place.node)), rootOf(place.node), rule, bound, schema);
  const edits = places.flatMap(({ node, index, only }) => [
    ...insertKey(document, node, bound.keyword, bound.value, { before: validations }),
    ...removeAt(document, only ? [...node, validations] : [...node, validations, index]),
  ]);
  const others = places.length > 1 ? ` in ${places.length} places` : '';
  return [{ title: `Use \`${bound.keyword}\` instead${others}`, kind: 'refactor.extract', edits }];
};

interface Bound {
  readonly keyword: string;
  readonly value: bigint | number | string;
}

/** The path of the whole schema that a node is in. */
function rootOf(node: Path): Path {
  return node.slice(0, node.indexOf('openAPIV3Schema') + 1);
}

const flipped: Readonly<Record<string, string>> = { '_<=_': '_>=_', '_>=_': '_<=_', '_<_': '_>_', '_>_': '_<_' };

/** `self.size() <= 5`, `5 >= size(self)`, `self < 10`, `self.matches('^a')`, where the schema does not say it yet. */
function boundIn(expr: Expr, schema: ValueMap): Bound | undefined {
  if (expr.kind !== 'call') return undefined;
  const [a, b] = expr.args;
  if (expr.name === 'matches' && expr.target && isSelf(expr.target) && a) return pattern(a, schema);
  if (!a || !b || !Object.hasOwn(flipped, expr.name)) return undefined;
  const bound = limit(expr.name, a, b, schema) ?? limit(flipped[expr.name]!, b, a, schema);
  return bound && !schema.has(bound.keyword) ? bound : undefined;
}

function isSelf(expr: Expr): boolean {
  return expr.kind === 'ident' && expr.name === 'self';
}

function pattern(expr: Expr, schema: ValueMap): Bound | undefined {
  if (expr.kind !== 'literal' || expr.literal.of !== 'string' || schema.has('pattern')) return undefined;
  return schema.get('type') === 'string' ? { keyword: 'pattern', value: expr.literal.value } : undefined;
}

function limit(operator: string, measured: Expr, against: Expr, schema: ValueMap): Bound | undefined {
  if (against.kind !== 'literal' || against.literal.of !== 'int') return undefined;
  const suffix = isSelf(measured) ? numeric(schema) : isSize(measured) ? counted(schema) : undefined;
  if (suffix === undefined) return undefined;
  const strict = operator === '_<_' ? -1n : operator === '_>_' ? 1n : 0n;
  const value = against.literal.value + strict;
  if (value < 0n && !isSelf(measured)) return undefined;
  const isUpper = operator === '_<=_' || operator === '_<_';
  return { keyword: `${isUpper ? 'max' : 'min'}${suffix}`, value };
}

function isSize(expr: Expr): boolean {
  if (expr.kind !== 'call' || expr.name !== 'size') return false;
  const measured = expr.target ?? expr.args[0];
  return measured !== undefined && isSelf(measured) && expr.args.length === (expr.target ? 0 : 1);
}

function numeric(schema: ValueMap): string | undefined {
  return schema.get('type') === 'integer' ? 'imum' : undefined;
}

const counts: Readonly<Record<string, string>> = { string: 'Length', array: 'Items', object: 'Properties' };

/** What is counted of a value. Texts with a format may have another type in rules, and objects count declared fields. */
function counted(schema: ValueMap): string | undefined {
  const type = schema.get('type');
  if (typeof type !== 'string' || !Object.hasOwn(counts, type)) return undefined;
  if (type === 'string' && schema.has('format')) return undefined;
  return type === 'object' && !schema.has('additionalProperties') ? undefined : counts[type];
}

interface RulePlace {
  readonly node: Path;
  readonly index: number;
  /** No other rule is there. */
  readonly only: boolean;
}

/** The nodes of a schema with this very rule, of the same type and without the bound. */
function nodesWith(
  value: Value | undefined,
  at: Path,
  rule: string,
  bound: Bound,
  like: Value | undefined,
): RulePlace[] {
  if (isList(value)) return value.flatMap((item, i) => nodesWith(item, [...at, i], rule, bound, like));
  if (!isMap(value)) return [];
  const below = [...value].flatMap(([key, inner]) => nodesWith(inner, [...at, key], rule, bound, like));
  const rules = value.get(validations);
  const same = isMap(like) && value.get('type') === like.get('type') && !value.has(bound.keyword);
  if (!isList(rules) || !same || value.has('format')) return below;
  const index = rules.findIndex((one) => isMap(one) && one.get('rule') === rule);
  return index === -1 ? below : [{ node: at, index, only: rules.length === 1 }, ...below];
}
