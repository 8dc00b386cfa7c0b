import type { Range } from '../../base/text.ts';
import type { Expr } from '../../cel/ast.ts';
import type { Overload } from '../../cel/overload.ts';
import { findMacro } from '../../cel/syntax.ts';
import { type CelType, isDynOrError, isOptional, typeVariable, unwrapOptional } from '../../cel/types.ts';
import { assignable, instantiate, newSubstitution } from '../../cel/unify.ts';
import { unescapeName } from '../../kubernetes/cel/escape.ts';
import { objectsBelow, type RulePlace } from '../../workspace/rulePlace.ts';
import { firstSentence } from '../../workspace/schemaNode.ts';
import type { Completion } from '../completion.ts';
import { untrusted } from '../markdown.ts';
import { completeString } from './completeString.ts';
import { expectedTypes, fits } from './expected.ts';
import { overloadsText } from './functionDocs.ts';
import { macros } from './macros.ts';
import { macroVariables, selectionAt } from './nodesAt.ts';
import { nameStart } from './signature.ts';

/** What could be written at an offset of an expression. Ranges are offsets in the expression. */
export function completeRule(place: RulePlace, offset: number): Completion[] {
  const { expr, text } = place.compiled;
  const quote = openQuote(text, offset);
  if (quote !== undefined) return completeString(place, offset, quote);
  const selection = selectionAt(expr, offset);
  const range = { start: nameStart(text, offset), end: offset };
  if (selection) return members(place, selection.operand, range);
  // After a number, or right behind a value, nothing that starts with a letter can follow.
  if (/[\w)\]'"`]$/.test(text.slice(0, range.start)) || /\d$/.test(text.slice(0, range.start))) return [];
  return globals(place, offset, range);
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

function members(place: RulePlace, operand: Expr, range: Range): Completion[] {
  const receiver = operand.type;
  const expected = expectedTypes(place, operand.start);
  return [
    ...fields(place, receiver, range, expected),
    ...methods(place, receiver, range, expected),
    ...memberMacros(place, receiver, range),
  ];
}

type Expected = readonly CelType[] | undefined;

/** What fits comes before what does not, each in its own order. */
function rank(group: string, type: CelType, expected: Expected, own: string): string {
  return `${group}${fits(type, expected) ? 0 : 1}${own}`;
}

function fields({ structural, decl }: RulePlace, receiver: CelType, range: Range, expected: Expected): Completion[] {
  if (!structural || !decl) return [];
  const object = objectsBelow(structural, decl).get(unwrapOptional(receiver).name);
  return [...(object?.decl?.fields ?? [])].map(([name, field], i) => {
    const own = unescapeName(name) ?? name;
    const schema = object?.structural.properties?.get(own);
    const required = object?.structural.validation?.required.includes(own);
    const detail = [typeText(field.type), ...(required ? [] : ['optional']), ...(own === name ? [] : [own])];
    return {
      label: name,
      kind: 'field',
      detail: detail.join(', '),
      ...(schema?.description ? { documentation: untrusted(firstSentence(schema.description)) } : {}),
      range,
      text: name,
      snippet: false,
      order: rank('0', field.type, expected, String(i).padStart(4, '0')),
    };
  });
}

function methods(place: RulePlace, receiver: CelType, range: Range, expected: Expected): Completion[] {
  const found: Completion[] = [];
  for (const { name, overloads } of place.schemaEnv.env.functions.values()) {
    const fitting = overloads.filter((overload) => overload.member && takes(overload, receiver));
    // What only macros may call has a name that nobody can write.
    if (fitting.length > 0 && /^[a-z]/i.test(name))
      found.push(callCompletion(place, name, fitting, range, '1', expected));
  }
  return found;
}

/** Whether a call on a receiver of this type can check. */
function takes(overload: Overload, receiver: CelType): boolean {
  if (isDynOrError(receiver)) return true;
  return accepts(overload.args[0]!, overload, receiver);
}

function accepts(wanted: CelType, { params }: Overload, given: CelType): boolean {
  const fresh = params.map((_, i) => typeVariable(i));
  return assignable(newSubstitution(), given, instantiate(wanted, params, fresh));
}

function callCompletion(
  place: RulePlace,
  name: string,
  overloads: readonly Overload[],
  range: Range,
  group: string,
  expected: Expected,
): Completion {
  const best = overloads.find(({ result }) => fits(result, expected)) ?? overloads[0]!;
  const arity = Math.max(...overloads.map(({ member, args }) => args.length - Number(member)));
  const more = overloads.length > 1 ? ` (+${overloads.length - 1})` : '';
  return {
    label: name,
    kind: 'function',
    detail: `${best.signature}${more}`,
    documentation: overloadsText(overloads, place),
    range,
    text: arity === 0 ? `${name}()` : `${name}($1)`,
    snippet: arity > 0,
    order: rank(group, best.result, expected, name),
  };
}

function memberMacros({ schemaEnv }: RulePlace, receiver: CelType, range: Range): Completion[] {
  const iterable = ['list', 'map'].includes(receiver.kind) || isDynOrError(receiver);
  return macros
    .filter(({ on }) => (on === 'collection' ? iterable : on === 'optional' && isOptional(receiver)))
    .filter(({ name, args }) => findMacro(schemaEnv.env.syntax, name, true, args))
    .map((macro) => macroCompletion(macro, range, '2'));
}

function macroCompletion({ name, doc, snippet }: (typeof macros)[number], range: Range, group: string): Completion {
  return {
    label: name,
    kind: 'keyword',
    detail: 'macro',
    documentation: doc,
    range,
    text: snippet,
    snippet: true,
    order: `${group}${name}`,
  };
}

function globals(place: RulePlace, offset: number, range: Range): Completion[] {
  const { env } = place.schemaEnv;
  const expected = expectedTypes(place, range.start);
  const seen = new Set<string>();
  const variables = [
    ...macroVariables(place.compiled.expr, offset),
    ...['self', 'oldSelf'].flatMap((name) => (env.idents.has(name) ? [{ name, type: env.idents.get(name)! }] : [])),
  ].filter(({ name }) => !seen.has(name) && seen.add(name));
  const functions = [...env.functions.values()].flatMap(({ name, overloads }) => {
    const global = overloads.filter(({ member }) => !member);
    return /^[a-z]/i.test(name) && global.length > 0 ? [callCompletion(place, name, global, range, '2', expected)] : [];
  });
  return [
    ...variables.map(
      ({ name, type }, i): Completion => ({
        label: name,
        kind: 'variable',
        detail: typeText(type),
        range,
        text: name,
        snippet: false,
        order: rank('0', type, expected, String(i)),
      }),
    ),
    ...macros.filter(({ on }) => on === 'global').map((macro) => macroCompletion(macro, range, '1')),
    ...functions,
    ...['true', 'false', 'null'].map(
      (word): Completion => ({ label: word, kind: 'keyword', range, text: word, snippet: false, order: `3${word}` }),
    ),
  ];
}

/** A type as a person reads it: generated names of object types say nothing. */
export function typeText(type: CelType): string {
  return type.text.replace(/selfType[\w.@]*/g, 'object');
}
