import type { Range } from '../../base/text.ts';
import { maxU64, type U64 } from '../../base/u64.ts';
import type { Expr, Select } from '../../cel/ast.ts';
import { type Cost, estimateCost } from '../../cel/cost.ts';
import { errorType, unwrapOptional } from '../../cel/types.ts';
import { unescapeName } from '../../kubernetes/cel/escape.ts';
import { objectsBelow, type RulePlace } from '../../workspace/rulePlace.ts';
import { untrusted } from '../markdown.ts';
import { typeText } from './completeRule.ts';
import { overloadsText } from './functionDocs.ts';
import { macros } from './macros.ts';
import { nodeAt } from './nodesAt.ts';

/** What the API server allows one rule to cost. */
const ruleBudget = 10_000_000;

/** What stands at an offset of an expression: its type, what it is, and what it costs. */
export function hoverRule(place: RulePlace, offset: number): { markdown: string; range: Range } | undefined {
  const { expr, syntax } = place.compiled;
  const node = nodeAt(expr, offset);
  if (!node) return undefined;
  if (node.kind === 'select' && node.testOnly && isOnField(node, offset)) return askedField(place, node);
  const isEstimated = place.isEstimated && syntax.length === 0;
  const cost = isEstimated ? estimateCost(expr, place.schemaEnv.model, true) : undefined;
  const range = { start: node.start, end: node.end };
  const explained = explain(place, node);
  // What does not compile has neither a type nor a cost, and the problem says more.
  if (node.type === errorType) return explained === '' ? undefined : { markdown: explained, range };
  const parts = [`\`\`\`cel\n${written(place, node)}: ${typeText(node.type)}\n\`\`\``, explained, costText(node, cost)];
  return { markdown: parts.filter((part) => part !== '').join('\n\n'), range };
}

function isOnField({ fieldStart, field }: Select, offset: number): boolean {
  return offset >= fieldStart && offset <= fieldStart + field.length;
}

/** Inside `has()` the name says what is asked for: the field itself. */
function askedField(place: RulePlace, { operand, field, fieldStart }: Select) {
  const { structural, decl } = place;
  const receiver = unwrapOptional(operand.type);
  const object = structural && decl && objectsBelow(structural, decl).get(receiver.name);
  const type = object?.decl?.fields?.get(field)?.type ?? (receiver.kind === 'map' ? receiver.params[1] : undefined);
  const range = { start: operand.start, end: fieldStart + field.length };
  const named = place.compiled.text.slice(range.start, range.end).replace(/\s+/g, ' ');
  const card = `\`\`\`cel\n${named}${type ? `: ${typeText(type)}` : ''}\n\`\`\``;
  return { markdown: [card, fieldText(place, operand, field)].filter((part) => part !== '').join('\n\n'), range };
}

function written({ compiled }: RulePlace, node: Expr): string {
  const text = compiled.text.slice(node.start, node.end).replace(/\s+/g, ' ');
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function explain(place: RulePlace, node: Expr): string {
  if (node.macro) return macros.find(({ name }) => name === node.macro!.name)?.doc ?? '';
  if (node.kind === 'call') return overloadsText(node.overloads, place);
  if (node.kind === 'select') return fieldText(place, node.operand, node.field);
  if (node.kind === 'ident') return place.variables.get(node.name) ?? '';
  return '';
}

function fieldText({ structural, decl }: RulePlace, operand: Expr, field: string): string {
  if (!structural || !decl) return '';
  const object = objectsBelow(structural, decl).get(unwrapOptional(operand.type).name);
  return untrusted(object?.structural.properties?.get(unescapeName(field) ?? field)?.description ?? '');
}

function costText(node: Expr, cost: Cost | undefined): string {
  const of = cost?.byNode.get(node.id)?.max;
  if (of === undefined) return '';
  return `Estimated cost: at most ${costNumber(of)}, ${percent(of)} of the budget of one rule.`;
}

export function costNumber(cost: U64): string {
  return cost >= maxU64 ? 'unbounded' : cost.toLocaleString('en-US');
}

/** A cost's share of what one rule may cost, in percent. */
export function budgetShare(cost: U64): number {
  return (Number(cost) / ruleBudget) * 100;
}

/** The same in words. */
export function percent(cost: U64): string {
  return shareText(budgetShare(cost));
}

/** A share in percent, in words. */
export function shareText(share: number): string {
  if (share > 10_000) return 'over 10,000%';
  return share > 0 && share < 1 ? 'under 1%' : `${Math.round(share)}%`;
}
