import { type Call, childrenOf, type Expr, type MacroCall, type Select, writtenArgs } from '../../cel/ast.ts';
import type { CelProblem } from '../../cel/source.ts';
import type { CelType } from '../../cel/types.ts';

// Type checking takes an expression for each kind as if all of it were evaluated. A policy for several kinds asks for
// `object.kind`, or for what the request says of it, before it reads what only one of them has, so that much of it is never
// reached for the others.

/** What a part comes to for one kind; undefined where that depends on the object. */
export type Known = string | boolean | undefined;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A kind, and the resource that its objects are at. */
export interface AskedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string | undefined;
}

interface Asked {
  /** What is known of an object of the kind, and of each request with one, by the path to it. */
  readonly facts: ReadonlyMap<string, string>;
  /** What the policy's own variables come to. */
  readonly variables: ReadonlyMap<string, Known>;
  /** Where a loop over written values has its variable. */
  readonly loop: { readonly name: string; readonly value: Known } | undefined;
  /** What is asked for and the kind does not have. */
  readonly absent: readonly Span[];
  /** The parts that are not reached, as far as they are found. */
  readonly unreached: Span[] | undefined;
}

interface ForKind {
  readonly value: Known;
  readonly unreached: readonly Span[];
  /** The policy's own variables that are read where the objects come to. */
  readonly reads: ReadonlySet<string>;
}

/** What an expression comes to for objects of a kind, and the parts of it that they never reach. */
export function forKind(
  expr: Expr,
  kind: AskedKind,
  variables: ReadonlyMap<string, Known>,
  absent: readonly CelProblem[] = [],
): ForKind {
  const unreached: Span[] = [];
  const asked = { facts: factsOf(kind), variables, loop: undefined, absent: absent.map(spanOf), unreached };
  const value = known(expr, asked);
  return {
    value,
    unreached,
    reads: new Set(
      variablesIn(expr)
        .filter(isOutside(unreached))
        .map(({ field }) => field),
    ),
  };
}

/** The API server gives a policy objects of the version that it names, and says so in the request: not in `requestKind`. */
function factsOf({ group, version, kind, resource }: AskedKind): ReadonlyMap<string, string> {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['object.kind', kind],
    ['object.apiVersion', group === '' ? version : `${group}/${version}`],
    ['request.kind.kind', kind],
    ['request.kind.group', group],
    ['request.kind.version', version],
    ['request.resource.resource', resource],
    ['request.resource.group', group],
    ['request.resource.version', version],
  ];
  return new Map(facts.filter((one): one is readonly [string, string] => one[1] !== undefined));
}

/** The names of the policy's own variables that an expression reads, wherever it does. */
export function variablesRead(expr: Expr): readonly string[] {
  return variablesIn(expr).map(({ field }) => field);
}

function variablesIn(e: Expr): readonly Select[] {
  if (e.kind === 'select' && e.operand.kind === 'ident' && e.operand.name === 'variables') return [e];
  return childrenOf(e).flatMap(variablesIn);
}

const isOutside = (parts: readonly Span[]) => (one: Span) => !parts.some((part) => isIn(one, part));

const isIn = (one: Span, part: Span) => part.start <= one.start && one.end <= part.end;

const spanOf = ({ at, start = at, end = start }: CelProblem): Span => ({ start, end });

/**
 * Why a problem of type checking is none when the policy runs: the objects never come there, it asks for what only other kinds
 * have, or values have no types.
 */
export type NoProblem = 'unreached' | 'asked' | 'untyped';

/** What `has()` or `.?` asks a kind for that does not have it, where another kind of the policy has it. */
export function askedOfOthers({ problems }: WithProblems, kinds: readonly WithProblems[]): readonly CelProblem[] {
  const has = (one: WithProblems, asked: CelProblem) =>
    !one.problems.some((problem) => isIn(spanOf(problem), spanOf(asked)));
  return problems.filter(
    (problem) =>
      problem.fact?.kind === 'undefined-field' && problem.fact.isAsked && kinds.some((one) => has(one, problem)),
  );
}

interface WithProblems {
  readonly problems: readonly CelProblem[];
}

/** Values that a policy sees have no types: lists of two are added, one of two objects is chosen, all may be `null`. */
export function whyNone(
  problem: CelProblem,
  unreached: readonly Span[],
  asked: readonly CelProblem[],
): NoProblem | undefined {
  if (!isOutside(unreached)(spanOf(problem))) return 'unreached';
  if (asked.includes(problem)) return 'asked';
  const { fact } = problem;
  if (fact?.kind === 'mismatch') return fact.isOfEntries ? 'untyped' : undefined;
  if (fact?.kind !== 'no-overload') return undefined;
  const { name, args } = fact;
  if (name === '_+_') return args.every(isList) ? 'untyped' : undefined;
  if (name === '_==_' || name === '_!=_') return args.some(({ kind }) => kind === 'null') ? 'untyped' : undefined;
  if (name !== '_?_:_' || args[0]?.kind !== 'bool') return undefined;
  const chosen = args.slice(1);
  return chosen.every(isObject) || chosen.every(isList) ? 'untyped' : undefined;
}

function isList({ kind }: CelType): boolean {
  return kind === 'list';
}

function isObject({ kind }: CelType): boolean {
  return kind === 'map' || kind === 'struct';
}

function known(e: Expr, asked: Asked): Known {
  const { macro } = e;
  if (e.kind === 'select' && e.testOnly && !isOutside(asked.absent)(e)) return false;
  if (macro) return ofMacro(macro, asked);
  if (e.kind === 'literal') {
    const { literal } = e;
    return literal.of === 'string' || literal.of === 'bool' ? literal.value : undefined;
  }
  if (e.kind === 'ident') return asked.loop?.name === e.name ? asked.loop.value : undefined;
  const path = e.kind === 'select' && !e.testOnly ? pathOf(e) : undefined;
  if (path) return ofPath(path, asked);
  if (e.kind === 'call') return ofCall(e, asked);
  for (const child of childrenOf(e)) known(child, asked);
  return undefined;
}

/** The names in `request.kind.kind`. */
function pathOf(e: Expr): readonly string[] | undefined {
  if (e.kind === 'ident') return [e.name];
  if (e.kind !== 'select' || e.testOnly) return undefined;
  const before = pathOf(e.operand);
  return before && [...before, e.field];
}

function ofPath(path: readonly string[], { facts, variables, loop }: Asked): Known {
  const [of, field] = path;
  if (of === loop?.name) return undefined;
  return of === 'variables' && path.length === 2 ? variables.get(field!) : facts.get(path.join('.'));
}

function ofCall(e: Call, asked: Asked): Known {
  const [first, second, third] = e.args;
  if (e.name === '_?_:_' && first && second && third) return chosen(first, second, third, asked);
  if ((e.name === '_||_' || e.name === '_&&_') && first && second) {
    return joined(first, second, e.name === '_||_', asked);
  }
  if (e.name === '@in' && first && second?.kind === 'list') return isOneOf(known(first, asked), second.elements, asked);
  const values = childrenOf(e).map((child) => known(child, asked));
  const [left, right] = values;
  if (e.name === '!_') return typeof left === 'boolean' ? !left : undefined;
  if ((e.name !== '_==_' && e.name !== '_!=_') || left === undefined || right === undefined) return undefined;
  return (left === right) === (e.name === '_==_');
}

function chosen(condition: Expr, yes: Expr, no: Expr, asked: Asked): Known {
  const is = known(condition, asked);
  const [whenYes, whenNo] = [known(yes, asked), known(no, asked)];
  if (typeof is !== 'boolean') return undefined;
  asked.unreached?.push(is ? no : yes);
  return is ? whenYes : whenNo;
}

/** With one side that decides, the other may fail. */
function joined(left: Expr, right: Expr, decides: boolean, asked: Asked): Known {
  const [one, other] = [known(left, asked), known(right, asked)];
  if (one === decides) asked.unreached?.push(right);
  else if (other === decides) asked.unreached?.push(left);
  if (one === decides || other === decides) return decides;
  return one === !decides && other === !decides ? !decides : undefined;
}

function isOneOf(value: Known, elements: readonly Expr[], asked: Asked): Known {
  const written = elements.map((element) => known(element, asked));
  if (value === undefined || written.includes(undefined)) return undefined;
  return written.includes(value);
}

/** `['Pod', 'Job'].all(kind, object.kind != kind)`; within a loop nothing is known of another one. */
function ofMacro(macro: MacroCall, asked: Asked): Known {
  const { name, target, args } = macro;
  const [variable, body] = args;
  const isLoop = (name === 'all' || name === 'exists') && args.length === 2;
  if (!isLoop || target?.kind !== 'list' || variable?.kind !== 'ident' || !body || asked.loop) {
    const hidden = new Set(['object', 'request', 'variables', asked.loop?.name]);
    if (args.some((arg) => arg.kind === 'ident' && hidden.has(arg.name))) return undefined;
    if (target) known(target, asked);
    for (const arg of writtenArgs(macro)) known(arg, asked);
    return undefined;
  }
  const decides = name === 'exists';
  const outcomes = target.elements.map((element) => {
    const value = known(element, asked);
    return known(body, { ...asked, loop: { name: variable.name, value }, unreached: undefined });
  });
  if (outcomes.includes(decides)) return decides;
  return outcomes.includes(undefined) ? undefined : !decides;
}
