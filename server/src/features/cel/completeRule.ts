import type { Range } from '../../base/text.ts';
import type { Expr } from '../../cel/ast.ts';
import type { Overload } from '../../cel/overload.ts';
import { findMacro } from '../../cel/parse.ts';
import { type CelType, isDynOrError, isOptional, typeVariable, unwrapOptional } from '../../cel/types.ts';
import { assignable, instantiate, newSubstitution } from '../../cel/unify.ts';
import { unescapeName } from '../../kubernetes/cel/escape.ts';
import { objectsBelow, type RulePlace } from '../../rules/cel/rulePlace.ts';
import { firstSentence } from '../../workspace/schemaNode.ts';
import type { Completion } from '../completion.ts';
import { macros } from './macros.ts';
import { macroVariables, nodesOf, selectionAt } from './tree.ts';

/** What could be written at an offset of an expression. Ranges are offsets in the expression. */
export function completeRule(place: RulePlace, offset: number): Completion[] {
  const { expr, text } = place.compiled;
  const quote = openQuote(text, offset);
  if (quote !== undefined) return comparedValues(place, offset, quote);
  const selection = selectionAt(expr, offset);
  const word = /[A-Za-z_][\w]*$/.exec(text.slice(0, offset))?.[0] ?? '';
  const range = { start: offset - word.length, end: offset };
  if (selection) return members(place, selection.operand.type, range);
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

/** Inside a string that is compared with a field: the values of the field's enum. */
function comparedValues(place: RulePlace, offset: number, quote: number): Completion[] {
  const { structural, decl } = place;
  const operand = comparedWith(place.compiled.expr, place.compiled.text, quote);
  if (!structural || !decl || operand?.kind !== 'select') return [];
  const object = objectsBelow(structural, decl).get(unwrapOptional(operand.operand.type).name);
  const schema = object?.structural.properties?.get(unescapeName(operand.field) ?? operand.field);
  const values = (schema?.validation?.enum ?? []).filter((value) => typeof value === 'string');
  const range = { start: quote + 1, end: offset };
  return values.map((text, i) => ({
    label: text,
    kind: 'value',
    range,
    text,
    snippet: false,
    order: String(i).padStart(4, '0'),
  }));
}

/** What stands on the other side of the comparison whose right side begins at a quote. */
function comparedWith(expr: Expr, text: string, quote: number): Expr | undefined {
  if (!/[=!]=\s*$/.test(text.slice(0, quote))) return undefined;
  for (const node of nodesOf(expr)) {
    const [left] = node.kind === 'call' && (node.name === '_==_' || node.name === '_!=_') ? node.args : [];
    if (left && /^\s*[=!]=\s*$/.test(text.slice(left.end, quote))) return left;
  }
  return undefined;
}

function members(place: RulePlace, receiver: CelType, range: Range): Completion[] {
  return [
    ...fields(place, receiver, range),
    ...methods(place, receiver, range),
    ...memberMacros(place, receiver, range),
  ];
}

function fields({ structural, decl }: RulePlace, receiver: CelType, range: Range): Completion[] {
  if (!structural || !decl) return [];
  const object = objectsBelow(structural, decl).get(unwrapOptional(receiver).name);
  return [...(object?.decl?.fields ?? [])].map(([name, field], i) => {
    const own = unescapeName(name) ?? name;
    const schema = object?.structural.properties?.get(own);
    const required = object?.structural.validation?.required.includes(own);
    return {
      label: name,
      kind: 'field',
      detail: required ? typeText(field.type) : `${typeText(field.type)}, optional`,
      ...(schema?.description ? { documentation: firstSentence(schema.description) } : {}),
      range,
      text: name,
      snippet: false,
      order: `0${String(i).padStart(4, '0')}`,
    };
  });
}

function methods({ schemaEnv }: RulePlace, receiver: CelType, range: Range): Completion[] {
  const found: Completion[] = [];
  for (const { name, overloads } of schemaEnv.env.functions.values()) {
    const fitting = overloads.filter((overload) => overload.member && takes(overload, receiver));
    // What only macros may call has a name that nobody can write.
    if (fitting.length > 0 && /^[a-z]/i.test(name)) found.push(callCompletion(name, fitting, range, '1'));
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

function callCompletion(name: string, overloads: readonly Overload[], range: Range, group: string): Completion {
  const first = overloads[0]!;
  const arity = Math.max(...overloads.map(({ member, args }) => args.length - Number(member)));
  const more = overloads.length > 1 ? ` (+${overloads.length - 1})` : '';
  return {
    label: name,
    kind: 'function',
    detail: `${first.signature}${more}`,
    documentation: overloadsText(overloads),
    range,
    text: arity === 0 ? `${name}()` : `${name}($1)`,
    snippet: arity > 0,
    order: `${group}${name}`,
  };
}

/** The documentation of overloads: each signature, what they do, an example. */
export function overloadsText(overloads: readonly Overload[]): string {
  const signatures = overloads.map(({ signature }) => signature).join('\n');
  const docs = [...new Set(overloads.map(({ doc }) => doc).filter(Boolean))];
  const example = overloads.find((overload) => overload.example !== '')?.example;
  return [`\`\`\`cel\n${signatures}\n\`\`\``, ...docs, ...(example ? [`\`${example}\``] : [])].join('\n\n');
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
  const seen = new Set<string>();
  const variables = [
    ...macroVariables(place.compiled.expr, offset),
    ...['self', 'oldSelf'].flatMap((name) => (env.idents.has(name) ? [{ name, type: env.idents.get(name)! }] : [])),
  ].filter(({ name }) => !seen.has(name) && seen.add(name));
  const functions = [...env.functions.values()].flatMap(({ name, overloads }) => {
    const global = overloads.filter(({ member }) => !member);
    return /^[a-z]/i.test(name) && global.length > 0 ? [callCompletion(name, global, range, '2')] : [];
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
        order: `0${i}`,
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
