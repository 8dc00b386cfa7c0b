import {
  type Call,
  type Comprehension,
  type Expr,
  type Factory,
  type Ident,
  newCall,
  newError,
  newIdent,
  newList,
  newLiteral,
  newMap,
  newSelect,
} from './ast.ts';
import { maxNodes } from './limits.ts';
import type { LiteralValue } from './literal.ts';

/** What a macro makes its nodes with: all of them stand where the macro call stands. */
export interface Expansion extends Factory {
  at: number;
  start: number;
  end: number;
  /** The name of the variable that comprehensions accumulate in. */
  accumulator: string;
  /** Since cel-go 0.23 a comprehension variable must not have the accumulator's name. */
  guardsAccumulator: boolean;
}

export interface MacroError {
  readonly at: number;
  readonly message: string;
}

/** An argument of a macro: what it is called, and what is written there until somebody knows better. */
export interface MacroParameter {
  readonly name: string;
  readonly sample: string;
}

/** A macro with all that is said of it; which releases have it is said where they add it. */
interface MacroRow {
  readonly name: string;
  /** What it is called on; `cel` is the namespace in `cel.bind`. */
  readonly on: 'nothing' | 'cel' | 'list' | 'collection' | 'optional';
  readonly parameters: readonly MacroParameter[];
  readonly gives: 'bool' | 'list' | 'map' | 'optional' | 'any';
  readonly doc: string;
  readonly example: string;
  /** Undefined where the call is none of this macro after all. */
  expand(x: Expansion, target: Expr | undefined, args: readonly Expr[]): Expr | MacroError | undefined;
}

export interface Macro extends MacroRow {
  readonly args: number;
  readonly receiver: boolean;
}

function macro(row: MacroRow): Macro {
  return { ...row, args: row.parameters.length, receiver: row.on !== 'nothing' };
}

const item: MacroParameter = { name: 'variable', sample: 'x' };
const indexAndItem: readonly MacroParameter[] = [
  { name: 'index', sample: 'i' },
  { name: 'item', sample: 'x' },
];
const keyAndValue: readonly MacroParameter[] = [
  { name: 'key', sample: 'k' },
  { name: 'value', sample: 'v' },
];

/** An argument that reads the variable before it. */
const of = (variable: MacroParameter, name: string): MacroParameter => ({ name, sample: variable.sample });

export function isMacroError(result: Expr | MacroError): result is MacroError {
  return !('kind' in result);
}

const literal = (x: Expansion, value: LiteralValue) => newLiteral(x, x.at, x.start, x.end, value);
const truth = (x: Expansion, value: boolean) => literal(x, { of: 'bool', value });
const int = (x: Expansion, value: bigint) => literal(x, { of: 'int', value });
const ident = (x: Expansion, name: string): Ident => newIdent(x, x.at, x.start, x.end, name);
const accu = (x: Expansion) => ident(x, x.accumulator);
const call = (x: Expansion, name: string, ...args: Expr[]): Call =>
  newCall(x, x.at, x.start, x.end, name, undefined, args);
const memberCall = (x: Expansion, name: string, target: Expr, ...args: Expr[]): Call =>
  newCall(x, x.at, x.start, x.end, name, target, args);
const list = (x: Expansion, ...elements: Expr[]) => newList(x, x.at, x.end, elements, []);

/** What a comprehension runs over, and the names of its variables; the second is '' where there is one. */
type Over = readonly [range: Expr, iterVar: string, iterVar2: string];

function loop(
  x: Expansion,
  [range, iterVar, iterVar2]: Over,
  accuVar: string,
  init: Expr,
  condition: Expr,
  step: Expr,
  result: Expr,
): Comprehension {
  return {
    kind: 'comprehension',
    id: x.next++,
    at: x.at,
    start: x.start,
    end: x.end,
    type: init.type,
    macro: undefined,
    range,
    iterVar,
    iterVar2,
    accuVar,
    init,
    condition,
    step,
    result,
  };
}

/** A loop that gives what it has accumulated. */
function gather(x: Expansion, over: Over, init: Expr, condition: Expr, step: Expr): Comprehension {
  return loop(x, over, x.accumulator, init, condition, step, accu(x));
}

const overwrites = 'iteration variable overwrites accumulator variable';

/** The name of a comprehension's variable, or why the argument is none. */
function variable(x: Expansion, arg: Expr, message: string): string | MacroError {
  if (arg.kind !== 'ident') return { at: arg.at, message };
  return clashes(x, arg.name) ? { at: arg.at, message: overwrites } : arg.name;
}

function clashes(x: Expansion, name: string): boolean {
  return x.guardsAccumulator && (name === x.accumulator || name === '__result__');
}

const simpleName = 'argument must be a simple name';
const notIdent = 'argument is not an identifier';

/** The two names of a comprehension over two variables. */
function variables(x: Expansion, first: Expr, second: Expr): readonly [string, string] | MacroError {
  if (first.kind !== 'ident') return { at: first.at, message: simpleName };
  if (second.kind !== 'ident') return { at: second.at, message: simpleName };
  if (first.name === second.name) return { at: second.at, message: `duplicate variable name: ${first.name}` };
  // These macros have always looked for the accumulator's name.
  const taken = (name: string) => name === x.accumulator || clashes(x, name);
  if (taken(first.name)) return { at: first.at, message: overwrites };
  if (taken(second.name)) return { at: second.at, message: overwrites };
  return [first.name, second.name];
}

type Quantifier = (x: Expansion, over: Over, predicate: Expr) => Comprehension;

const every: Quantifier = (x, over, predicate) => {
  const init = truth(x, true);
  const condition = call(x, '@not_strictly_false', accu(x));
  return gather(x, over, init, condition, call(x, '_&&_', accu(x), predicate));
};

const some: Quantifier = (x, over, predicate) => {
  const init = truth(x, false);
  const condition = call(x, '@not_strictly_false', call(x, '!_', accu(x)));
  return gather(x, over, init, condition, call(x, '_||_', accu(x), predicate));
};

const one: Quantifier = (x, over, predicate) => {
  const init = int(x, 0n);
  const condition = truth(x, true);
  const step = call(x, '_?_:_', predicate, call(x, '_+_', accu(x), int(x, 1n)), accu(x));
  return loop(x, over, x.accumulator, init, condition, step, call(x, '_==_', accu(x), int(x, 1n)));
};

function quantifier(name: string, make: Quantifier, doc: string, example: string): Macro {
  return macro({
    name,
    on: 'collection',
    parameters: [item, of(item, 'condition')],
    gives: 'bool',
    doc,
    example,
    expand(x, target, args) {
      const name = variable(x, args[0]!, simpleName);
      if (typeof name !== 'string') return name;
      return make(x, [target!, name, ''], args[1]!);
    },
  });
}

function quantifier2(name: string, make: Quantifier, doc: string, example: string): Macro {
  return macro({
    name,
    on: 'collection',
    parameters: [...indexAndItem, of(item, 'condition')],
    gives: 'bool',
    doc,
    example,
    expand(x, target, args) {
      const names = variables(x, args[0]!, args[1]!);
      if ('message' in names) return names;
      return make(x, [target!, ...names], args[2]!);
    },
  });
}

/** The step that adds to the accumulator, under a condition where there is one. */
function filtered(x: Expansion, filter: Expr | undefined, step: Expr): Expr {
  return filter ? call(x, '_?_:_', filter, step, accu(x)) : step;
}

function mapList(x: Expansion, target: Expr, args: readonly Expr[]): Expr | MacroError {
  const name = variable(x, args[0]!, notIdent);
  if (typeof name !== 'string') return name;
  const filter = args.length === 3 ? args[1] : undefined;
  const init = list(x);
  const condition = truth(x, true);
  const step = filtered(x, filter, call(x, '_+_', accu(x), list(x, args[args.length - 1]!)));
  return gather(x, [target, name, ''], init, condition, step);
}

function filterList(x: Expansion, target: Expr, args: readonly Expr[]): Expr | MacroError {
  const name = variable(x, args[0]!, notIdent);
  if (typeof name !== 'string') return name;
  const init = list(x);
  const condition = truth(x, true);
  const step = filtered(x, args[1], call(x, '_+_', accu(x), list(x, args[0]!)));
  return gather(x, [target, name, ''], init, condition, step);
}

function presence(x: Expansion, args: readonly Expr[]): Expr | MacroError {
  const arg = args[0]!;
  if (arg.kind !== 'select' || arg.testOnly) return { at: arg.at, message: 'invalid argument to has() macro' };
  const test = newSelect(x, x.at, x.end, arg.operand, arg.field, arg.fieldStart, true);
  test.start = x.start;
  return test;
}

const noun = {
  list: 'the items of a list or the keys of a map',
  both: 'the indices and items of a list or the keys and values of a map',
};

/** What every environment has. */
export const standardMacros: readonly Macro[] = [
  macro({
    name: 'has',
    on: 'nothing',
    parameters: [{ name: 'field', sample: 'self.field' }],
    gives: 'bool',
    doc: 'Whether a field is set, or a map has a key. Check optional fields with it: reading one that is not set is an error.',
    example: 'has({"a": 1}.a)',
    expand: (x, _target, args) => presence(x, args),
  }),
  quantifier('all', every, `Whether a condition is true for all of ${noun.list}.`, '[1, 2, 3].all(x, x > 0)'),
  quantifier(
    'exists',
    some,
    `Whether a condition is true for at least one of ${noun.list}.`,
    '[1, 2].exists(x, x > 1)',
  ),
  quantifier(
    'exists_one',
    one,
    `Whether a condition is true for exactly one of ${noun.list}. Unlike \`exists\` it does not absorb errors.`,
    '[1, 2].exists_one(x, x > 1)',
  ),
  macro({
    name: 'map',
    on: 'collection',
    parameters: [item, of(item, 'value')],
    gives: 'list',
    doc: `A list of the results of an expression for each of ${noun.list}.`,
    example: '[1, 2].map(x, x * 2) == [2, 4]',
    expand: (x, target, args) => mapList(x, target!, args),
  }),
  macro({
    name: 'map',
    on: 'collection',
    parameters: [item, of(item, 'condition'), of(item, 'value')],
    gives: 'list',
    doc: `A list of the results of the last argument for those of ${noun.list} for which the condition is true.`,
    example: '[1, 2].map(x, x > 1, x * 2) == [4]',
    expand: (x, target, args) => mapList(x, target!, args),
  }),
  macro({
    name: 'filter',
    on: 'collection',
    parameters: [item, of(item, 'condition')],
    gives: 'list',
    doc: `A list of those of ${noun.list} for which the condition is true.`,
    example: '[1, 2, 3].filter(x, x > 1) == [2, 3]',
    expand: (x, target, args) => filterList(x, target!, args),
  }),
];

const unused = '#unused';

/** `init` under a name, as cel-go binds it: a loop that never runs. */
function bind(x: Expansion, name: string, empty: Expr, init: Expr, never: Expr, same: Expr, result: Expr): Expr {
  return loop(x, [empty, unused, ''], name, init, never, same, result);
}

/** A copy of a tree with new numbers: some macros use their target twice. */
function copyExpr(x: Expansion, e: Expr): Expr {
  if (x.next > maxNodes) return newError(x, e.at, e.start, e.end);
  const again = (child: Expr) => copyExpr(x, child);
  const own = { id: x.next++, macro: undefined, copyOf: e };
  switch (e.kind) {
    case 'literal':
    case 'ident':
    case 'error':
      return { ...e, ...own };
    case 'select':
      return { ...e, ...own, operand: again(e.operand) };
    case 'call':
      return { ...e, ...own, args: e.args.map(again), target: e.target && again(e.target) };
    case 'list':
      return { ...e, ...own, elements: e.elements.map(again) };
    case 'map':
      return {
        ...e,
        ...own,
        entries: e.entries.map((n) => ({ ...n, id: x.next++, at: x.at, key: again(n.key), value: again(n.value) })),
      };
    case 'struct':
      return { ...e, ...own, fields: e.fields.map((f) => ({ ...f, id: x.next++, at: x.at, value: again(f.value) })) };
    case 'comprehension': {
      const [range, init, condition, step, result] = [e.range, e.init, e.condition, e.step, e.result].map(again);
      return { ...e, ...own, range: range!, init: init!, condition: condition!, step: step!, result: result! };
    }
  }
}

function optionalMap(name: 'optMap' | 'optFlatMap', doc: string, example: string): Macro {
  return macro({
    name,
    on: 'optional',
    parameters: [item, of(item, name === 'optMap' ? 'value' : 'optional')],
    gives: 'optional',
    doc,
    example,
    expand(x, target, args) {
      const arg = args[0]!;
      if (arg.kind !== 'ident') {
        return { at: arg.at, message: `${name}() variable name must be a simple identifier` };
      }
      const has = memberCall(x, 'hasValue', target!);
      const empty = list(x);
      const value = memberCall(x, 'value', copyExpr(x, target!));
      const bound = bind(x, arg.name, empty, value, truth(x, false), ident(x, arg.name), args[1]!);
      const present = name === 'optMap' ? call(x, 'optional.of', bound) : bound;
      return call(x, '_?_:_', has, present, call(x, 'optional.none'));
    },
  });
}

/** Those that come with optional values. */
export const optionalMacros: readonly Macro[] = [
  optionalMap(
    'optMap',
    'An optional with the result of the expression for the value, or none if there is no value.',
    'optional.of(1).optMap(x, x + 1) == optional.of(2)',
  ),
  optionalMap(
    'optFlatMap',
    'The result of the expression, itself an optional, for the value, or none if there is no value.',
    'optional.of([1]).optFlatMap(x, x[?0]) == optional.of(1)',
  ),
];

/** `cel.bind`, which gives a value a name. */
export const bindings: readonly Macro[] = [
  macro({
    name: 'bind',
    on: 'cel',
    parameters: [item, { name: 'value', sample: 'value' }, of(item, 'result')],
    gives: 'any',
    doc: 'The result of the last expression, in which the name stands for the value.',
    example: "cel.bind(words, 'a b'.split(' '), words.size() == 2 && words[0] == 'a')",
    expand(x, target, args) {
      if (target?.kind !== 'ident' || target.name !== 'cel') return undefined;
      const [arg, value, result] = args as [Expr, Expr, Expr];
      if (arg.kind !== 'ident') {
        return { at: arg.at, message: 'cel.bind() variable names must be simple identifiers' };
      }
      return bind(x, arg.name, list(x), value, truth(x, false), ident(x, arg.name), result);
    },
  }),
];

function transformList(x: Expansion, target: Expr, args: readonly Expr[]): Expr | MacroError {
  const names = variables(x, args[0]!, args[1]!);
  if ('message' in names) return names;
  const filter = args.length === 4 ? args[2] : undefined;
  const step = filtered(x, filter, call(x, '_+_', accu(x), list(x, args[args.length - 1]!)));
  return gather(x, [target, ...names], list(x), truth(x, true), step);
}

/** `transformMap` keeps the key; `transformMapEntry` expects a map of one entry. */
function transformMap(keepsKey: boolean): Macro['expand'] {
  return (x, target, args) => {
    const names = variables(x, args[0]!, args[1]!);
    if ('message' in names) return names;
    const filter = args.length === 4 ? args[2] : undefined;
    const value = args[args.length - 1]!;
    const insert = keepsKey
      ? call(x, 'cel.@mapInsert', accu(x), ident(x, names[0]), value)
      : call(x, 'cel.@mapInsert', accu(x), value);
    const step = filtered(x, filter, insert);
    return gather(x, [target!, ...names], newMap(x, x.at, x.end, []), truth(x, true), step);
  };
}

type Transform = Pick<MacroRow, 'name' | 'gives' | 'doc' | 'example' | 'expand'>;

/** A transformation in both its forms: of all, and of those for which a condition is true. */
function transforms(
  row: Transform,
  variables: readonly MacroParameter[],
  last: string,
  filteredExample: string,
): readonly Macro[] {
  const [condition, result] = [of(variables[1]!, 'condition'), of(variables[1]!, last)];
  const doc = `${row.doc} Only where the condition, the third argument, is true.`;
  return [
    macro({ ...row, on: 'collection', parameters: [...variables, result] }),
    macro({ ...row, on: 'collection', parameters: [...variables, condition, result], doc, example: filteredExample }),
  ];
}

/** Comprehensions over two variables. */
export const twoVariableMacros: readonly Macro[] = [
  quantifier2('all', every, `Whether a condition is true for all of ${noun.both}.`, '[1, 2].all(i, v, i < v)'),
  quantifier2(
    'exists',
    some,
    `Whether a condition is true for at least one of ${noun.both}.`,
    '[1, 0].exists(i, v, i == v) == false',
  ),
  quantifier2(
    'existsOne',
    one,
    `Whether a condition is true for exactly one of ${noun.both}.`,
    '[0, 2].existsOne(i, v, i == v)',
  ),
  quantifier2(
    'exists_one',
    one,
    `Whether a condition is true for exactly one of ${noun.both}.`,
    '[0, 2].exists_one(i, v, i == v)',
  ),
  ...transforms(
    {
      name: 'transformList',
      gives: 'list',
      doc: `A list of the results of the last argument for each of ${noun.both}.`,
      example: '[1, 2].transformList(i, v, i * v) == [0, 2]',
      expand: (x, target, args) => transformList(x, target!, args),
    },
    indexAndItem,
    'value',
    '[1, 2].transformList(i, v, i > 0, v) == [2]',
  ),
  ...transforms(
    {
      name: 'transformMap',
      gives: 'map',
      doc: `A map with the same keys and the results of the last argument for each of ${noun.both}.`,
      example: '{"a": 1}.transformMap(k, v, v + 1) == {"a": 2}',
      expand: transformMap(true),
    },
    keyAndValue,
    'result',
    '{"a": 1, "b": 2}.transformMap(k, v, v > 1, v) == {"b": 2}',
  ),
  ...transforms(
    {
      name: 'transformMapEntry',
      gives: 'map',
      doc: `A map of the entries that the last argument, a map with one entry, returns for each of ${noun.both}.`,
      example: '{"a": "b"}.transformMapEntry(k, v, {v: k}) == {"b": "a"}',
      expand: transformMap(false),
    },
    keyAndValue,
    'entry',
    '{"a": "b"}.transformMapEntry(k, v, k == "a", {v: k}) == {"b": "a"}',
  ),
];

const sortInput = '@__sortBy_input__';
const sortable = new Set(['list', 'select', 'ident', 'comprehension', 'call']);

/** `sortBy` of the lists library. */
export const sortByMacro = macro({
  name: 'sortBy',
  on: 'list',
  parameters: [item, of(item, 'key')],
  gives: 'list',
  doc: 'The list sorted by the result of the expression for each item.',
  example: '["bb", "a"].sortBy(s, s.size()) == ["a", "bb"]',
  expand(x, target, args) {
    const input = ident(x, sortInput);
    // What a macro could not make is no call for the next one.
    const refusedAt = target!.kind === 'call' ? target!.refusedAt : undefined;
    if (!sortable.has(target!.kind) || refusedAt !== undefined) {
      const message = 'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
      return { at: refusedAt ?? target!.at, message };
    }
    const keys = mapList(x, ident(x, sortInput), args);
    if (isMacroError(keys)) return keys;
    const sorted = memberCall(x, '@sortByAssociatedKeys', ident(x, sortInput), keys);
    return bind(x, sortInput, list(x), target!, truth(x, false), input, sorted);
  },
});
