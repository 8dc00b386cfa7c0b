import type { Call, Comprehension, Expr, ListExpr, Literal, MapExpr, Select, StructExpr } from './ast.ts';
import { type CallEstimate, type CostCall, type CostModel, type CostNode, isScalar, knownSize } from './estimate.ts';
import { type CelPath, extend, noPath, rootPath } from './path.ts';
import { newListCost, newMapCost, newStructCost } from './prices.ts';
import { add, exactly, multiply, nothing, oneUnit, type Range, union, unknownSize, zero } from './range.ts';
import { codePoints } from './source.ts';

export interface Cost {
  readonly total: Range;
  /** The cost of each node with all below it, by node number, where it was asked for. */
  readonly byNode: ReadonlyMap<number, Range>;
  /** How often each comprehension runs, by node number, where the costs of nodes were asked for. */
  readonly rounds: ReadonlyMap<number, Range>;
}

const listBase = exactly(newListCost);
const mapBase = exactly(newMapCost);
const structBase = exactly(newStructCost);

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
  locals: LocalVariable | undefined;
  /** Beside its cost, what is known of the node that was priced last: see `setKnown`. */
  path: CelPath;
  size: Range | undefined;
  entries: EntrySize | undefined;
  readonly byNode: Map<number, Range> | undefined;
  readonly rounds: Map<number, Range> | undefined;
}

const noRanges: ReadonlyMap<number, Range> = new Map();

/** The static estimate of a checked tree. */
export function estimateCost(expr: Expr, model: CostModel, keepNodes = false): Cost {
  const byNode = keepNodes ? new Map<number, Range>() : undefined;
  const rounds = keepNodes ? new Map<number, Range>() : undefined;
  const known = { path: noPath, size: undefined, entries: undefined };
  const c: Coster = { model, locals: undefined, ...known, byNode, rounds };
  return { total: cost(c, expr), byNode: byNode ?? noRanges, rounds: rounds ?? noRanges };
}

/** The cost of a node with all below it. Leaves in `c` the node's path, size and entries, for its parent to take. */
function cost(c: Coster, e: Expr): Range {
  const found = nodeCost(c, e);
  c.byNode?.set(e.id, found);
  return found;
}

/** Notes what is known of the node that was priced just now. */
function setKnown(c: Coster, path: CelPath, size?: Range, entries?: EntrySize): void {
  c.path = path;
  c.size = size;
  c.entries = entries;
}

function nodeCost(c: Coster, e: Expr): Range {
  switch (e.kind) {
    case 'literal':
    case 'error':
      setKnown(c, noPath);
      return zero;
    case 'ident':
      return identCost(c, e.name);
    case 'select':
      return e.qualified === undefined ? selectCost(c, e) : identCost(c, e.qualified);
    case 'call':
      return callCost(c, e);
    case 'list':
      return listCost(c, e);
    case 'map':
      return mapCost(c, e);
    case 'struct':
      return structCost(c, e);
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

function identCost(c: Coster, name: string): Range {
  const local = findLocal(c, name);
  if (!local) setKnown(c, rootPath(name));
  else if (c.model.rules.tracksEntries) setKnown(c, local.path);
  else setKnown(c, local.step === undefined ? noPath : extend(local.path, local.step));
  return oneUnit;
}

/** The variable that a node names, if it names one: as the checker left it. */
function localOf(c: Coster, e: Expr): LocalVariable | undefined {
  const name = e.kind === 'ident' ? e.name : e.kind === 'select' ? e.qualified : undefined;
  return name === undefined ? undefined : findLocal(c, name);
}

/** The size of a node, given its path and what size was found while it was priced. */
function sizeOf(c: Coster, e: Expr, path: CelPath, found: Range | undefined): Range | undefined {
  const known = found ?? writtenSize(e) ?? c.model.sizeOf(path, e.type);
  if (known) return known;
  return isScalar(e.type, c.model.rules) ? oneUnit : localOf(c, e)?.size;
}

function sizeOrUnknown(c: Coster, e: Expr, path: CelPath, found: Range | undefined): Range {
  if (c.model.rules.tracksEntries) return sizeOf(c, e, path, found) ?? unknownSize;
  return knownSize(seen(e, path, found ?? writtenSize(e)), c.model);
}

function entriesOf(c: Coster, e: Expr, found: EntrySize | undefined): EntrySize | undefined {
  return c.model.rules.tracksEntries ? (found ?? localOf(c, e)?.entries) : undefined;
}

/** Of a value that is made of one part or the other, or of both. */
function joinedEntries(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  if (!a || !b) return undefined;
  return { list: a.list, key: union(a.key, b.key), value: union(a.value, b.value) };
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
  return exactly(codePoints(literal.value, 0, literal.value.length));
}

// Nodes

function selectCost(c: Coster, e: Select): Range {
  const operand = cost(c, e.operand);
  setKnown(c, e.testOnly ? noPath : extend(c.path, e.field));
  if (e.testOnly) return operand;
  const { kind } = e.operand.type;
  return kind === 'map' || kind === 'struct' || kind === 'param' ? add(operand, oneUnit) : operand;
}

function structCost(c: Coster, e: StructExpr): Range {
  const sum = e.fields.reduce((sum, field) => add(sum, cost(c, field.value)), structBase);
  setKnown(c, noPath);
  return sum;
}

function listCost(c: Coster, e: ListExpr): Range {
  let sum = listBase;
  let item = e.elements.length === 0 ? zero : nothing;
  for (const element of e.elements) {
    sum = add(sum, cost(c, element));
    if (c.model.rules.tracksEntries) item = union(item, sizeOrUnknown(c, element, c.path, c.size));
  }
  setKnown(c, noPath, undefined, { list: true, key: oneUnit, value: item });
  return sum;
}

function mapCost(c: Coster, e: MapExpr): Range {
  let sum = mapBase;
  let key = e.entries.length === 0 ? zero : nothing;
  let value = key;
  for (const entry of e.entries) {
    sum = add(sum, cost(c, entry.key));
    const { path, size } = c;
    sum = add(sum, cost(c, entry.value));
    if (!c.model.rules.tracksEntries) continue;
    key = union(key, sizeOrUnknown(c, entry.key, path, size));
    value = union(value, sizeOrUnknown(c, entry.value, c.path, c.size));
  }
  setKnown(c, noPath, undefined, { list: false, key, value });
  return sum;
}

function isAccumulator(name: string): boolean {
  return name === '@result' || name === '__result__';
}

/** `cel.bind` and its like: a loop over nothing, used for its initial value. */
function isBind(e: Comprehension): boolean {
  const never = e.condition.kind === 'literal' && e.condition.literal.value === false;
  return e.range.kind === 'list' && e.range.elements.length === 0 && never && e.accuVar !== '__result__';
}

/** Prices the initial value, which the accumulator then stands for. */
function initCost(c: Coster, e: Comprehension): Range {
  const init = cost(c, e.init);
  pushLocal(c, e.accuVar, c.path, sizeOf(c, e.init, c.path, c.size), entriesOf(c, e.init, c.entries));
  return init;
}

function bindCost(c: Coster, e: Comprehension): Range {
  const outer = c.locals;
  const before = add(cost(c, e.range), initCost(c, e));
  const sum = add(before, cost(c, e.result));
  c.locals = outer;
  // cel-go asks for the size when the variable is gone: a variable outside of the same name answers.
  const path = localOf(c, e.result)?.path ?? c.path;
  setKnown(c, noPath, sizeOf(c, e.result, path, c.size), entriesOf(c, e.result, c.entries));
  return sum;
}

function comprehensionCost(c: Coster, e: Comprehension): Range {
  const outer = c.locals;
  const range = cost(c, e.range);
  const { path, size, entries } = c;
  const start = add(range, initCost(c, e));
  const accu = c.locals;
  pushIteration(c, e, path, entriesOf(c, e.range, entries));
  const condition = cost(c, e.condition);
  const round = add(condition, cost(c, e.step));
  const stepEntries = c.entries;
  c.locals = accu;
  const sum = add(start, cost(c, e.result));
  c.locals = outer;
  const rounds = sizeOrUnknown(c, e.range, path, size);
  c.rounds?.set(e.id, rounds);
  comprehensionSize(c, e, rounds, stepEntries);
  return add(sum, multiply(rounds, round));
}

/** As cel-go counted before it knew of a second variable or of entries. */
function plainComprehensionCost(c: Coster, e: Comprehension): Range {
  const outer = c.locals;
  const range = cost(c, e.range);
  const { path, size } = c;
  const start = add(range, cost(c, e.init));
  const { kind } = e.range.type;
  const step = kind === 'list' ? '@items' : kind === 'map' ? '@keys' : undefined;
  c.locals = { name: e.iterVar, path, step, size: undefined, entries: undefined, outer };
  const round = add(cost(c, e.condition), cost(c, e.step));
  c.locals = outer;
  const sum = add(start, cost(c, e.result));
  const rounds = sizeOrUnknown(c, e.range, path, size);
  c.rounds?.set(e.id, rounds);
  setKnown(c, noPath, rounds);
  return add(sum, multiply(rounds, round));
}

/** One variable is the item or the key; two are index and item, or key and value. */
function pushIteration(c: Coster, e: Comprehension, path: CelPath, entries: EntrySize | undefined): void {
  const isList = entries ? entries.list : e.range.type.kind === 'list';
  if (e.iterVar2 === '') {
    pushLocal(c, e.iterVar, extend(path, isList ? '@items' : '@keys'), isList ? entries?.value : entries?.key);
    return;
  }
  pushLocal(c, e.iterVar, extend(path, isList ? '@indices' : '@keys'), entries?.key);
  pushLocal(c, e.iterVar2, extend(path, isList ? '@items' : '@values'), entries?.value);
}

function comprehensionSize(c: Coster, e: Comprehension, rounds: Range, step: EntrySize | undefined): void {
  if (e.init.kind === 'list' || e.init.kind === 'map') setKnown(c, noPath, rounds, entriesOf(c, e.step, step));
  else setKnown(c, noPath, e.init.kind === 'literal' ? literalSize(e.init) : undefined);
}

// Calls

function callCost(c: Coster, e: Call): Range {
  const only = e.overloads.length === 1 ? e.overloads[0]! : undefined;
  switch (only?.id) {
    case 'logical_and':
    case 'logical_or':
      return logicalCost(c, e);
    case 'conditional':
      return conditionalCost(c, e);
  }
  if (e.name === '_[_]' && e.overloads.length > 0) return indexCost(c, e);
  if (e.name === 'dyn' && c.model.rules.tracksEntries && e.args.length > 0) return dynCost(c, e);
  return only && !only.price ? flatCost(c, e) : estimatedCost(c, e);
}

/** The second operand may not be evaluated at all. */
function logicalCost(c: Coster, e: Call): Range {
  const first = cost(c, e.args[0]!);
  const { max } = add(first, cost(c, e.args[1]!));
  setKnown(c, noPath, resultSize(c, e));
  return { min: first.min, max };
}

/** One of the branches. */
function conditionalCost(c: Coster, e: Call): Range {
  const [test, yes, no] = e.args as [Expr, Expr, Expr];
  const before = cost(c, test);
  const yesCost = cost(c, yes);
  const yesSize = operandSize(c, yes);
  const yesEntries = entriesOf(c, yes, c.entries);
  const noCost = cost(c, no);
  const size = union(yesSize, operandSize(c, no));
  setKnown(c, noPath, size, joinedEntries(yesEntries, entriesOf(c, no, c.entries)));
  return add(before, union(yesCost, noCost));
}

/** The size of the node that was priced last, as cel-go itself reckons with it. */
function operandSize(c: Coster, e: Expr): Range {
  return sizeOrUnknown(c, e, c.path, c.size);
}

/** `a[b]`: the item has the size that was written, or declared where the path leads. */
function indexCost(c: Coster, e: Call): Range {
  const below = cost(c, e.args[0]!);
  const { path } = c;
  const entries = entriesOf(c, e.args[0]!, c.entries);
  const sum = add(add(below, cost(c, e.args[1]!)), oneUnit);
  let size: Range | undefined;
  let item = noPath;
  for (const overload of e.overloads) {
    // An optional has items too, but their path is not followed.
    const step = overload.id === 'index_list' ? '@items' : overload.id === 'index_map' ? '@values' : undefined;
    if (step !== undefined) item = extend(path, step);
    if (!c.model.rules.tracksEntries) continue;
    size = (step === undefined ? size : entries?.value) ?? sizeOf(c, e, item, size);
  }
  setKnown(c, item, size);
  return sum;
}

/** A call that costs 1 whatever the sizes of its arguments. */
function flatCost(c: Coster, e: Call): Range {
  let sum = oneUnit;
  for (const arg of e.args) sum = add(sum, cost(c, arg));
  if (e.target) sum = add(sum, cost(c, e.target));
  setKnown(c, noPath, resultSize(c, e));
  return sum;
}

/** The size of a result that only its type tells. */
function resultSize(c: Coster, e: Call): Range | undefined {
  return c.model.rules.tracksEntries && isScalar(e.type, c.model.rules) ? oneUnit : undefined;
}

/** dyn() only switches checking off: its argument keeps its sizes. */
function dynCost(c: Coster, e: Call): Range {
  const arg = e.args[0]!;
  const below = cost(c, arg);
  setKnown(c, noPath, sizeOf(c, arg, c.path, c.size), entriesOf(c, arg, c.entries));
  return add(oneUnit, below);
}

function estimatedCost(c: Coster, e: Call): Range {
  const args: CostNode[] = [];
  let below = zero;
  let entries: EntrySize | undefined;
  for (const arg of e.args) {
    below = add(below, cost(c, arg));
    const own = entriesOf(c, arg, c.entries);
    entries = args.length === 0 ? own : joinedEntries(entries, own);
    args.push(costNode(c, arg));
  }
  let target: CostNode | undefined;
  if (e.overloads.length > 0 && e.target) {
    below = add(below, cost(c, e.target));
    target = costNode(c, e.target);
  }
  setKnown(c, noPath);
  if (e.overloads.length === 0) return zero;
  return add(below, overloadsCost(c, e, { target, args, model: c.model }, entries));
}

/** The node that was priced last, as estimators see it. */
function costNode(c: Coster, e: Expr): CostNode {
  const computed = c.model.rules.tracksEntries ? sizeOf(c, e, c.path, c.size) : (c.size ?? writtenSize(e));
  return seen(e, c.path, computed);
}

function seen(e: Expr, path: CelPath, computed: Range | undefined): CostNode {
  const written = e.kind === 'literal' && e.literal.of === 'int' ? e.literal.value : undefined;
  return { type: e.type, path: shown(path), computed, written };
}

/** Paths from an accumulator are not shown to estimators. */
function shown(path: CelPath): CelPath {
  return path.length > 0 && isAccumulator(path.steps[0]!) ? noPath : path;
}

/** What covers every overload that the call may turn out to be. */
function overloadsCost(c: Coster, e: Call, call: CostCall, entries: EntrySize | undefined): Range {
  let total = nothing;
  let size: Range | undefined;
  const otherwise = resultSize(c, e);
  for (const overload of e.overloads) {
    const estimate = overload.price?.estimate(call) ?? flat;
    total = union(total, estimate.cost);
    if (estimate.size) size = size ? union(size, estimate.size) : estimate.size;
    if (estimate.keepsItems) c.entries = entries;
    size ??= otherwise;
  }
  c.size = size;
  return total;
}

const flat: CallEstimate = { cost: oneUnit };
