import { runAtEnd } from '../../base/text.ts';
import type { Expr } from '../../cel/ast.ts';
import type { Macro } from '../../cel/macros.ts';
import type { Overload } from '../../cel/overload.ts';
import { type CelType, isDynOrError, isOptional, typeVariable, unwrapOptional } from '../../cel/types.ts';
import { assignable, instantiate, newSubstitution } from '../../cel/unify.ts';
import type { ObjectNode, RulePlace } from '../../workspace/rulePlace.ts';
import { type MarkedRule, mark, type Wanted, wantedAt } from './markedRule.ts';
import { fieldsRead, twinOf, type Uses } from './ruleNames.ts';

// How well a name suits a place of a rule: by types, by what the rule says beside it, by what other rules use.

/** A place in a rule, with all that ranking rests on. */
export interface At {
  readonly rule: MarkedRule;
  readonly wanted: Wanted;
  readonly uses: Uses;
  readonly objects: ReadonlyMap<string, ObjectNode>;
}

/** An order out of what matters most first: smaller numbers stand before larger ones. */
export function rank(...places: readonly number[]): string {
  return places.map((place) => String(Math.min(Math.max(place, 0), 9999)).padStart(4, '0')).join('');
}

export const used = ({ uses }: At, name: string) => 9999 - (uses.get(name) ?? 0);

/** 0 where a value of a type suits the place, 1 where it does not. */
export function misfit({ wanted, objects, rule }: At, type: CelType): number {
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

/** Whether a macro that is called on something can be called on a value of a type. */
export function suitsReceiver(type: CelType, on: Macro['on']): boolean {
  if (on === 'optional') return isOptional(type);
  if (on !== 'list' && on !== 'collection') return false;
  return isDynOrError(type) || type.kind === 'list' || (on === 'collection' && type.kind === 'map');
}

function canCall({ schemaEnv }: RulePlace, type: CelType, method: string): boolean {
  const overloads = schemaEnv.env.functions.get(method)?.overloads ?? [];
  const macros = schemaEnv.env.syntax.macros.get(method)?.filter(({ on }) => on !== 'nothing' && on !== 'cel') ?? [];
  if (macros.length > 0) return macros.some(({ on }) => !isDynOrError(type) && suitsReceiver(type, on));
  return overloads.some((one) => one.member && accepts(one.args[0]!, one, type));
}

/**
 * How well a field suits: by its type; in `has()` one that the rule reads and has not asked for yet, behind it one that
 * was asked for; beside `oldSelf` the same field; beside another field of the same object another one.
 */
export function fieldRank(at: At): (name: string, type: CelType, required: boolean) => number {
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
  const whole = before + mark + after;
  return whole.slice(expr.start, expr.end).replace(/\s+/g, '');
}

/** Whether a call on a receiver of this type can check. */
export function takes(overload: Overload, receiver: CelType): boolean {
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

export function familiarity(name: string): number {
  const place = common.indexOf(name);
  return place === -1 ? common.length : place;
}

/** How badly a call suits: its result, and the arguments that stand there already. */
export function callMisfit(at: At, overloads: readonly Overload[]): number {
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

/** `isURL(x) && url(x)`: the test that goes with what is made of the value; `matches` before what looks like a pattern. */
export function meant({ rule }: At, name: string): number {
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

/** How badly a macro suits: by what it gives, and by the arguments that stand there already. */
export function macroMisfit({ wanted, rule }: At, forms: readonly Macro[]): number {
  const { gives, on } = forms[0]!;
  // Of optionals and names for values it is not known what they lead to: mostly a condition.
  const kind = gives === 'list' || gives === 'map' ? gives : 'bool';
  const wantsList = wanted.loop === true || wanted.method !== undefined || wanted.field !== undefined;
  const result = wanted.types
    ? Number(wanted.types.every((type) => type.kind !== kind))
    : Number(wantsList !== (kind !== 'bool'));
  const node = rule.chain.at(-1);
  if (!rule.isCall || node?.kind !== 'call') return result;
  const first = node.args[0];
  const hasForm = forms.some(({ args }) => args === node.args.length);
  return result + (hasForm && first?.kind === (on === 'nothing' ? 'select' : 'ident') ? 0 : 4);
}

/** A variable whose type does not suit; or the one of which the other side of a comparison reads the same field. */
export function variableMisfit(at: At, name: string, type: CelType): number {
  const { chain } = at.rule;
  const selection = chain.at(-2);
  if (selection?.kind !== 'select') return misfit(at, type);
  const { other } = wantedAt(chain.slice(0, -1), at.rule.place);
  const repeats = other?.kind === 'select' && other.field === selection.field && textOf(at, other.operand) === name;
  return misfit(at, type) * 2 + Number(repeats);
}
