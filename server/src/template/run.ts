/** Runs templates as Go's text/template does, and keeps where each part of what they print comes from. */
import { quote } from '../gostd/quote.ts';
import { costOfCall, costOfResult } from './costs.ts';
import { execError } from './failure.ts';
import { printed } from './format.ts';
import { Computed, type From, Joined, type Part, type Place, sliceOf, ValuePlace, Written } from './from.ts';
import type { Functions } from './functions.ts';
import type {
  ActionNode,
  BranchNode,
  ChainNode,
  CommandNode,
  IdentifierNode,
  ListNode,
  Node,
  Operand,
  PipeNode,
  Statement,
  TemplateNode,
  Tree,
  VariableNode,
} from './nodes.ts';
import { printNode } from './nodes.ts';
import { canBeNil, constantWords, inAny, isAssignable, outOfAny, paramType, zeroOf } from './types.ts';
import {
  type Call,
  type Cell,
  cell,
  GoError,
  GoFunc,
  type GoFunction,
  GoList,
  GoMap,
  GoStruct,
  type GoValue,
  Int,
  isTrue,
  nothing,
  OpenMap,
  TooMuchWork,
  typeName,
} from './value.ts';

/** What is told of a run while it happens. */
export interface Watcher {
  /** All that was told was of a rendering that does not count. */
  restarted(): void;
  /** A part of a template was reached. */
  visited(node: Statement): void;
  /** A condition was decided; its parts can be looked at as they are at this moment. */
  decided(branch: BranchNode, isTaken: boolean, look: (operand: Operand | PipeNode) => Cell | undefined): void;
  /** A value is not there that something was expected of, and the template fails. */
  missed(value: Cell, expected: 'text' | 'map'): void;
}

/** What templates run with. */
export interface World {
  tree(name: string): Tree | undefined;
  readonly functions: Pick<Functions, 'get'>;
  readonly work: Work;
  /** How many templates call each other at the moment. */
  readonly level: { depth: number };
  readonly watcher?: Watcher | undefined;
  /** What a key is that a map does not have: no value at all, or an error; as Helm has it, an empty value of its type. */
  readonly missingKey?: 'invalid' | 'error' | undefined;
}

/** Functions that come to yes or no: what turns those is asked later. */
const tests: ReadonlySet<string> = new Set(['eq', 'ne', 'not', 'empty']);

/** What a rendering may do: nodes that are run, and characters and items that are made. */
export class Work {
  private left: number;
  private readonly most: number;

  constructor(most: number) {
    this.left = most;
    this.most = most;
  }

  get spent(): number {
    return this.most - this.left;
  }

  spend(work: number): void {
    this.left -= work;
    if (this.left < 0) throw new TooMuchWork('rendering takes too much work');
  }
}

/** What is printed is kept in parts, each of which takes memory. */
const perPart = 15;

/** How deep templates may call each other: Go lets them go deeper, but not our stack. */
const deepestTemplates = 300;

/** Runs something one level deeper. */
export function deeper<T>(world: World, run: () => T): T {
  if (world.level.depth >= deepestTemplates) throw new TooMuchWork('templates call each other too deeply');
  world.level.depth++;
  try {
    return run();
  } finally {
    world.level.depth--;
  }
}

export interface Printed {
  readonly text: string;
  readonly from: From;
}

/** What a template prints. Throws a `GoError` in Go's words. */
export function execute(world: World, tree: Tree, dot: Cell): Printed {
  const out: Part[] = [];
  deeper(world, () => new Run(world, tree, out, dot).list(dot, tree.root));
  return { text: out.map(({ text }) => text).join(''), from: new Joined(out) };
}

type Jump = 'break' | 'continue' | undefined;

interface Variable {
  readonly name: string;
  cell: Cell;
}

const dollar = (dot: Cell): Variable[] => [{ name: '$', cell: dot }];

class Run {
  private readonly world: World;
  private readonly tree: Tree;
  private readonly out: Part[];
  private readonly vars: Variable[];
  /** The node that an error is about. */
  private node: Node | undefined;
  /** What the parts of the condition at hand come to, where somebody looks at them once it is decided. */
  private parts: Map<Operand, Cell> | undefined;

  constructor(world: World, tree: Tree, out: Part[], dot: Cell) {
    this.world = world;
    this.tree = tree;
    this.out = out;
    this.vars = dollar(dot);
  }

  list(dot: Cell, { nodes }: ListNode): Jump {
    for (const node of nodes) {
      const jump = this.statement(dot, node);
      if (jump) return jump;
    }
    return undefined;
  }

  private statement(dot: Cell, node: Statement): Jump {
    this.node = node;
    this.world.work.spend(1);
    this.world.watcher?.visited(node);
    switch (node.kind) {
      case 'text':
        this.print(node.text, this.textFrom(node.pos, node.end));
        return undefined;
      case 'action':
        this.action(dot, node);
        return undefined;
      case 'if':
      case 'with':
        return this.ifOrWith(dot, node);
      case 'range':
        return this.range(dot, node);
      case 'template':
        this.template(dot, node);
        return undefined;
      case 'break':
      case 'continue':
        return node.kind;
      case 'comment':
        return undefined;
    }
  }

  private place(start: number, end: number): Place | undefined {
    const { within, id } = this.tree;
    return within ? within.place : { file: id, start, end };
  }

  /** Where a part of the template's own text comes from. */
  private textFrom(start: number, end: number, isExact = true): From {
    const { within, id, text } = this.tree;
    if (!within) return new Written({ file: id, start, end }, isExact);
    return isExact ? sliceOf(text, within.from, start, end).from : within.from;
  }

  private print(text: string, from: From, action?: Place): void {
    this.world.work.spend(perPart + text.length);
    this.out.push({ text, from, action });
  }

  private action(dot: Cell, node: ActionNode): void {
    const value = this.pipeline(dot, node.pipe);
    if (node.pipe.declared.length > 0) return;
    this.node = node;
    if (value.value instanceof GoFunc) this.fail(`can't print ${printNode(node)} of type ${value.value.type}`);
    this.print(shown(value.value), value.from, this.place(node.start, node.end));
  }

  private ifOrWith(dot: Cell, node: BranchNode): Jump {
    const mark = this.vars.length;
    const [value, parts] = this.condition(dot, node);
    const isTaken = isTrue(value.value);
    this.watchBranch(dot, node, isTaken, parts);
    const other = isTaken ? node.list : node.elseList;
    const jump = other && this.list(isTaken && node.kind === 'with' ? value : dot, other);
    this.vars.length = mark;
    return jump;
  }

  /** A condition, with what its parts came to on the way. */
  private condition(dot: Cell, { pipe }: BranchNode): [Cell, ReadonlyMap<Operand, Cell> | undefined] {
    const { parts } = this;
    this.parts = this.world.watcher && new Map();
    try {
      return [this.pipeline(dot, pipe), this.parts];
    } finally {
      this.parts = parts;
    }
  }

  private watchBranch(dot: Cell, node: BranchNode, isTaken: boolean, parts?: ReadonlyMap<Operand, Cell>): void {
    const { watcher } = this.world;
    watcher?.decided(node, isTaken, (operand) => this.lookAt(dot, operand, parts?.get(operand)));
  }

  /** What a part of a condition is at this moment; undefined where it cannot be told. */
  private lookAt(dot: Cell, operand: Operand | PipeNode, known: Cell | undefined): Cell | undefined {
    const { node } = this;
    try {
      if (known) return this.validated(known, 'interface {}');
      return this.argument(dot, operand, 'interface {}');
    } catch (error) {
      // That a part that was never reached cannot be worked out is nothing to report.
      if (error instanceof GoError) return undefined;
      throw error;
    } finally {
      this.node = node;
    }
  }

  private range(dot: Cell, node: BranchNode): Jump {
    const mark = this.vars.length;
    const value = this.pipeline(dot, node.pipe);
    const inner = this.vars.length;
    let hasRun = false;
    for (const [key, item] of this.items(value, node)) {
      hasRun = true;
      this.world.work.spend(1);
      this.assignItem(node.pipe, key, item);
      const jump = this.list(item, node.list);
      this.vars.length = inner;
      if (jump === 'break') break;
    }
    this.watchBranch(dot, node, hasRun);
    const jump = hasRun || !node.elseList ? undefined : this.list(dot, node.elseList);
    this.vars.length = mark;
    return jump;
  }

  private assignItem({ declared, isAssign }: PipeNode, key: Cell, item: Cell): void {
    if (declared.length === 0) return;
    const cells = declared.length > 1 ? [key, item] : [item];
    declared.forEach(({ names }, at) => {
      if (isAssign) this.assign(names[0]!, cells[at]!);
      else this.vars[this.vars.length - declared.length + at]!.cell = cells[at]!;
    });
  }

  /** Keys and items in the order in which Go goes through them. */
  private *items({ value, from }: Cell, node: BranchNode): Generator<readonly [Cell, Cell]> {
    if (value === undefined || value === null) return;
    if (value instanceof GoList) {
      for (const [at, item] of value.items.entries()) yield [cell(new Int(at), from), inAny(item, value.type)];
    } else if (value instanceof GoMap) {
      for (const [key, item] of value.sorted()) yield [cell(key, item.from), inAny(item, value.type)];
    } else if (value instanceof Int) {
      if (node.pipe.declared.length > 1)
        this.fail(`can't use ${printed(value)} to iterate over more than one variable`);
      for (let at = 0n; at < value.value; at++) yield [nothing, cell(new Int(at, value.type), from)];
    } else this.fail(`range can't iterate over ${printed(value)}`);
  }

  private template(dot: Cell, node: TemplateNode): void {
    const tree = this.world.tree(node.name);
    if (!tree) this.fail(`template "${node.name}" not defined`);
    const data = node.pipe ? this.pipeline(dot, node.pipe) : nothing;
    deeper(this.world, () => new Run(this.world, tree, this.out, data).list(data, tree.root));
  }

  private pipeline(dot: Cell, pipe: PipeNode): Cell {
    this.node = pipe;
    if (pipe.isBroken) this.fail('it could not be read');
    let value: Cell | undefined;
    for (const command of pipe.commands) value = outOfAny(this.command(dot, command, value));
    for (const { names } of pipe.declared) {
      if (pipe.isAssign) this.assign(names[0]!, value!);
      else this.vars.push({ name: names[0]!, cell: value! });
    }
    return value!;
  }

  private assign(name: string, value: Cell): void {
    this.variableNamed(name).cell = value;
  }

  private variableNamed(name: string): Variable {
    for (let at = this.vars.length - 1; at >= 0; at--) if (this.vars[at]!.name === name) return this.vars[at]!;
    this.fail(`undefined variable: ${name}`);
  }

  private command(dot: Cell, command: CommandNode, final: Cell | undefined): Cell {
    const first = command.args[0]!;
    switch (first.kind) {
      case 'field':
        this.node = first;
        return this.fieldChain(dot, dot, first, first.names, command.args, final);
      case 'chain':
        return this.chain(dot, first, command.args, final);
      case 'identifier':
        return this.functionCall(dot, first, command, command.args, final);
      case 'pipe':
        this.notAFunction(command.args, final);
        return this.pipeline(dot, first);
      case 'variable':
        return this.variable(dot, first, command.args, final);
    }
    this.node = first;
    this.notAFunction(command.args, final);
    if (first.kind === 'nil') this.fail('nil is not a command');
    return this.constant(dot, first);
  }

  private notAFunction(args: readonly Operand[], final: Cell | undefined): void {
    if (args.length > 1 || final) this.fail(`can't give argument to non-function ${printNode(args[0]!)}`);
  }

  private constant(dot: Cell, node: Operand): Cell {
    switch (node.kind) {
      case 'dot':
        return dot;
      case 'bool':
        return cell(node.isTrue, this.written(node));
      case 'string':
        return cell(node.text, this.writtenText(node.pos, node.quoted, node.text));
      case 'number':
        if (node.ideal === 'overflow') this.fail(`${node.text} overflows int`);
        return cell(node.ideal === 'int' ? new Int(node.int!) : node.float!, this.written(node));
    }
    return this.fail(`can't evaluate command ${printNode(node)}`);
  }

  private written(node: Operand): From {
    return this.textFrom(node.pos, node.end);
  }

  private writtenText(pos: number, quoted: string, text: string): From {
    return this.textFrom(pos + 1, pos + quoted.length - 1, quoted.length === text.length + 2);
  }

  private chain(dot: Cell, chain: ChainNode, args: readonly Operand[] | undefined, final: Cell | undefined): Cell {
    this.node = chain;
    if (chain.of.kind === 'nil') this.fail(`indirection through explicit nil in ${printNode(chain)}`);
    const value = this.argument(dot, chain.of, undefined);
    return this.fieldChain(dot, value, chain, chain.names, args, final);
  }

  private variable(dot: Cell, node: VariableNode, args: readonly Operand[] | undefined, final: Cell | undefined): Cell {
    this.node = node;
    const value = this.variableNamed(node.names[0]!).cell;
    if (node.names.length > 1) return this.fieldChain(dot, value, node, node.names.slice(1), args, final);
    this.notAFunction(args ?? [], final);
    return value;
  }

  private fieldChain(
    dot: Cell,
    from: Cell,
    node: Operand,
    names: readonly string[],
    args: readonly Operand[] | undefined,
    final: Cell | undefined,
  ): Cell {
    let receiver = from;
    for (let at = 0; at < names.length - 1; at++)
      receiver = this.field(dot, names[at]!, node, undefined, undefined, receiver);
    return this.field(dot, names.at(-1)!, node, args, final, receiver);
  }

  private field(
    dot: Cell,
    name: string,
    node: Operand,
    args: readonly Operand[] | undefined,
    final: Cell | undefined,
    receiver: Cell,
  ): Cell {
    const { value } = receiver;
    if (value === undefined)
      return receiver.from instanceof ValuePlace ? cell(undefined, receiver.from.child(name, true)) : nothing;
    if (value === null) {
      this.world.watcher?.missed(receiver, 'map');
      this.fail(`nil pointer evaluating interface {}.${name}`);
    }
    const mayHave = value instanceof GoStruct || value instanceof GoMap || value instanceof GoList;
    const method = mayHave ? value.methods?.get(name) : undefined;
    if (method) return this.call(dot, method, node, name, args, final);
    const hasArgs = (args?.length ?? 0) > 1 || final !== undefined;
    if (value instanceof GoMap) {
      if (hasArgs) this.fail(`${name} is not a method but has arguments`);
      return inAny(value.get(name) ?? this.missing(value, name, node), value.type);
    }
    const known = value instanceof GoStruct ? value.fields.get(name) : undefined;
    if (!known) this.fail(`can't evaluate field ${name} in type ${receiver.isAny ? 'interface {}' : typeName(value)}`);
    if (hasArgs) this.fail(`${name} has arguments but cannot be invoked as function`);
    return known;
  }

  private missing({ place, type }: GoMap, name: string, node: Operand): Cell {
    const from = place?.child(name, true) ?? new Computed(this.place(node.pos, node.end));
    const { missingKey } = this.world;
    if (missingKey === 'error') this.fail(`map has no entry for key ${quote(name)}`);
    if (missingKey === 'invalid') return cell(undefined, from);
    return cell(/^map\[string\]string$/.test(type) ? '' : null, from);
  }

  private functionCall(
    dot: Cell,
    node: IdentifierNode,
    command: Operand | CommandNode,
    args: readonly Operand[] | undefined,
    final: Cell | undefined,
  ): Cell {
    this.node = node;
    const known = this.world.functions.get(node.name);
    if (!known) this.fail(`"${node.name}" is not a defined function`);
    return this.call(dot, known, command, node.name, args, final);
  }

  private call(
    dot: Cell,
    called: GoFunction,
    node: Operand | CommandNode,
    name: string,
    written: readonly Operand[] | undefined,
    final: Cell | undefined,
  ): Cell {
    const args = written?.slice(1) ?? [];
    this.checkCount(called, name, args.length, final);
    if ((name === 'and' || name === 'or') && called.params[0] === 'reflect.Value')
      return this.decide(dot, name, args, final);
    const cells = args.map((arg, at) => this.argument(dot, arg, paramType(called, at)));
    if (final) cells.push(this.validated(final, paramType(called, cells.length)));
    return this.guarded(called, cells, node, name);
  }

  private checkCount({ params, isVariadic }: GoFunction, name: string, written: number, final: Cell | undefined): void {
    const given = written + (final ? 1 : 0);
    if (isVariadic && given < params.length - 1)
      this.fail(`wrong number of args for ${name}: want at least ${params.length - 1} got ${written}`);
    if (!isVariadic && given !== params.length)
      this.fail(`wrong number of args for ${name}: want ${params.length} got ${given}`);
  }

  /** `and` and `or` look at no more than they need. */
  private decide(dot: Cell, name: 'and' | 'or', args: readonly Operand[], final: Cell | undefined): Cell {
    let value = nothing;
    for (const arg of args) {
      value = this.argument(dot, arg, 'reflect.Value');
      if (isTrue(value.value) === (name === 'or')) return value;
    }
    return final ?? value;
  }

  private guarded(called: GoFunction, cells: readonly Cell[], node: Operand | CommandNode, name: string): Cell {
    const { work } = this.world;
    work.spend(1 + costOfCall(name, cells));
    const of = cells.map(({ from }) => from);
    const from = new Computed(this.place(node.pos, node.end), of);
    if (tests.has(name)) from.called = { name, args: cells };
    const call: Call = {
      from,
      spend: (amount) => work.spend(amount),
    };
    try {
      const result = called.call(cells, call);
      work.spend(costOfResult(result));
      return inAny(result, called.result);
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      this.node = node;
      throw this.error(`error calling ${name}: ${error.message}`, error);
    }
  }

  /** The value of an argument; without a type, that before a field. */
  private argument(dot: Cell, node: Operand, type: string | undefined): Cell {
    this.node = node;
    switch (node.kind) {
      case 'dot':
        return this.validated(dot, type);
      case 'nil':
        if (type === undefined || !canBeNil(type)) this.fail(`cannot assign nil to ${type}`);
        return zeroOf(type, this.written(node));
      case 'field':
        return this.validated(this.fieldChain(dot, dot, node, node.names, [node], undefined), type);
      case 'variable':
        return this.validated(this.variable(dot, node, undefined, undefined), type);
      case 'pipe':
        return this.validated(this.part(node, this.pipeline(dot, node)), type);
      case 'identifier':
        return this.validated(this.functionCall(dot, node, node, undefined, undefined), type);
      case 'chain':
        return this.validated(this.chain(dot, node, undefined, undefined), type);
      default:
        return this.typedConstant(dot, node, type ?? 'interface {}');
    }
  }

  private part(node: Operand, value: Cell): Cell {
    this.parts?.set(node, value);
    return value;
  }

  private typedConstant(dot: Cell, node: Operand, type: string): Cell {
    if (type === 'interface {}' || type === 'reflect.Value') return this.constant(dot, node);
    if (type === 'string' && node.kind === 'string') return this.constant(dot, node);
    if (type === 'bool' && node.kind === 'bool') return this.constant(dot, node);
    const number = node.kind === 'number' ? node : undefined;
    if (/^u?int/.test(type) && number?.int !== undefined) return cell(new Int(number.int, type), this.written(node));
    if (type === 'float64' && number?.float !== undefined) return cell(number.float, this.written(node));
    const expected = constantWords(type);
    if (expected) this.fail(`expected ${expected}; found ${printNode(node)}`);
    return this.fail(`can't handle ${printNode(node)} for arg of type ${type}`);
  }

  private validated(given: Cell, type: string | undefined): Cell {
    if (type === undefined || type === 'reflect.Value') return given;
    const { value } = given;
    if (value === undefined) {
      if (canBeNil(type)) return zeroOf(type, given.from);
      this.missed(given, type);
      this.fail(`invalid value; expected ${type}`);
    }
    if (type === 'interface {}') return given;
    if (value instanceof OpenMap) return cell(value.inPlaceOf(type), given.from);
    if (value === null) this.missed(given, type);
    const actual = value === null ? 'interface {}' : typeName(value);
    if (!isAssignable(actual, type, value)) this.fail(`wrong type for value; expected ${type}; got ${actual}`);
    return given;
  }

  /** A function was given nothing where it takes a value of a type. */
  private missed(given: Cell, type: string): void {
    if (type === 'string') this.world.watcher?.missed(given, 'text');
    if (type.startsWith('map[')) this.world.watcher?.missed(given, 'map');
  }

  private error(message: string, cause?: GoError): GoError {
    return execError(this.tree, this.node, message, cause);
  }

  private fail(message: string): never {
    throw this.error(message);
  }
}

/** What an action prints of a value. */
function shown(value: GoValue): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '<no value>' : printed(value);
}
