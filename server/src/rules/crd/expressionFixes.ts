import { findWord, type Range } from '../../base/text.ts';
import { type Compiled, compile } from '../../cel/compile.ts';
import type { CelProblem, ProblemFact } from '../../cel/source.ts';
import { isOptional, stringType } from '../../cel/types.ts';
import { schemaEnvironment } from '../../kubernetes/cel/environment.ts';
import { escapeName, reservedWords } from '../../kubernetes/cel/escape.ts';
import type { ExpressionFacts } from '../../kubernetes/crd/findings.ts';
import { newestVersion } from '../../kubernetes/releases/all.ts';
import { environmentName } from '../../kubernetes/releases/environments.ts';
import { objectsBelow, type RulePlace, rulePlace } from '../../workspace/rulePlace.ts';
import { setValue } from '../../yaml/edit.ts';
import { fixOf, putKey } from '../fixing/fixes.ts';
import { nearestNames } from '../fixing/nearest.ts';
import type { Fix } from '../model/diagnostic.ts';
import type { Problem } from '../model/rule.ts';
import { type Rewrite, slips } from './expressionSlips.ts';

/** Corrections of an expression that does not compile: only those that leave fewer mistakes in it than there were. */
export function expressionFixes(problem: Problem<string, ExpressionFacts>): Fix[] {
  const { manifest, path, facts } = problem;
  const place = manifest && rulePlace(manifest, path, problem.kubernetes ?? newestVersion);
  if (!place) return [];
  const better = bestOf(place, facts.problem);
  return [
    ...optionalOldSelf(problem, place),
    ...better.flatMap((rewrite) =>
      fixOf(rewrite.title, edited(problem, place, rewrite), better.length === 1 && !rewrite.guess),
    ),
  ];
}

/** What starts from the mistake itself, or else from what people often write. */
function bestOf(place: RulePlace, problem: CelProblem | undefined): Rewrite[] {
  const direct = rewrites(place, problem).filter((rewrite) => isBetter(place, rewrite));
  return direct.length > 0
    ? direct
    : slips(place)
        .filter((rewrite) => isBetter(place, rewrite))
        .slice(0, mostSlips);
}

const mostSlips = 5;

/** A rule that asks whether there is an old value wants to run where there is none. */
function optionalOldSelf(problem: Problem, { compiled, map, decl, kubernetes, keyword }: RulePlace): Fix[] {
  const asks = /\boldSelf\s*\.\s*(?:\?|(?:hasValue|value|orValue|or|optMap|optFlatMap)\s*\()/.test(map.value);
  if (!asks || keyword !== 'rule' || compiled.syntax.length + compiled.problems.length === 0) return [];
  const { env } = schemaEnvironment(kubernetes, environmentName(kubernetes, false), decl, true);
  if (compile(map.value, env).problems.length >= compiled.problems.length) return [];
  const edits = putKey(problem, problem.path.slice(0, -1), 'optionalOldSelf', true, { after: 'rule' });
  return fixOf('Add `optionalOldSelf: true`', edits, true);
}

/** In the words of the file where they stand as they are, by another value where they are escaped or folded. */
function edited(problem: Problem, { map }: RulePlace, { start, end, text }: Rewrite) {
  const range = { start: map.toText(start), end: end > start ? map.toTextEnd(end - 1) : map.toText(start) };
  const isPlain = problem.document.text.slice(range.start, range.end) === map.value.slice(start, end);
  if (isPlain && /^[\w.]*$/.test(text)) return [{ range, text }];
  return setValue(problem.document, problem.path, applied(map.value, { start, end, text }));
}

function applied(expression: string, { start, end, text }: Range & { readonly text: string }): string {
  return expression.slice(0, start) + text + expression.slice(end);
}

function isBetter(place: RulePlace, rewrite: Rewrite): boolean {
  const before = mistakes(place, place.compiled);
  const after = mistakes(place, compile(applied(place.map.value, rewrite), place.schemaEnv.env));
  return after < before;
}

/** Syntax errors weigh more: behind one nothing else is seen. */
function mistakes({ keyword }: RulePlace, { syntax, problems, expr }: Compiled): number {
  const wrongType = keyword === 'messageExpression' && expr.type !== stringType ? 1 : 0;
  return syntax.length * 1000 + problems.length + wrongType;
}

function rewrites(place: RulePlace, problem: CelProblem | undefined): Rewrite[] {
  if (!problem) return asString(place);
  if (problem.fact?.kind === 'undefined-field') {
    // The verdict names types from the rule's node, the place names them from the schema's root.
    const here = place.compiled.problems.find((one) => one.at === problem.at && one.fact?.kind === 'undefined-field');
    return here?.fact?.kind === 'undefined-field' ? fieldNames(place, here, here.fact) : [];
  }
  if (problem.fact?.kind === 'undeclared') return knownNames(place, problem, problem.fact.name);
  if (problem.fact?.kind === 'no-overload') return conversions(place, problem, problem.fact);
  return place.compiled.syntax.length > 0 ? escapedWords(place) : [];
}

/** A message that is not a string. */
function asString({ keyword, map, compiled }: RulePlace): Rewrite[] {
  if (keyword !== 'messageExpression' || compiled.syntax.length + compiled.problems.length > 0) return [];
  const text = `string(${map.value.trim()})`;
  return [{ title: 'Convert it with `string()`', text, start: 0, end: map.value.length }];
}

function fieldsOf({ structural, decl }: RulePlace, type: string): readonly string[] {
  const object = structural && decl ? objectsBelow(structural, decl).get(type) : undefined;
  return [...(object?.decl?.fields?.keys() ?? [])];
}

function propertiesOf({ structural, decl }: RulePlace, type: string): readonly string[] {
  const object = structural && decl ? objectsBelow(structural, decl).get(type) : undefined;
  return [...(object?.structural.properties?.keys() ?? [])];
}

type UndefinedField = Extract<ProblemFact, { kind: 'undefined-field' }>;

/** A field that its object does not have: one of another name, or one whose name has to be escaped. */
function fieldNames(place: RulePlace, problem: CelProblem, fact: UndefinedField): Rewrite[] {
  const type = fact.type.name;
  const range = wordAt(place.map.value, fact.field, problem);
  if (!range) return [];
  const rest = place.map.value.slice(range.start);
  const written = propertiesOf(place, type)
    .filter((name) => rest.startsWith(name) && name.length > fact.field.length)
    .sort((a, b) => b.length - a.length)[0];
  const escaped = written === undefined ? undefined : escapeName(written);
  if (written !== undefined && escaped !== undefined) {
    const end = range.start + written.length;
    return [{ title: `Escape \`${written}\` as \`${escaped}\``, text: escaped, start: range.start, end }];
  }
  return renamed(nearestNames(fact.field, fieldsOf(place, type)), range);
}

const renamed = (names: readonly string[], range: Range): Rewrite[] =>
  names.map((name) => ({ ...range, title: `Change to \`${name}\``, text: name }));

/** A name that is declared nowhere: a field without `self`, or a function or variable of another name. */
function knownNames(place: RulePlace, problem: CelProblem, name: string): Rewrite[] {
  const range = wordAt(place.map.value, name, problem);
  const { decl, map, schemaEnv } = place;
  if (!range) return [];
  const isCall = /^\s*\(/.test(map.value.slice(range.end));
  const fields = isCall ? [] : [...(decl?.fields?.keys() ?? [])];
  const own = fields.includes(name) ? [name] : [];
  const near = own.length > 0 ? own : nearestNames(name, fields);
  const ofSelf = near.map((field) => ({ ...range, title: `Change to \`self.${field}\``, text: `self.${field}` }));
  if (ofSelf.length > 0) return ofSelf;
  const functions = [...schemaEnv.env.functions.keys()].filter((one) => /^[A-Za-z]\w*$/.test(one));
  const known = isCall ? [...new Set([...functions, ...schemaEnv.env.syntax.macros.keys()])] : ['self', 'oldSelf'];
  return renamed(nearestNames(name, known), range);
}

/** Where a word of the expression stands, from where its problem is. */
function wordAt(text: string, word: string, { at, start, end }: CelProblem): Range | undefined {
  const last = word.split('.').at(-1)!;
  if (end !== undefined && text.slice(0, end).endsWith(last) && start !== undefined && end - start >= last.length) {
    const isWhole = text.slice(start, end).includes('(') === false;
    if (isWhole) return { start: end - last.length, end };
  }
  const from = Math.max(0, start ?? at);
  const found = findWord(text, last, from);
  return found < 0 ? undefined : { start: found, end: found + last.length };
}

/** Fields whose names are words of CEL itself. */
function escapedWords({ map }: RulePlace): Rewrite[] {
  const found = [...map.value.matchAll(/\.\s*([a-z]+)\b/g)].filter(([, word]) => reservedWords.has(word!));
  return found.map((match) => {
    const word = match[1]!;
    const start = match.index + match[0].length - word.length;
    return { title: `Escape \`${word}\` as \`__${word}__\``, text: `__${word}__`, start, end: start + word.length };
  });
}

/** What one side of an operator becomes where the other is of the type before: `int` beside `double`. */
const conversion: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  double: { int: 'double', uint: 'double' },
  int: { uint: 'int' },
  timestamp: { string: 'timestamp' },
  duration: { string: 'duration' },
};

/** Two operands of types that do not go together, one of them converted. */
function conversions(
  { map }: RulePlace,
  { at, start, end }: CelProblem,
  { name, args }: Extract<ProblemFact, { kind: 'no-overload' }>,
): Rewrite[] {
  const operator = /^_(.+)_$/.exec(name)?.[1];
  const [left, right] = args;
  const isOperator = operator !== undefined && left && right && start !== undefined && end !== undefined;
  if (!isOperator || !map.value.startsWith(operator, at)) return [];
  const sides = [
    { own: left, other: right, ...trimmed(map.value, start, at) },
    { own: right, other: left, ...trimmed(map.value, at + operator.length, end) },
  ];
  return sides.flatMap((side): Rewrite[] => {
    const text = map.value.slice(side.start, side.end);
    const optional = isOptional(side.own) && /^[\w.]+$/.test(text);
    if (optional)
      return [{ ...range(side), title: `Use the value of \`${text}\``, text: `${text}.value()`, guess: true }];
    const wanted = conversion[side.other.kind]?.[side.own.kind];
    if (wanted === undefined) return [];
    return [{ ...range(side), title: `Convert \`${text}\` with \`${wanted}()\``, text: `${wanted}(${text})` }];
  });
}

const range = ({ start, end }: Range): Range => ({ start, end });

function trimmed(text: string, start: number, end: number): Range {
  const part = text.slice(start, end);
  return { start: start + part.length - part.trimStart().length, end: end - (part.length - part.trimEnd().length) };
}
