import { divideU64, minU64, wrappingAddU64, wrappingMultiplyU64 } from '../base/u64.ts';
import type { Call, Comprehension, Expr, ListExpr, Literal, MapExpr, Select } from './ast.ts';
import type { Overload } from './overload.ts';
import { type CelPath, extend, noPath, rootPath } from './path.ts';
import { add, exactly, multiply, nothing, oneUnit, type Range, scale, union, unknownSize, zero } from './range.ts';
import type { CelType } from './types.ts';

/** What one call costs beyond its arguments, and how large its result is where that is known. */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range | undefined;
}

/** An argument or target as an estimator sees it. */
export interface CostNode {
  /** Undefined for the items of a list, which are no node of the tree. */
  readonly expr: Expr | undefined;
  readonly type: CelType;
  readonly path: CelPath;
  /** Its size as far as the expression itself tells. */
  readonly computed: Range | undefined;
}

/** A call whose arguments are estimated already. */
export interface CostCall {
  readonly call: Call;
  readonly target: CostNode | undefined;
  readonly args: readonly CostNode[];
  readonly model: CostModel;
}

/** A row's worst-case cost; undefined leaves it to the default. */
export type Estimator = (call: CostCall) => CallEstimate | undefined;

/** Where sizes come from that the expression does not tell, and what releases price differently. */
export interface CostModel {
  sizeOf(path: CelPath, type: CelType): Range | undefined;
  /** The cost of `==` on types of one's own. */
  equality(left: CostNode, right: CostNode): CallEstimate | undefined;
  readonly rules: CostRules;
}

/** What releases of cel-go price differently. */
export interface CostRules {
  /** The global `matches(s, re)` costs what the member form costs (cel-go 0.29). */
  readonly pricesGlobalMatches: boolean;
  /** Sizes are known through list and map literals, dyn() and ?: (cel-go 0.23). */
  readonly tracksEntries: boolean;
  /** An optional of a scalar has the size of a scalar (cel-go 0.23). */
  readonly optionalScalars: boolean;
}

export interface Cost {
  readonly total: Range;
  /** The cost of each node with all below it, by node number, where it was asked for. */
  readonly byNode: ReadonlyMap<number, Range>;
  /** How often each comprehension runs, by node number. */
  readonly rounds: ReadonlyMap<number, Range>;
}

const stringFactor = 0.1;
const regexFactor = 0.25;
const listBase = exactly(10);
const mapBase = exactly(30);
const structBase = exactly(40);

/** Sizes of what a list or map holds. */
interface EntrySize {
  readonly list: boolean;
  readonly key: Range;
  readonly value: Range;
}

interface LocalVariable {
  readonly name: string;
  readonly path: CelPath;
  /** Before entries were tracked each use of a variable grew its own path from the range's; undefined leads nowhere. */
  readonly step: string | undefined;
  readonly size: Range | undefined;
  readonly entries: EntrySize | undefined;
  readonly outer: LocalVariable | undefined;
}

interface Coster {
  readonly model: CostModel;
  readonly paths: (CelPath | undefined)[];
  readonly sizes: (Range | undefined)[];
  readonly entries: (EntrySize | undefined)[];
  locals: LocalVariable | undefined;
  readonly byNode: Map<number, Range> | undefined;
  readonly rounds: Map<number, Range>;
}

/** The static estimate of a checked tree. */
export function estimateCost(expr: Expr, model: CostModel, keepNodes = false): Cost {
  const byNode = keepNodes ? new Map<number, Range>() : undefined;
  const c: Coster = { model, paths: [], sizes: [], entries: [], locals: undefined, byNode, rounds: new Map() };
  return { total: cost(c, expr), byNode: byNode ?? new Map(), rounds: c.rounds };
}

function cost(c: Coster, e: Expr): Range {
  const found = nodeCost(c, e);
  c.byNode?.set(e.id, found);
  return found;
}

function nodeCost(c: Coster, e: Expr): Range {
  switch (e.kind) {
    case 'literal':
    case 'error':
      return zero;
    case 'ident':
      return identCost(c, e, e.name);
    case 'select':
      return e.qualified === undefined ? selectCost(c, e) : identCost(c, e, e.qualified);
    case 'call':
      return callCost(c, e);
    case 'list':
      return listCost(c, e);
    case 'map':
      return mapCost(c, e);
    case 'struct':
      return e.fields.reduce((sum, field) => add(sum, cost(c, field.value)), structBase);
    case 'comprehension':
      if (!c.model.rules.tracksEntries) return plainComprehensionCost(c, e);
      return isBind(e) ? bindCost(c, e) : comprehensionCost(c, e);
  }
}

// Paths and sizes

function findLocal(c: Coster, name: string): LocalVariable | undefined {
  for (let local = c.locals; local; local = local.outer) if (local.name === name) return local;
  return undefined;
}

function pushLocal(c: Coster, name: string, path: CelPath, size: Range | undefined, entries?: EntrySize): void {
  c.locals = { name, path, step: undefined, size, entries, outer: c.locals };
}

function identCost(c: Coster, e: Expr, name: string): Range {
  const local = findLocal(c, name);
  if (!local) c.paths[e.id] = rootPath(name);
  else if (c.model.rules.tracksEntries) c.paths[e.id] = local.path;
  else if (local.step !== undefined) c.paths[e.id] = extend(local.path, local.step);
  return oneUnit;
}

/** The name of an identifier as the checker left it; undefined for every other node. */
function identName(e: Expr): string | undefined {
  return e.kind === 'ident' ? e.name : e.kind === 'select' ? e.qualified : undefined;
}

function pathOf(c: Coster, e: Expr): CelPath {
  if (!c.model.rules.tracksEntries) return c.paths[e.id] ?? noPath;
  const name = identName(e);
  const local = name === undefined ? undefined : findLocal(c, name);
  return local?.path ?? c.paths[e.id] ?? noPath;
}

/** The size of a node, and how the estimate came by it. */
function sizeOf(c: Coster, e: Expr): Range | undefined {
  const known = c.sizes[e.id];
  if (known) return known;
  const written = writtenSize(e);
  if (written) return written;
  const declared = c.model.sizeOf(pathOf(c, e), e.type);
  if (declared) {
    c.sizes[e.id] = declared;
    return declared;
  }
  if (isScalar(e.type, c.model.rules)) return oneUnit;
  const name = identName(e);
  return name === undefined ? undefined : findLocal(c, name)?.size;
}

function sizeOrUnknown(c: Coster, e: Expr): Range {
  return c.model.rules.tracksEntries ? (sizeOf(c, e) ?? unknownSize) : known(costNode(c, e), c.model);
}

function entriesOf(c: Coster, e: Expr): EntrySize | undefined {
  if (!c.model.rules.tracksEntries) return undefined;
  const known = c.entries[e.id];
  if (known) return known;
  const name = identName(e);
  return name === undefined ? undefined : findLocal(c, name)?.entries;
}

function joinEntries(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  if (!a || !b) return undefined;
  return { list: a.list, key: union(a.key, b.key), value: union(a.value, b.value) };
}

function setEntries(c: Coster, e: Expr, entries: EntrySize | undefined): void {
  if (entries && c.model.rules.tracksEntries) c.entries[e.id] = entries;
}

/** The size of what is written out: strings in code points, bytes, lists, maps, and 1 for scalars. */
function writtenSize(e: Expr): Range | undefined {
  if (e.kind === 'literal') return literalSize(e);
  if (e.kind === 'list') return exactly(e.elements.length);
  if (e.kind === 'map') return exactly(e.entries.length);
  return undefined;
}

function literalSize(e: Literal): Range {
  const { literal } = e;
  if (literal.of === 'bytes') return exactly(literal.value.length);
  if (literal.of !== 'string') return oneUnit;
  let count = 0;
  for (const _ of literal.value) count++;
  return exactly(count);
}

function isScalar(type: CelType, rules: CostRules): boolean {
  switch (type.kind) {
    case 'bool':
    case 'double':
    case 'duration':
    case 'int':
    case 'timestamp':
    case 'uint':
      return true;
    case 'opaque':
      return rules.optionalScalars && type.name === 'optional_type' && isScalar(type.params[0]!, rules);
    default:
      return false;
  }
}

// Nodes

function selectCost(c: Coster, e: Select): Range {
  const operand = cost(c, e.operand);
  if (e.testOnly) return operand;
  c.paths[e.id] = extend(pathOf(c, e.operand), e.field);
  const { kind } = e.operand.type;
  return kind === 'map' || kind === 'struct' || kind === 'param' ? add(operand, oneUnit) : operand;
}

function listCost(c: Coster, e: ListExpr): Range {
  let sum = zero;
  let item = e.elements.length === 0 ? zero : nothing;
  for (const element of e.elements) {
    sum = add(sum, cost(c, element));
    if (c.model.rules.tracksEntries) item = union(item, sizeOrUnknown(c, element));
  }
  setEntries(c, e, { list: true, key: oneUnit, value: item });
  return add(sum, listBase);
}

function mapCost(c: Coster, e: MapExpr): Range {
  let sum = zero;
  let key = e.entries.length === 0 ? zero : nothing;
  let value = key;
  for (const entry of e.entries) {
    sum = add(add(sum, cost(c, entry.key)), cost(c, entry.value));
    if (!c.model.rules.tracksEntries) continue;
    key = union(key, sizeOrUnknown(c, entry.key));
    value = union(value, sizeOrUnknown(c, entry.value));
  }
  setEntries(c, e, { list: false, key, value });
  return add(sum, mapBase);
}

function isAccumulator(name: string): boolean {
  return name === '@result' || name === '__result__';
}

/** `cel.bind` and its like: a loop over nothing, used for its initial value. */
function isBind(e: Comprehension): boolean {
  const never = e.condition.kind === 'literal' && e.condition.literal.value === false;
  return e.range.kind === 'list' && e.range.elements.length === 0 && never && e.accuVar !== '__result__';
}

function bindCost(c: Coster, e: Comprehension): Range {
  const outer = c.locals;
  const before = add(cost(c, e.range), cost(c, e.init));
  pushLocal(c, e.accuVar, pathOf(c, e.init), sizeOf(c, e.init), entriesOf(c, e.init));
  const sum = add(before, cost(c, e.result));
  c.locals = outer;
  c.sizes[e.id] = sizeOf(c, e.result) ?? c.sizes[e.id];
  setEntries(c, e, entriesOf(c, e.result));
  return sum;
}

function comprehensionCost(c: Coster, e: Comprehension): Range {
  const outer = c.locals;
  const start = add(cost(c, e.range), cost(c, e.init));
  pushLocal(c, e.accuVar, pathOf(c, e.init), sizeOf(c, e.init), entriesOf(c, e.init));
  const accu = c.locals;
  pushIteration(c, e);
  const round = add(cost(c, e.condition), cost(c, e.step));
  c.locals = accu;
  const sum = add(start, cost(c, e.result));
  c.locals = outer;
  const rounds = sizeOrUnknown(c, e.range);
  c.rounds.set(e.id, rounds);
  comprehensionSize(c, e, rounds);
  return add(sum, multiply(rounds, round));
}

/** As cel-go reckoned before it knew of a second variable or of entries. */
function plainComprehensionCost(c: Coster, e: Comprehension): Range {
  const outer = c.locals;
  const start = add(cost(c, e.range), cost(c, e.init));
  const { kind } = e.range.type;
  const step = kind === 'list' ? '@items' : kind === 'map' ? '@keys' : undefined;
  c.locals = { name: e.iterVar, path: pathOf(c, e.range), step, size: undefined, entries: undefined, outer };
  const round = add(cost(c, e.condition), cost(c, e.step));
  c.locals = outer;
  const sum = add(start, cost(c, e.result));
  const rounds = sizeOrUnknown(c, e.range);
  c.rounds.set(e.id, rounds);
  c.sizes[e.id] = rounds;
  return add(sum, multiply(rounds, round));
}

/** One variable is the item or the key; two are index and item, or key and value. */
function pushIteration(c: Coster, e: Comprehension): void {
  const entries = entriesOf(c, e.range);
  const isList = entries ? entries.list : e.range.type.kind === 'list';
  const path = pathOf(c, e.range);
  if (e.iterVar2 === '') {
    pushLocal(c, e.iterVar, extend(path, isList ? '@items' : '@keys'), isList ? entries?.value : entries?.key);
    return;
  }
  pushLocal(c, e.iterVar, extend(path, isList ? '@indices' : '@keys'), entries?.key);
  pushLocal(c, e.iterVar2, extend(path, isList ? '@items' : '@values'), entries?.value);
}

function comprehensionSize(c: Coster, e: Comprehension, rounds: Range): void {
  if (e.init.kind === 'literal') c.sizes[e.id] = sizeOf(c, e.init);
  if (e.init.kind !== 'list' && e.init.kind !== 'map') return;
  c.sizes[e.id] = rounds;
  setEntries(c, e, entriesOf(c, e.step));
}

// Calls

function callCost(c: Coster, e: Call): Range {
  if (e.name === 'dyn' && c.model.rules.tracksEntries && e.args.length > 0) return dynCost(c, e);
  const costs: Range[] = [];
  const args: CostNode[] = [];
  for (const arg of e.args) {
    costs.push(cost(c, arg));
    args.push(costNode(c, arg));
  }
  if (e.overloads.length === 0) return zero;
  let sum = zero;
  let target: CostNode | undefined;
  if (e.target) {
    sum = cost(c, e.target);
    target = costNode(c, e.target);
  }
  return add(sum, overloadsCost(c, { call: e, target, args, model: c.model }, costs));
}

/** dyn() only switches checking off: its argument keeps its sizes. */
function dynCost(c: Coster, e: Call): Range {
  const arg = e.args[0]!;
  const below = cost(c, arg);
  const size = sizeOf(c, arg);
  if (size) c.sizes[e.id] = size;
  setEntries(c, e, entriesOf(c, arg));
  return add(oneUnit, below);
}

function costNode(c: Coster, e: Expr): CostNode {
  const path = pathOf(c, e);
  const shown = path.length > 0 && isAccumulator(path.steps[0]!) ? noPath : path;
  const computed = c.model.rules.tracksEntries ? sizeOf(c, e) : (c.sizes[e.id] ?? writtenSize(e));
  return { expr: e, type: e.type, path: shown, computed };
}

/** What covers every overload that the call may turn out to be. */
function overloadsCost(c: Coster, call: CostCall, costs: readonly Range[]): Range {
  let total = nothing;
  let size: Range | undefined;
  for (const overload of call.call.overloads) {
    const estimate = overloadCost(c, overload, call, costs);
    total = union(total, estimate.cost);
    if (estimate.size) size = size ? union(size, estimate.size) : estimate.size;
    const step = overload.id === 'index_list' ? '@items' : overload.id === 'index_map' ? '@values' : undefined;
    if (step !== undefined) {
      if (c.model.rules.tracksEntries) size = entriesOf(c, call.call.args[0]!)?.value;
      c.paths[call.call.id] = extend(pathOf(c, call.call.args[0]!), step);
    }
    if (c.model.rules.tracksEntries) size ??= sizeOf(c, call.call);
  }
  if (size) c.sizes[call.call.id] = size;
  return total;
}

function overloadCost(c: Coster, overload: Overload, call: CostCall, costs: readonly Range[]): CallEstimate {
  const own = overload.estimate?.(call);
  if (own) return { cost: add(own.cost, sumOf(costs)), size: own.size };
  return standardCost(c, overload.id, call, costs);
}

function sumOf(costs: readonly Range[]): Range {
  let sum = zero;
  for (const one of costs) sum = add(sum, one);
  return sum;
}

/** The size of an argument, from the expression or its path. */
export function nodeSize(node: CostNode, model: CostModel): Range {
  return node.computed ?? model.sizeOf(node.path, node.type) ?? unknownSize;
}

/** The size that cel-go itself reckons with. */
function known(node: CostNode, model: CostModel): Range {
  if (node.computed) return node.computed;
  if (model.rules.tracksEntries) return unknownSize;
  return model.sizeOf(node.path, node.type) ?? (isScalar(node.type, model.rules) ? oneUnit : unknownSize);
}

/** The functions whose cost cel-go itself knows, by overload. */
function standardCost(c: Coster, id: string, call: CostCall, costs: readonly Range[]): CallEstimate {
  switch (id) {
    case 'logical_or':
    case 'logical_and':
      return { cost: { min: costs[0]!.min, max: add(costs[0]!, costs[1]!).max } };
    case 'conditional':
      return conditionalCost(c, call, costs);
    default: {
      const estimate = (standard[id] ?? flat)(call, c);
      return { cost: add(estimate.cost, sumOf(costs)), size: estimate.size };
    }
  }
}

function conditionalCost(c: Coster, call: CostCall, costs: readonly Range[]): CallEstimate {
  const [, yes, no] = call.args;
  const [yesExpr, noExpr] = [call.call.args[1]!, call.call.args[2]!];
  setEntries(c, call.call, joinEntries(entriesOf(c, yesExpr), entriesOf(c, noExpr)));
  const size = union(known(yes!, c.model), known(no!, c.model));
  return { cost: add(costs[0]!, union(costs[1]!, costs[2]!)), size };
}

type Standard = (call: CostCall, c: Coster) => CallEstimate;

const flat: Standard = () => ({ cost: oneUnit });

const traverse = (size: Range) => scale(size, stringFactor);

const stringToBytes: Standard = ({ args, model }) => {
  const size = known(args[0]!, model);
  return { cost: traverse(size), size: { min: size.min, max: wrappingMultiplyU64(size.max, 4) } };
};

const bytesToString: Standard = ({ args, model }) => {
  const size = known(args[0]!, model);
  return { cost: traverse(size), size: { min: divideU64(size.min, 4), max: size.max } };
};

const quote: Standard = ({ args, model }) => {
  const size = known(args[0]!, model);
  const max = wrappingAddU64(wrappingMultiplyU64(size.max, 2), 2);
  return { cost: traverse(size), size: { min: wrappingAddU64(size.min, 2), max } };
};

const concatenate =
  (isList: boolean): Standard =>
  ({ call, args, model }, c) => {
    const size = add(known(args[0]!, model), known(args[1]!, model));
    setEntries(c, call, joinEntries(entriesOf(c, call.args[0]!), entriesOf(c, call.args[1]!)));
    return { cost: isList ? oneUnit : traverse(size), size };
  };

/** Comparing takes as long as the shorter side, and equality of anything with a size at least 1. */
const compare: Standard = ({ args, model, call }) => {
  const own = call.name === '_==_' ? model.equality(args[0]!, args[1]!) : undefined;
  if (own) return own;
  const shorter = minU64(known(args[0]!, model).max, known(args[1]!, model).max);
  return { cost: traverse({ min: shorter > 0 ? 1 : 0, max: shorter }) };
};

/** Text times pattern; one is added to the text, so that a pattern against the empty string still costs. */
export function regexCost(text: Range, pattern: Range): Range {
  return multiply(traverse(add(text, oneUnit)), scale(pattern, regexFactor));
}

const standard: Readonly<Record<string, Standard>> = {
  string_format: ({ target, model }) => ({ cost: traverse(known(target!, model)) }),
  string_to_bytes: stringToBytes,
  bytes_to_string: bytesToString,
  strings_quote: quote,
  starts_with_string: ({ args, model }) => ({ cost: traverse(known(args[0]!, model)) }),
  ends_with_string: ({ args, model }) => ({ cost: traverse(known(args[0]!, model)) }),
  in_list: ({ args, model }) => ({ cost: scale(known(args[1]!, model), 1) }),
  matches_string: ({ target, args, model }) => ({ cost: regexCost(known(target!, model), known(args[0]!, model)) }),
  matches: ({ args, model }) =>
    model.rules.pricesGlobalMatches
      ? { cost: regexCost(known(args[0]!, model), known(args[1]!, model)) }
      : { cost: oneUnit },
  contains_string: ({ target, args, model }) => ({
    cost: multiply(traverse(known(target!, model)), traverse(known(args[0]!, model))),
  }),
  add_string: concatenate(false),
  add_bytes: concatenate(false),
  add_list: concatenate(true),
  ...Object.fromEntries(
    [
      'equals',
      'not_equals',
      ...['string', 'bytes'].flatMap((type) =>
        ['less', 'less_equals', 'greater', 'greater_equals'].map((relation) => `${relation}_${type}`),
      ),
    ].map((id) => [id, compare]),
  ),
};
