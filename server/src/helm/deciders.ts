/** Which conditions decide what another one sees: those in templates that it calls, and those around what its variables are set to. */
import { memo } from '../base/memo.ts';
import type { Place } from '../template/from.ts';
import type {
  ActionNode,
  BranchNode,
  CommandNode,
  ListNode,
  Node,
  PipeNode,
  Statement,
  TemplateNode,
  Tree,
} from '../template/nodes.ts';

type Trees = ReadonlyMap<string, Tree>;

/** Pipelines that are followed from one condition. */
const mostFollowed = 400;

interface Setting {
  readonly variable: string;
  readonly pipe: PipeNode;
  /** The conditions by which it is, or is not, set. */
  readonly around: readonly BranchNode[];
}

/** What a template consists of, for whoever follows its variables and calls. */
interface Outline {
  readonly branches: readonly BranchNode[];
  readonly pipes: readonly PipeNode[];
  readonly settings: readonly Setting[];
}

const outlineOf = memo(({ root }: Tree): Outline => {
  const branches: BranchNode[] = [];
  const pipes: PipeNode[] = [];
  const settings: Setting[] = [];
  const visit = (node: Statement, around: readonly BranchNode[]) => {
    const pipe = 'pipe' in node ? node.pipe : undefined;
    if (pipe) {
      pipes.push(pipe);
      for (const { names } of pipe.declared) settings.push({ variable: names[0]!, pipe, around });
    }
    if (!isBranch(node)) return;
    branches.push(node);
    walk(node.list, [...around, node]);
    if (node.elseList) walk(node.elseList, [...around, node]);
  };
  const walk = ({ nodes }: ListNode, around: readonly BranchNode[]) => {
    for (const node of nodes) visit(node, around);
  };
  walk(root, []);
  return { branches, pipes, settings };
});

const treeOf = memo((trees: Trees): ReadonlyMap<BranchNode, Tree> => {
  const found = new Map<BranchNode, Tree>();
  for (const tree of trees.values()) for (const branch of outlineOf(tree).branches) found.set(branch, tree);
  return found;
});

export const decidersOf = memo((trees: Trees, branch: BranchNode): ReadonlySet<BranchNode> => {
  const own = treeOf(trees).get(branch);
  if (!own) return new Set();
  const found = new Set<BranchNode>();
  const open: { readonly tree: Tree; readonly pipe: PipeNode }[] = [{ tree: own, pipe: branch.pipe }];
  const seen = new Set<PipeNode>();
  for (let next = open.pop(); next && seen.size < mostFollowed; next = open.pop()) {
    const { tree, pipe } = next;
    if (seen.has(pipe)) continue;
    seen.add(pipe);
    const { variables, calls } = namesIn(pipe);
    for (const setting of outlineOf(tree).settings) {
      if (!variables.has(setting.variable)) continue;
      open.push({ tree, pipe: setting.pipe });
      for (const one of setting.around) if (!isAround(one, branch)) found.add(one);
    }
    for (const name of calls) {
      const called = trees.get(name);
      if (!called) continue;
      const { branches, pipes } = outlineOf(called);
      for (const one of branches) found.add(one);
      for (const one of pipes) open.push({ tree: called, pipe: one });
    }
  }
  found.delete(branch);
  return found;
});

/** What the variables of a condition are set to in its template, with the conditions around that; the condition itself first. */
export const behindOf = memo((trees: Trees, branch: BranchNode): readonly PipeNode[] => {
  const tree = treeOf(trees).get(branch);
  return tree ? behind(tree, branch) : [branch.pipe];
});

/** The same of what is done at a place of a template, and of all conditions around it. */
export function behindPlace(trees: Trees, place: Place): readonly PipeNode[] {
  const inFile = [...trees.values()].filter(({ id }) => id === place.file);
  return inFile.flatMap((tree) => statementsAt(tree, place).flatMap((one) => behind(tree, one)));
}

type WithPipe = (BranchNode | ActionNode | TemplateNode) & { readonly pipe: PipeNode };

function behind(tree: Tree, statement: WithPipe): readonly PipeNode[] {
  const found = new Set([statement.pipe]);
  for (const pipe of found) {
    if (found.size > mostFollowed) break;
    const { variables } = namesIn(pipe);
    for (const setting of outlineOf(tree).settings) {
      if (!variables.has(setting.variable)) continue;
      found.add(setting.pipe);
      for (const one of setting.around) if (!isAround(one, statement)) found.add(one.pipe);
    }
  }
  return [...found];
}

/** The statement at a place, behind those around it. */
export function statementsAt(tree: Tree, { start, end }: Place): readonly WithPipe[] {
  const found: WithPipe[] = [];
  const walk = ({ nodes }: ListNode) => {
    const at = nodes.findLast(({ pos }) => pos <= start);
    if (!at || at.end < end || !hasPipe(at)) return;
    found.push(at);
    if (!isBranch(at)) return;
    walk(at.list);
    if (at.elseList) walk(at.elseList);
  };
  walk(tree.root);
  return found;
}

function hasPipe(node: Statement): node is WithPipe {
  return 'pipe' in node && node.pipe !== undefined;
}

/** The templates that are called in a part of one, as far as they are named there. */
export const callsIn = memo((list: ListNode): ReadonlySet<string> => {
  const found = new Set<string>();
  const walk = ({ nodes }: ListNode) => {
    for (const node of nodes) {
      if (node.kind === 'template') found.add(node.name);
      if ('pipe' in node && node.pipe) for (const name of namesIn(node.pipe).calls) found.add(name);
      if (!isBranch(node)) continue;
      walk(node.list);
      if (node.elseList) walk(node.elseList);
    }
  };
  walk(list);
  return found;
});

/** By the name of a template, be it there or not: those that call it by that. */
export const callersIn = memo((trees: Trees): ReadonlyMap<string, readonly string[]> => {
  const callers = new Map<string, string[]>();
  for (const { name, root } of trees.values()) {
    for (const called of callsIn(root)) callers.set(called, [...(callers.get(called) ?? []), name]);
  }
  return callers;
});

/** The keys that a template sets in maps, as far as it and those that it calls name them. */
export const keysSetIn = memo((trees: Trees, name: string): readonly string[] => {
  const called = new Set([name]);
  const keys = new Set<string>();
  for (const one of called) {
    const tree = trees.get(one);
    if (!tree) continue;
    for (const inner of callsIn(tree.root)) called.add(inner);
    for (const { args } of outlineOf(tree).pipes.flatMap((pipe) => namesIn(pipe).setters))
      if (args[2]?.kind === 'string') keys.add(args[2].text);
  }
  return [...keys];
});

/**
 * Keys that no template sets where they are set, or takes away: `{{ if not .done }}{{ $_ := set $ "done" true }}{{ end }}`. Once it is
 * there, such a key stays as it is.
 */
export const keysSetOnce = memo((trees: Trees): ReadonlySet<string> => {
  const once = new Set<string>();
  const others = new Set<string>();
  for (const { root } of trees.values()) {
    eachSetter(root, undefined, true, (setter, unset, isTop) => {
      const [first, map, key, value] = setter.args;
      if (key?.kind !== 'string') return;
      const isSet = first?.kind === 'identifier' && first.name === 'set' && isTrue(value);
      const isOnce = isSet && isRoot(map, isTop) && key.text === unset;
      (isOnce ? once : others).add(key.text);
    });
  }
  for (const key of others) once.delete(key);
  return once;
});

/** Visits what changes maps, with the key that is not set there, and whether the dot is what the template was given. */
function eachSetter(
  { nodes }: ListNode,
  unset: string | undefined,
  isTop: boolean,
  visit: (setter: CommandNode, unset: string | undefined, isTop: boolean) => void,
): void {
  for (const node of nodes) {
    if (hasPipe(node)) for (const one of namesIn(node.pipe).setters) visit(one, unset, isTop);
    if (!isBranch(node)) continue;
    const isInTop = isTop && node.kind === 'if';
    eachSetter(node.list, (node.kind === 'if' ? keyNotSet(node.pipe, isTop) : undefined) ?? unset, isInTop, visit);
    if (node.elseList) eachSetter(node.elseList, unset, isTop, visit);
  }
}

/** The key of `not .done`. */
function keyNotSet({ commands: [command, ...others] }: PipeNode, isTop: boolean): string | undefined {
  const [first, key, ...more] = command?.args ?? [];
  if (others.length + more.length > 0 || first?.kind !== 'identifier' || first.name !== 'not') return undefined;
  if (key?.kind === 'field' && isTop && key.names.length === 1) return key.names[0];
  return key?.kind === 'variable' && key.names.length === 2 && key.names[0] === '$' ? key.names[1] : undefined;
}

/** Whether it is what the template was given. */
function isRoot(map: Node | undefined, isTop: boolean): boolean {
  if (map?.kind === 'dot') return isTop;
  return map?.kind === 'variable' && map.names.length === 1 && map.names[0] === '$';
}

function isTrue(value: Node | undefined): boolean {
  return (value?.kind === 'bool' && value.isTrue) || (value?.kind === 'string' && value.text !== '');
}

/** These templates, and all that come to something of one, as far as they name what they call. */
export function withCallers(trees: Trees, names: Iterable<string>): ReadonlySet<string> {
  const found = new Set(names);
  for (const name of found) for (const caller of callersIn(trees).get(name) ?? []) found.add(caller);
  return found;
}

interface Names {
  /** Those that are read. */
  readonly variables: ReadonlySet<string>;
  readonly calls: ReadonlySet<string>;
  /** What changes maps. */
  readonly setters: readonly CommandNode[];
}

function namesIn(pipe: PipeNode): Names {
  const variables = new Set<string>();
  const calls = new Set<string>();
  const setters: CommandNode[] = [];
  const walk = (node: Node) => {
    if (node.kind === 'variable') variables.add(node.names[0]!);
    else if (node.kind === 'chain') walk(node.of);
    else if (node.kind === 'pipe') for (const command of node.commands) walk(command);
    if (node.kind !== 'command') return;
    const [first, name] = node.args;
    if (first?.kind === 'identifier' && first.name === 'include' && name?.kind === 'string') calls.add(name.text);
    if (first?.kind === 'identifier' && isSetter(first.name)) setters.push(node);
    for (const arg of node.args) walk(arg);
  };
  walk(pipe);
  return { variables, calls, setters };
}

const isSetter = (name: string) => name === 'set' || name === 'unset';

export function isBranch(node: Statement): node is BranchNode {
  return node.kind === 'if' || node.kind === 'with' || node.kind === 'range';
}

function isAround(outer: BranchNode, inner: WithPipe): boolean {
  return outer.pos <= inner.pos && inner.end <= outer.end;
}
