import type { Expr } from '../../cel/ast.ts';
import type { Macro } from '../../cel/macros.ts';
import type { Overload } from '../../cel/overload.ts';
import { type CelType, unwrapOptional } from '../../cel/types.ts';
import { unescapeName } from '../../kubernetes/cel/escape.ts';
import { type ObjectNode, objectsBelow, type RulePlace } from '../../workspace/rulePlace.ts';
import { firstSentence } from '../../workspace/schemaNode.ts';
import { macroVariables, type Variable } from '../place/nodesAt.ts';
import { macroName, macroText, overloadsText } from '../words/functionDocs.ts';
import { words } from '../words/markdown.ts';
import { typeText } from '../words/typeText.ts';
import { madeObjects, patchFields } from './completeMade.ts';
import { completeString, valuesComparedWith } from './completeString.ts';
import type { Completion } from './completion.ts';
import { markRule, wantedAt } from './markedRule.ts';
import {
  type At,
  callMisfit,
  familiarity,
  fieldRank,
  macroMisfit,
  meant,
  misfit,
  rank,
  suitsReceiver,
  takes,
  used,
  variableMisfit,
} from './rankInRule.ts';
import type { Uses } from './ruleNames.ts';

/** What could be written at an offset of an expression. Ranges are offsets in the expression. */
export function completeRule(place: RulePlace, offset: number, uses: Uses = new Map()): Completion[] {
  const { text } = place.compiled;
  const quote = openQuote(text, offset);
  if (quote !== undefined) return completeString(place, offset, quote);
  const inPatch = patchFields(place, offset);
  if (inPatch) return inPatch;
  const rule = markRule(place, offset);
  if (!rule) return [];
  const at: At = { rule, wanted: wantedAt(rule.chain, place), uses, objects: objectsOf(place) };
  if (rule.operand) return members(at, rule.operand);
  // After a number, or right behind a value, nothing that starts with a letter can follow.
  return /[\w)\]'"`]$/.test(rule.before) ? [] : globals(at);
}

/** Where the string begins that an offset is inside of; undefined outside of strings. */
function openQuote(text: string, offset: number): number | undefined {
  let open: number | undefined;
  for (let i = 0; i < offset; i++) {
    const char = text[i]!;
    if (open !== undefined && char === '\\') i++;
    else if (open !== undefined) open = char === text[open] ? undefined : open;
    else if (char === '"' || char === "'") open = i;
  }
  return open;
}

function objectsOf({ structural, decl }: RulePlace): ReadonlyMap<string, ObjectNode> {
  return structural && decl ? objectsBelow(structural, decl) : new Map();
}

// Behind a dot

function members(at: At, operand: Expr): Completion[] {
  const { env } = at.rule.place.schemaEnv;
  const isNamespace = env.qualified.functions.has(at.rule.operandText) && operand.type.kind === 'error';
  if (isNamespace) return functionsOf(at, at.rule.operandText);
  if (at.rule.isCall) return [...methods(at, operand.type), ...memberMacros(at, operand.type)];
  if (at.rule.optional) return fields(at, operand.type);
  return [...fields(at, operand.type), ...methods(at, operand.type), ...memberMacros(at, operand.type)];
}

function fields(at: At, receiver: CelType): Completion[] {
  const object = at.objects.get(unwrapOptional(receiver).name);
  const suits = fieldRank(at);
  return [...(object?.decl?.fields ?? [])].map(([name, field], i) => {
    const own = unescapeName(name) ?? name;
    const schema = object?.structural.properties?.get(own);
    const required = object?.structural.validation?.required.includes(own) ?? false;
    const detail = [typeText(field.type), ...(required ? [] : ['optional']), ...(own === name ? [] : [own])];
    return {
      label: name,
      kind: 'field',
      detail: detail.join(', '),
      ...(schema?.description ? { documentation: words(firstSentence(schema.description)) } : {}),
      range: at.rule.word,
      text: name,
      snippet: false,
      order: rank(0, suits(name, field.type, required), used(at, name), i),
    };
  });
}

function methods(at: At, receiver: CelType): Completion[] {
  const found: Completion[] = [];
  for (const { name, overloads } of at.rule.place.schemaEnv.env.functions.values()) {
    const fitting = overloads.filter((overload) => overload.member && takes(overload, receiver));
    if (fitting.length > 0 && isWritable(name)) found.push(callCompletion(at, name, name, fitting, 2));
  }
  return found;
}

/** What only macros may call has a name that nobody can write. */
function isWritable(name: string): boolean {
  return /^[A-Za-z][\w.]*$/.test(name);
}

function callCompletion(
  at: At,
  label: string,
  name: string,
  overloads: readonly Overload[],
  group: number,
): Completion {
  const best = overloads.find(({ result }) => misfit(at, result) === 0) ?? overloads[0]!;
  const arity = Math.max(...overloads.map(({ member, args }) => args.length - Number(member)));
  const more = overloads.length > 1 ? ` (+${overloads.length - 1})` : '';
  // Parentheses that are there already stay as they are.
  const call = at.rule.isCall ? '' : arity === 0 ? '()' : '($1)';
  return {
    label,
    kind: 'function',
    detail: `${best.signature}${more}`,
    documentation: overloadsText(overloads, at.rule.place),
    range: at.rule.word,
    text: `${label}${call}`,
    snippet: call === '($1)',
    order:
      rank(at.rule.isCall ? 1 : group, callMisfit(at, overloads), meant(at, name), used(at, name), familiarity(name)) +
      name,
  };
}

function memberMacros(at: At, receiver: CelType): Completion[] {
  return macrosWhere(at, ({ on }) => suitsReceiver(receiver, on));
}

/** The macros of the environment that are called on something, each in its first form. */
function macrosWhere(at: At, isCalledOn: (macro: Macro) => boolean): Completion[] {
  const named = [...at.rule.place.schemaEnv.env.syntax.macros.values()];
  return named.flatMap((forms, i) => {
    const fitting = forms.filter(isCalledOn);
    return fitting.length > 0 ? [macroCompletion(at, fitting, i)] : [];
  });
}

function macroCompletion(at: At, forms: readonly Macro[], place: number): Completion {
  const macro = forms[0]!;
  const label = macroName(macro);
  const samples = macro.parameters.map(({ sample }, i) => `\${${i + 1}:${sample}}`);
  return {
    label,
    kind: 'keyword',
    detail: 'macro',
    documentation: macroText(macro, at.rule.place),
    range: at.rule.word,
    text: at.rule.isCall ? label : `${label}(${samples.join(', ')})`,
    snippet: !at.rule.isCall,
    order: rank(1, macroMisfit(at, forms), 0, used(at, macro.name), place),
  };
}

// Where a value begins

function globals(at: At): Completion[] {
  const called = [...functionsOf(at, ''), ...globalMacros(at)];
  if (at.rule.isCall) return called;
  return [...comparedValues(at), ...madeObjects(at), ...variablesOf(at), ...called, ...namespaces(at), ...keywords(at)];
}

function globalMacros(at: At): Completion[] {
  return macrosWhere(at, ({ on }) => on === 'nothing' || on === 'cel');
}

/** What functions' names with dots start with: `format`, `ip`. */
function namespaces(at: At): Completion[] {
  const { functions, qualified } = at.rule.place.schemaEnv.env;
  const isFollowed = at.rule.after.startsWith('.');
  const { method } = at.wanted;
  return [...qualified.functions].filter(isWritable).map((name) => ({
    label: name,
    kind: 'variable',
    detail: 'namespace',
    range: at.rule.word,
    text: isFollowed ? name : `${name}.`,
    snippet: false,
    order: rank(method !== undefined && functions.has(`${name}.${method}`) ? 0 : 2, 9) + name,
  }));
}

/** The functions of a namespace, each without its prefix. */
function functionsOf(at: At, namespace: string): Completion[] {
  const prefix = namespace === '' ? '' : `${namespace}.`;
  return [...at.rule.place.schemaEnv.env.functions.values()].flatMap(({ name, overloads }) => {
    const global = overloads.filter(({ member }) => !member);
    if (!isWritable(name) || !name.startsWith(prefix) || global.length === 0) return [];
    return [callCompletion(at, name.slice(prefix.length), name, global, 2)];
  });
}

/** The values of the enum on the other side of a comparison, as strings. */
function comparedValues(at: At): Completion[] {
  const { other } = at.wanted;
  if (!other) return [];
  return valuesComparedWith(at.rule.place, other).map((value, i) => ({
    label: value,
    kind: 'value',
    range: at.rule.word,
    text: `'${value.replace(/['\\]/g, '\\$&')}'`,
    snippet: false,
    order: rank(0, 0, i),
  }));
}

function variablesOf(at: At): Completion[] {
  const { env } = at.rule.place.schemaEnv;
  const { rule } = at;
  const root = rule.chain[0]!;
  const seen = new Set<string>();
  const own = [...rule.place.variables.keys()].flatMap((name): Variable[] => {
    const type = name.includes('.') ? undefined : env.idents.get(name);
    return type ? [{ name, type }] : [];
  });
  const variables = [...macroVariables(root, rule.word.start), ...own].filter(
    ({ name }) => !seen.has(name) && seen.add(name),
  );
  return variables.map(({ name, type }, i) => ({
    label: name,
    kind: 'variable',
    detail: typeText(type),
    range: rule.word,
    text: name,
    snippet: false,
    order: rank(0, 1, variableMisfit(at, name, type), i),
  }));
}

function keywords({ rule }: At): Completion[] {
  return ['true', 'false', 'null'].map((word, i) => ({
    label: word,
    kind: 'keyword',
    range: rule.word,
    text: word,
    snippet: false,
    order: rank(3, i),
  }));
}
