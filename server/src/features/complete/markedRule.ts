import type { Range } from '../../base/text.ts';
import { type Call, childrenOf, type Expr, type ListExpr } from '../../cel/ast.ts';
import { compile } from '../../cel/compile.ts';
import { boolType, type CelType, intType, isDynOrError, stringType, typeVariable } from '../../cel/types.ts';
import { instantiate } from '../../cel/unify.ts';
import type { RulePlace } from '../../workspace/rulePlace.ts';
import { nameStart } from '../place/nodesAt.ts';

// What is being typed is found out by putting a name there that nothing has: then the rest of the rule can be parsed
// and typed, whatever is half written.

export const mark = 'k8sMark';

/** An expression with the mark in place of the word at the cursor. */
export interface MarkedRule {
  readonly place: RulePlace;
  /** The rule without the word. */
  readonly before: string;
  readonly after: string;
  readonly word: Range;
  /** From the root to the node that has the mark for its name; a call where a parenthesis follows. */
  readonly chain: readonly Expr[];
  /** What stands before the dot, where the mark is a member. */
  readonly operand: Expr | undefined;
  readonly operandText: string;
  /** The member is written `.?`. */
  readonly optional: boolean;
  readonly isCall: boolean;
}

export function markRule(place: RulePlace, offset: number): MarkedRule | undefined {
  const { text } = place.compiled;
  const typed = text.slice(nameStart(text, offset), offset);
  const behind = typed === '' ? '' : /^\w*/.exec(text.slice(offset))![0];
  const word = { start: offset - typed.length, end: offset + behind.length };
  const [before, after] = [text.slice(0, word.start), text.slice(word.end)];
  const { expr } = compile(before + mark + after, place.schemaEnv.env);
  const chain = chainTo(expr);
  const node = chain.at(-1);
  if (!node) return undefined;
  const operand = operandOf(node);
  const operandText = operand ? before.slice(operand.start, operand.end).replace(/\s+/g, '') : '';
  const optional = node.kind === 'call' && node.name === '_?._';
  const isCall = node.kind === 'call' && !optional;
  return { place, before, after, word, chain, operand, operandText, optional, isCall };
}

function chainTo(expr: Expr): Expr[] {
  if (isMark(expr)) return [expr];
  for (const child of childrenOf(expr)) {
    const below = chainTo(child);
    if (below.length > 0) return [expr, ...below];
  }
  return [];
}

function isMark(node: Expr): boolean {
  if (node.kind === 'ident') return node.name === mark;
  if (node.kind === 'select') return node.field === mark;
  if (node.kind !== 'call') return false;
  const named = node.args[1];
  const isOptional = node.name === '_?._' && named?.kind === 'literal';
  return node.name === mark || (isOptional && named.literal.of === 'string' && named.literal.value === mark);
}

function operandOf(node: Expr): Expr | undefined {
  if (node.kind === 'select') return node.operand;
  if (node.kind !== 'call') return undefined;
  return node.name === '_?._' ? node.args[0] : node.target;
}

/** What the place of a node asks of it. */
export interface Wanted {
  /** One of these types; undefined where that is not known. */
  readonly types?: readonly CelType[] | undefined;
  /** That it has a field. */
  readonly field?: string;
  /** That a method can be called on it. */
  readonly method?: string;
  /** That it can be gone through. */
  readonly loop?: boolean;
  /** What it is compared with. */
  readonly other?: Expr | undefined;
}

/** What is asked of the last node of a chain. */
export function wantedAt(chain: readonly Expr[], place: RulePlace): Wanted {
  const [parent, node] = chain.slice(-2);
  if (!parent || !node) return { types: [place.keyword === 'rule' ? boolType : stringType] };
  const outer = chain.slice(0, -1);
  if (parent.kind === 'select') return { field: parent.field };
  if (parent.kind === 'comprehension') return parent.range === node ? { loop: true } : {};
  if (parent.kind === 'list') return wantedInList(parent, node, outer.at(-2));
  return parent.kind === 'call' ? wantedInCall(parent, node, outer, place) : {};
}

function known(type: CelType | undefined, other?: Expr): Wanted {
  return { types: type === undefined || isDynOrError(type) ? undefined : [type], other };
}

/** An element is of the type of what is looked for in the list, or of its other elements. */
function wantedInList({ elements }: ListExpr, node: Expr, around: Expr | undefined): Wanted {
  const sought = around?.kind === 'call' && around.name === '@in' ? around.args[0] : undefined;
  return sought ? known(sought.type, sought) : known(elements.find((one) => one !== node)?.type);
}

const logical: ReadonlySet<string> = new Set(['_&&_', '_||_', '!_', '@not_strictly_false']);
const binary = /^_(?:==|!=|<|<=|>|>=|\+|-|\*|\/|%)_$/;

function wantedInCall(call: Call, node: Expr, outer: readonly Expr[], place: RulePlace): Wanted {
  const { name, args, target } = call;
  const other = args.find((arg) => arg !== node);
  if (target === node) return { method: name };
  if (logical.has(name)) return { types: [boolType] };
  if (binary.test(name)) return known(other?.type, other);
  if (name === '_?_:_') return wantedInChoice(args, node, outer, place);
  if (name === '@in') return args[1] === node ? { loop: true } : known(args[1] && keyOf(args[1].type));
  if (name === '_[_]' || name === '_[?_]') return args[1] === node ? known(indexOf(args[0]!.type)) : { loop: true };
  if (name === '_?._') return fieldNamedBy(args[1]);
  return wantedByFunction(call, args.indexOf(node), place);
}

function wantedInChoice(args: readonly Expr[], node: Expr, outer: readonly Expr[], place: RulePlace): Wanted {
  if (args[0] === node) return { types: [boolType] };
  const branch = known(args.slice(1).find((arg) => arg !== node)?.type);
  return branch.types ? branch : wantedAt(outer, place);
}

/** What `in` looks for in a list or map. */
function keyOf(type: CelType): CelType | undefined {
  return ['list', 'map'].includes(type.kind) ? type.params[0] : undefined;
}

function indexOf(type: CelType): CelType | undefined {
  return type.kind === 'list' ? intType : type.kind === 'map' ? type.params[0] : undefined;
}

function fieldNamedBy(name: Expr | undefined): Wanted {
  return name?.kind === 'literal' && name.literal.of === 'string' ? { field: name.literal.value } : {};
}

function wantedByFunction({ name, target }: Call, parameter: number, { schemaEnv }: RulePlace): Wanted {
  const member = target !== undefined;
  const overloads = schemaEnv.env.functions.get(name)?.overloads.filter((one) => one.member === member) ?? [];
  const types = overloads.flatMap(({ args, params }) => {
    const type = args[parameter + Number(member)];
    const fresh = params.map((_, i) => typeVariable(i));
    return type ? [instantiate(type, params, fresh)] : [];
  });
  return types.length === 0 ? {} : { types };
}
