import { runAtEnd } from '../../base/text.ts';
import type { Expr } from '../../cel/ast.ts';
import type { Overload } from '../../cel/overload.ts';
import { findMacro } from '../../cel/syntax.ts';
import { type CelType, isDynOrError, isOptional, typeVariable, unwrapOptional } from '../../cel/types.ts';
import { assignable, instantiate, newSubstitution } from '../../cel/unify.ts';
import { unescapeName } from '../../kubernetes/cel/escape.ts';
import { type ObjectNode, objectsBelow, type RulePlace } from '../../workspace/rulePlace.ts';
import { firstSentence } from '../../workspace/schemaNode.ts';
import type { Completion } from '../completion.ts';
import { untrusted } from '../markdown.ts';
import { completeString, valuesComparedWith } from './completeString.ts';
import { overloadsText } from './functionDocs.ts';
import { type MacroDoc, macros } from './macros.ts';
import { type MarkedRule, markRule, type Wanted, wantedAt } from './markedRule.ts';
import { macroVariables, type Variable } from './nodesAt.ts';
import { fieldsRead, twinOf, type Uses } from './ruleNames.ts';

/** What could be written at an offset of an expression. Ranges are offsets in the expression. */
export function completeRule(place: RulePlace, offset: number, uses: Uses = new Map()): Completion[] {
  const { text } = place.compiled;
  const quote = openQuote(text, offset);
  if (quote !== undefined) return completeString(place, offset, quote);
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

interface At {
  readonly rule: MarkedRule;
  readonly wanted: Wanted;
  readonly uses: Uses;
  readonly objects: ReadonlyMap<string, ObjectNode>;
}

function objectsOf({ structural, decl }: RulePlace): ReadonlyMap<string, ObjectNode> {
  return structural && decl ? objectsBelow(structural, decl) : new Map();
}

/** An order out of what matters most first: smaller numbers stand before larger ones. */
function rank(...places: readonly number[]): string {
  return places.map((place) => String(Math.min(Math.max(place, 0), 9999)).padStart(4, '0')).join('');
}

const used = ({ uses }: At, name: string) => 9999 - (uses.get(name) ?? 0);

/** 0 where a value of a type suits the place, 1 where it does not. */
function misfit({ wanted, objects, rule }: At, type: CelType): number {
  const { types, field, method, loop } = wanted;
  // What a call with its arguments there gives is not known before it is named.
  if (types && type.open) return Number(!rule.isCall);
  if (types) return Number(!types.some((one) => assignable(newSubstitution(), type, one)));
  if (field !== undefined) return Number(!objects.get(unwrapOptional(type).name)?.decl?.fields?.has(field));
  if (loop) return Number(!isIterable(type));
  if (method !== undefined) return Number(!canCall(rule.place, type, method));
  return 0;
}

const isIterable = (type: CelType) => type.kind === 'list' || type.kind === 'map';

function canCall({ schemaEnv }: RulePlace, type: CelType, method: string): boolean {
  const overloads = schemaEnv.env.functions.get(method)?.overloads ?? [];
  const macro = macros.find(({ name, on }) => name === method && on !== 'global');
  if (macro) return macro.on === 'collection' ? isIterable(type) : isOptional(type);
  return overloads.some((one) => one.member && accepts(one.args[0]!, one, type));
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
      ...(schema?.description ? { documentation: untrusted(firstSentence(schema.description)) } : {}),
      range: at.rule.word,
      text: name,
      snippet: false,
      order: rank(0, suits(name, field.type, required), used(at, name), i),
    };
  });
}

/**
 * How well a field suits: by its type; in `has()` one that the rule reads and has not asked for yet, behind it one that
 * was asked for; beside `oldSelf` the same field; beside another field of the same object another one.
 */
function fieldRank(at: At): (name: string, type: CelType, required: boolean) => number {
  const { before, after, operandText } = at.rule;
  const rest = `${before} ${after}`;
  const [own, twin] = [fieldsRead(rest, operandText), fieldsRead(rest, twinOf(operandText))];
  const isBranch = at.rule.chain.some((node) => node.kind === 'call' && node.name === '_?_:_');
  const operandStart = runAtEnd(before, /[\w.\s[\]'"]/);
  const inHas = /(?:^|\W)has\($/.test(before.slice(Math.max(0, operandStart - 5), operandStart));
  const { other } = at.wanted;
  const same = other?.kind === 'select' && textOf(at, other.operand) === operandText ? other.field : undefined;
  const twinField = other?.kind === 'select' && textOf(at, other.operand) === twinOf(operandText) ? other.field : '';
  return (name, type, required) => {
    const wrong = inHas ? Number(required) : misfit(at, type);
    const isRead = own.read.has(name) || twin.read.has(name) || twin.asked.has(name);
    const askAgain = twin.asked.has(name) || isBranch;
    const isDue = inHas
      ? (isRead || (isBranch && own.asked.has(name))) && (!own.asked.has(name) || askAgain)
      : own.asked.has(name) && !own.read.has(name);
    const isTwin = name === twinField || (!inHas && twin.read.has(name) && !own.read.has(name));
    const isLast = name === same || (inHas && own.asked.has(name) && !askAgain);
    return (isLast ? 8 : 0) + wrong * 4 + (isDue || isTwin ? 0 : 2);
  };
}

function textOf({ rule }: At, expr: Expr): string {
  const { before, after } = rule;
  const whole = `${before}k8sMark${after}`;
  return whole.slice(expr.start, expr.end).replace(/\s+/g, '');
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

/** Whether a call on a receiver of this type can check. */
function takes(overload: Overload, receiver: CelType): boolean {
  if (isDynOrError(receiver)) return true;
  return accepts(overload.args[0]!, overload, receiver);
}

function accepts(wanted: CelType, { params }: Overload, given: CelType): boolean {
  const fresh = params.map((_, i) => typeVariable(i));
  return assignable(newSubstitution(), given, instantiate(wanted, params, fresh));
}

/** Names that most rules use, before all others that suit as well. */
const common = (
  'size startsWith matches contains endsWith orValue hasValue value isGreaterThan isLessThan compareTo lowerAscii split ' +
  'duration timestamp quantity isURL url isIP ip isCIDR cidr getHostname getScheme string int double dyn'
).split(' ');

function familiarity(name: string): number {
  const place = common.indexOf(name);
  return place === -1 ? common.length : place;
}

/** How badly a call suits: its result, and the arguments that stand there already. */
function callMisfit(at: At, overloads: readonly Overload[]): number {
  const results = Math.min(...overloads.map(({ result }) => misfit(at, result)));
  const node = at.rule.chain.at(-1);
  if (!at.rule.isCall || node?.kind !== 'call') return results;
  const { args } = node;
  const suiting = overloads.filter((overload) => {
    const wanted = overload.args.slice(Number(overload.member));
    return wanted.length === args.length && wanted.every((type, i) => accepts(type, overload, args[i]!.type));
  });
  return results + (suiting.length === 0 ? 2 : 0);
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

/** `isURL(x) && url(x)`: the test that goes with what is made of the value; `matches` before what looks like a pattern. */
function meant({ rule }: At, name: string): number {
  const made = /^is([A-Z]\w*)$/.exec(name)?.[1]?.toLowerCase();
  const isTest = made !== undefined && calls(rule.after, made);
  return isTest || (name === 'matches' && /^\(\s*r?["']\^/.test(rule.after)) ? 0 : 1;
}

/** Whether a function is called in a text. */
function calls(text: string, name: string): boolean {
  const call = `${name}(`;
  for (let at = text.indexOf(call); at !== -1; at = text.indexOf(call, at + 1)) {
    if (!/\w/.test(text[at - 1] ?? '')) return true;
  }
  return false;
}

function memberMacros(at: At, receiver: CelType): Completion[] {
  const iterable = isIterable(receiver) || isDynOrError(receiver);
  const { syntax } = at.rule.place.schemaEnv.env;
  return macros
    .filter(({ on }) => (on === 'collection' ? iterable : on === 'optional' && isOptional(receiver)))
    .filter(({ name, args }) => findMacro(syntax, name, true, args))
    .map((macro) => macroCompletion(at, macro));
}

function macroCompletion(at: At, macro: MacroDoc): Completion {
  const { name, doc, snippet } = macro;
  return {
    label: name,
    kind: 'keyword',
    detail: 'macro',
    documentation: doc,
    range: at.rule.word,
    text: at.rule.isCall ? name : snippet,
    snippet: !at.rule.isCall,
    order: rank(1, macroMisfit(at, macro), 0, used(at, name), macros.indexOf(macro)),
  };
}

const giving: ReadonlyMap<string, string> = new Map([
  ['map', 'list'],
  ['filter', 'list'],
  ['transformList', 'list'],
  ['transformMap', 'map'],
]);

/** How badly a macro suits: by what it gives, and by the arguments that stand there already. */
function macroMisfit({ wanted, rule }: At, { name, args, on }: MacroDoc): number {
  const kind = giving.get(name) ?? 'bool';
  const wantsList = wanted.loop === true || wanted.method !== undefined || wanted.field !== undefined;
  const result = wanted.types
    ? Number(wanted.types.every((type) => type.kind !== kind))
    : Number(wantsList !== (kind !== 'bool'));
  const node = rule.chain.at(-1);
  if (!rule.isCall || node?.kind !== 'call') return result;
  const first = node.args[0];
  const suits = node.args.length === args && (on === 'global' ? first?.kind === 'select' : first?.kind === 'ident');
  return result + (suits ? 0 : 4);
}

// Where a value begins

function globals(at: At): Completion[] {
  const called = [...functionsOf(at, ''), ...globalMacros(at)];
  if (at.rule.isCall) return called;
  return [...comparedValues(at), ...variablesOf(at), ...called, ...namespaces(at), ...keywords(at)];
}

function globalMacros(at: At): Completion[] {
  return macros.filter(({ on }) => on === 'global').map((macro) => macroCompletion(at, macro));
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
  const own = ['self', 'oldSelf'].flatMap((name): Variable[] => {
    const type = env.idents.get(name);
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

/** A variable whose type does not suit; or the one of which the other side of a comparison reads the same field. */
function variableMisfit(at: At, name: string, type: CelType): number {
  const { chain } = at.rule;
  const selection = chain.at(-2);
  if (selection?.kind !== 'select') return misfit(at, type);
  const { other } = wantedAt(chain.slice(0, -1), at.rule.place);
  const repeats = other?.kind === 'select' && other.field === selection.field && textOf(at, other.operand) === name;
  return misfit(at, type) * 2 + Number(repeats);
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

/** A type as a person reads it: generated names of object types say nothing. */
export function typeText(type: CelType): string {
  return type.text.replace(/selfType[\w.@]*/g, 'object');
}
