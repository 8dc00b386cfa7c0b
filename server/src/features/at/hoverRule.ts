import { type Range, shortened } from '../../base/text.ts';
import type { Expr, MacroCall, Select } from '../../cel/ast.ts';
import { type Cost, estimateCost } from '../../cel/cost.ts';
import { findMacro } from '../../cel/syntax.ts';
import { errorType, unwrapOptional } from '../../cel/types.ts';
import { unescapeName } from '../../kubernetes/cel/escape.ts';
import { objectsBelow, type RulePlace } from '../../workspace/rulePlace.ts';
import { nodeAt } from '../place/nodesAt.ts';
import { costNumber, percent } from '../words/costs.ts';
import { macroText, overloadsText } from '../words/functionDocs.ts';
import { blocks, fenced, type Markdown, own, prose, text } from '../words/markdown.ts';
import { typeText } from '../words/typeText.ts';

/** What stands at an offset of an expression: its type, what it is, and what it costs. */
export function hoverRule(place: RulePlace, offset: number): { markdown: Markdown; range: Range } | undefined {
  const { expr, syntax } = place.compiled;
  const node = nodeAt(expr, offset);
  if (!node) return undefined;
  if (node.kind === 'select' && node.testOnly && isOnField(node, offset)) return askedField(place, node);
  const isEstimated = place.isEstimated && syntax.length === 0;
  const cost = isEstimated ? estimateCost(expr, place.schemaEnv.model, true) : undefined;
  const range = { start: node.start, end: node.end };
  const explained = explain(place, node);
  // What does not compile has neither a type nor a cost, and the problem says more.
  if (node.type === errorType) return explained.isEmpty ? undefined : { markdown: explained, range };
  const card = fenced('cel', `${written(place, node)}: ${typeText(node.type)}`);
  return { markdown: blocks(card, explained, text(costText(node, cost))), range };
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
  const card = fenced('cel', `${named}${type ? `: ${typeText(type)}` : ''}`);
  return { markdown: blocks(card, fieldText(place, operand, field)), range };
}

function written({ compiled }: RulePlace, node: Expr): string {
  const text = compiled.text.slice(node.start, node.end).replace(/\s+/g, ' ');
  return shortened(text, 77);
}

function explain(place: RulePlace, node: Expr): Markdown {
  if (node.macro) return explainMacro(place, node.macro);
  if (node.kind === 'call') return overloadsText(node.overloads, place);
  if (node.kind === 'select') return fieldText(place, node.operand, node.field);
  if (node.kind === 'ident') return own(place.variables.get(node.name) ?? '');
  return own('');
}

function explainMacro(place: RulePlace, { name, target, args }: MacroCall): Markdown {
  const macro = findMacro(place.schemaEnv.env.syntax, name, target !== undefined, args.length);
  return macro ? macroText(macro, place) : own('');
}

function fieldText({ structural, decl }: RulePlace, operand: Expr, field: string): Markdown {
  if (!structural || !decl) return own('');
  const object = objectsBelow(structural, decl).get(unwrapOptional(operand.type).name);
  return prose(object?.structural.properties?.get(unescapeName(field) ?? field)?.description ?? '');
}

function costText(node: Expr, cost: Cost | undefined): string {
  const of = cost?.byNode.get(node.id)?.max;
  if (of === undefined) return '';
  return `Estimated cost: at most ${costNumber(of)}, ${percent(of)} of the budget of one rule.`;
}
