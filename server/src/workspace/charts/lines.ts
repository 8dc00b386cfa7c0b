/** How many lines of a chart's templates are in some rendering, and why the others are in none. */
import { memo } from '../../base/memo.ts';
import { lineIndex } from '../../base/text.ts';
import { callersIn, callsIn, withCallers } from '../../helm/deciders.ts';
import { asksCluster, type Beyond, beyondValues, elseEndsInFailure, endsInFailure } from '../../helm/reach.ts';
import type { BranchNode, ListNode, Statement, Tree } from '../../template/nodes.ts';

/** Why a line is in no rendering, in the words of the summary. */
export const reasons = {
  kubernetes: 'for other versions of Kubernetes or other APIs',
  release: 'for other names of the release',
  cluster: 'for what only a cluster has',
  refused: 'where the chart refuses to be rendered',
  missing: 'in templates that need charts which are not here',
  failed: 'in templates that cannot be rendered',
  unused: 'in templates that nothing includes',
  values: 'for values that were not found',
} satisfies Readonly<Record<Beyond, string>> & Readonly<Record<string, string>>;

export type Reason = keyof typeof reasons;

/** Lines by why they are in no rendering. */
export type Unreached = ReadonlyMap<Reason, number>;

export interface LinesReached {
  readonly lines: number;
  readonly reached: number;
  readonly unreached: Unreached;
}

/** What is known of the templates of a chart with one set of values. */
export interface ReadTrees {
  readonly trees: ReadonlyMap<string, Tree>;
  /** Whether a chart that they want is not here. */
  readonly isIncomplete: boolean;
  isVisited(node: Statement): boolean;
  /** Why nothing of a template that is rendered by itself is in any rendering; undefined for other templates. */
  whyNot(name: string): 'failed' | 'missing' | undefined;
}

/** Those of charts beside the one at `root`, and of library charts, are counted with no chart: they are rendered with many. */
export function linesReached(root: string, all: readonly ReadTrees[]): LinesReached {
  const lines = new Map<string, Reason | undefined>();
  for (const one of all) {
    const { trees, isIncomplete } = one;
    const whyOf = reasonsOf(one);
    const lacking = isIncomplete ? lackingIn(trees) : undefined;
    for (const tree of trees.values()) {
      if (!tree.id.startsWith(`${root}/`) || tree.id.includes('!/')) continue;
      const why = lacking?.has(tree.name) ? 'missing' : (whyOf.get(tree.name) ?? 'unused');
      eachLine(one, tree, why, (line, reason) => {
        // In a template that is left as it was entered, some line may be in another rendering.
        if (!lines.has(line) || reason === undefined) lines.set(line, reason);
      });
    }
  }
  const unreached = new Map<Reason, number>();
  for (const reason of lines.values()) if (reason) unreached.set(reason, (unreached.get(reason) ?? 0) + 1);
  const left = [...unreached.values()].reduce((sum, one) => sum + one, 0);
  return { lines: lines.size, reached: lines.size - left, unreached };
}

/** Why nothing of a template is in any rendering: what calls it is in one, or in none, or nothing calls it. */
function reasonsOf({ trees, isVisited, whyNot }: ReadTrees): ReadonlyMap<string, Reason> {
  const found = new Map<string, Reason>();
  const follow = (name: string, why: Reason) => {
    const tree = trees.get(name);
    if (!tree || found.has(name)) return;
    found.set(name, why);
    for (const called of callsIn(tree.root)) follow(called, why);
  };
  const own = [...trees.values()].filter(({ name }) => whyNot(name) !== undefined);
  const isInSome = ({ root }: Tree) => root.nodes.some(isVisited);
  for (const tree of own) if (isInSome(tree)) for (const called of callsIn(tree.root)) follow(called, 'values');
  for (const tree of own) follow(tree.name, whyNot(tree.name)!);
  return found;
}

/** Templates that call, themselves or through others, one that is not here. */
const lackingIn = memo((trees: ReadonlyMap<string, Tree>): ReadonlySet<string> => {
  const missing = [...callersIn(trees).keys()].filter((name) => !trees.has(name));
  return withCallers(trees, missing);
});

/** Visits each line that a statement is on, with why it is in no rendering; blanks between actions are no part of any. */
function eachLine(
  read: ReadTrees,
  tree: Tree,
  whyNot: Reason,
  visit: (line: string, reason: Reason | undefined) => void,
): void {
  const { isVisited } = read;
  const index = lineIndex(tree.text);
  const walk = (list: ListNode, why: Reason) => {
    for (const node of list.nodes) {
      if (node.kind === 'comment' || (node.kind === 'text' && node.text.trim() === '')) continue;
      const branch = node.kind === 'if' || node.kind === 'with' || node.kind === 'range' ? node : undefined;
      const last = index.lineAt(branch ? node.pos : Math.max(node.pos, node.end - 1));
      const reason = isVisited(node) ? undefined : why;
      for (let line = index.lineAt(node.pos); line <= last; line++) visit(`${tree.id}:${line}`, reason);
      if (!branch) continue;
      const inside = (part: ListNode) => (isVisited(branch) ? whyNotInside(read, branch, part) : why);
      walk(branch.list, isVisited(branch) && endsInFailure(branch) ? 'refused' : inside(branch.list));
      const { elseList } = branch;
      if (elseList) walk(elseList, isVisited(branch) && elseEndsInFailure(branch) ? 'refused' : inside(elseList));
    }
  };
  walk(tree.root, whyNot);
}

function whyNotInside({ trees, isIncomplete }: ReadTrees, branch: BranchNode, part: ListNode): Reason {
  const known = beyondValues(branch);
  if (known) return known;
  if (isIncomplete && [...callsIn(part)].some((name) => lackingIn(trees).has(name))) return 'missing';
  return asksCluster(trees, branch) ? 'cluster' : 'values';
}
