// Whether JavaScript's engine may take more than linear time over a regular expression: looked for in the automaton of
// its positions (Glushkov's), where the ways through one and the same text are counted.
//
// Two ways around a loop for one text make it exponential; a loop that hands over to another one for the same text makes
// it quadratic, and the search from each place of the text is such a first loop. What has matched without anything left
// that can fail does no harm. Looking ahead is a way on that ends there; looking behind is taken for free.

type Node =
  | { readonly kind: 'atom'; readonly set: bigint }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly of: Node; readonly least: number; readonly most: number }
  | { readonly kind: 'ahead'; readonly of: Node }
  | { readonly kind: 'start' | 'line' | 'assert' };

/** What is wrong with an expression; undefined where nothing is. */
export function backtracks(source: string, flags: string): string | undefined {
  const reader: Reader = { source, flags, at: 0 };
  const node = readChoice(reader);
  if (reader.at < source.length) throw new Error(`not understood: /${source}/ at ${reader.at}`);
  const graph = graphOf(node, flags);
  return exponential(graph) ?? quadratic(graph);
}

// Reading

interface Reader {
  readonly source: string;
  readonly flags: string;
  at: number;
}

const samples = [
  ...Array.from({ length: 128 }, (_, i) => String.fromCharCode(i)),
  ...['\x85', '\xa0', 'é', 'ß', '\u0131', '\u2028', '\u2029', '\u3000', '\ufeff', '中', '\ud83d', '😀', 'ſ', '\u212a'],
];
const everything = setOf(() => true);
const newlines = setOf((sample) => /[\n\r\u2028\u2029]/.test(sample));

/** Which of the sample characters something holds for, a bit each. */
function setOf(holds: (sample: string) => boolean): bigint {
  return samples.reduce((set, sample, i) => (holds(sample) ? set | (1n << BigInt(i)) : set), 0n);
}

function readChoice(r: Reader): Node {
  const parts = [readSequence(r)];
  while (r.source[r.at] === '|') {
    r.at++;
    parts.push(readSequence(r));
  }
  return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
}

function readSequence(r: Reader): Node {
  const parts: Node[] = [];
  while (r.at < r.source.length && r.source[r.at] !== '|' && r.source[r.at] !== ')') parts.push(readQuantified(r));
  return { kind: 'sequence', parts };
}

function readQuantified(r: Reader): Node {
  const of = readOne(r);
  const found = take(r, /(?:([*+?])|\{(\d+)(,(\d*))?\})\??/y);
  if (!found) return of;
  const [, sign, least, comma, most] = found;
  if (sign !== undefined) return { kind: 'repeat', of, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
  if (comma === undefined) return { kind: 'repeat', of, least: Number(least), most: Number(least) };
  return { kind: 'repeat', of, least: Number(least), most: most === '' ? Infinity : Number(most) };
}

function take(r: Reader, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = r.at;
  const found = expression.exec(r.source);
  if (found) r.at += found[0].length;
  return found;
}

function readOne(r: Reader): Node {
  if (take(r, /\^/y)) return { kind: r.flags.includes('m') ? 'line' : 'start' };
  if (take(r, /\$|\\[bB]/y)) return { kind: 'assert' };
  const group = take(r, /\((?:\?(?::|=|!|<=|<!|<\w+>))?/y);
  if (group) return readGroup(r, group[0]);
  const [text] = take(
    r,
    /\[(?:\\[\s\S]|[^\]\\])*\]|\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|k<\w+>|[\s\S])|[\s\S]/uy,
  )!;
  // What a group has matched may be anything.
  if (/^\\(?:[1-9]|k<)/.test(text))
    return { kind: 'repeat', of: { kind: 'atom', set: everything }, least: 0, most: Infinity };
  const matcher = new RegExp(`^(?:${text})$`, r.flags.replace(/[gy]/g, ''));
  return { kind: 'atom', set: setOf((sample) => matcher.test(sample)) };
}

function readGroup(r: Reader, opening: string): Node {
  const of = readChoice(r);
  r.at++;
  if (opening.endsWith('<=') || opening.endsWith('<!')) return { kind: 'assert' };
  return opening.endsWith('=') || opening.endsWith('!') ? { kind: 'ahead', of } : of;
}

// The automaton

interface Graph {
  readonly sets: bigint[];
  /** How many ways lead from one position on to another. */
  readonly next: Map<number, number>[];
  /** The number of the loop that each position is in; -1 outside of loops. */
  loops: readonly number[];
  /** Loops from which all has matched, whatever comes. */
  safe: ReadonlySet<number>;
}

/** A part of the expression: where it begins and ends, and for each end whether nothing behind it can fail. */
interface Part {
  readonly nullable: boolean;
  /** Left out, it cannot fail. */
  readonly free: boolean;
  readonly first: readonly number[];
  readonly last: ReadonlyMap<number, boolean>;
}

const nothing: Part = { nullable: true, free: true, first: [], last: new Map() };

function graphOf(node: Node, flags: string): Graph {
  const graph: Graph = { sets: [], next: [], loops: [], safe: new Set() };
  const branches = node.kind === 'choice' ? node.parts : [node];
  const parts = branches.map((branch) => partOf(graph, branch));
  const whole = parts.reduce(either);
  if (!flags.includes('y')) {
    const search = position(graph, everything);
    graph.next[search]!.set(search, 1);
    for (const [i, branch] of branches.entries()) addSearch(graph, search, branch, parts[i]!);
  }
  graph.loops = loopsOf(graph.next);
  graph.safe = new Set([...whole.last].filter(([, clean]) => clean).map(([at]) => graph.loops[at]!));
  return graph;
}

function position(graph: Graph, set: bigint): number {
  graph.next.push(new Map());
  return graph.sets.push(set) - 1;
}

function partOf(graph: Graph, node: Node): Part {
  switch (node.kind) {
    case 'atom': {
      const at = position(graph, node.set);
      return { nullable: false, free: false, first: [at], last: new Map([[at, true]]) };
    }
    case 'sequence':
      return node.parts.map((part) => partOf(graph, part)).reduce((a, b) => then(graph, a, b), nothing);
    case 'choice':
      return node.parts.map((part) => partOf(graph, part)).reduce(either);
    case 'repeat':
      return repeated(graph, node);
    case 'ahead':
      return { nullable: true, free: false, first: partOf(graph, node.of).first, last: new Map() };
    default:
      return { ...nothing, free: false };
  }
}

function either(a: Part, b: Part): Part {
  return {
    nullable: a.nullable || b.nullable,
    free: (a.nullable && a.free) || (b.nullable && b.free),
    first: [...a.first, ...b.first],
    last: new Map([...a.last, ...b.last]),
  };
}

function then(graph: Graph, a: Part, b: Part): Part {
  link(graph, a, b);
  const kept = b.nullable ? [...a.last].map(([at, clean]): [number, boolean] => [at, clean && b.free]) : [];
  return {
    nullable: a.nullable && b.nullable,
    free: a.free && b.free,
    first: a.nullable ? [...a.first, ...b.first] : a.first,
    last: new Map([...kept, ...b.last]),
  };
}

function link({ next }: Graph, a: Part, b: Part): void {
  for (const from of a.last.keys()) {
    for (const to of b.first) next[from]!.set(to, (next[from]!.get(to) ?? 0) + 1);
  }
}

/** Copies of a part with a bounded quantifier; beyond this it counts as a loop. */
const mostCopies = 10;

function repeated(graph: Graph, { of, least, most }: Extract<Node, { kind: 'repeat' }>): Part {
  if (most === 0) return nothing;
  const isLoop = most > mostCopies;
  const count = isLoop ? Math.min(Math.max(1, least), mostCopies) : most;
  let all: Part = nothing;
  for (let i = 0; i < count; i++) {
    const one = partOf(graph, of);
    if (isLoop && i === count - 1) link(graph, one, one);
    all = then(graph, all, i < least ? one : optional(one));
  }
  return all;
}

function optional(part: Part): Part {
  return { ...part, nullable: true, free: true };
}

/** Whether it can only match at the start of the text, or of a line. */
function begins(node: Node, what: 'start' | 'line'): boolean {
  switch (node.kind) {
    case 'sequence': {
      const first = node.parts.find((part) => part.kind !== 'ahead' && part.kind !== 'assert');
      return first !== undefined && begins(first, what);
    }
    case 'choice':
      return node.parts.every((part) => begins(part, what));
    case 'repeat':
      return node.least > 0 && begins(node.of, what);
    default:
      return node.kind === what;
  }
}

/** The search tries every place of the text, or of its lines. */
function addSearch(graph: Graph, search: number, branch: Node, { first }: Part): void {
  if (begins(branch, 'start')) return;
  const before = begins(branch, 'line') ? position(graph, newlines) : search;
  if (before !== search) graph.next[search]!.set(before, 1);
  for (const at of first) graph.next[before]!.set(at, 1);
}

function loopsOf(next: Graph['next']): number[] {
  const reach = next.map((_, at) => reachable(next, at));
  return next.map((_, at) =>
    reach[at]!.has(at) ? Math.min(...[...reach[at]!].filter((to) => reach[to]!.has(at))) : -1,
  );
}

function reachable(next: Graph['next'], from: number): Set<number> {
  const found = new Set<number>();
  const queue = [from];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const to of next[at]!.keys()) {
      if (found.has(to)) continue;
      found.add(to);
      queue.push(to);
    }
  }
  return found;
}

// What is bad

/** Two ways from a position back to it, over one text. */
function exponential(graph: Graph): string | undefined {
  const { next, loops, safe } = graph;
  for (const [q, loop] of loops.entries()) {
    if (loop < 0 || safe.has(loop)) continue;
    if ([...next[q]!].some(([to, ways]) => ways > 1 && loops[to] === loop)) return 'a loop in a loop: exponential';
    const pairs = walk(graph, [q, q]);
    const apart = pairs.filter(([a, b]) => a !== b);
    if (apart.some((pair) => walk(graph, pair).some(([a, b]) => a === q && b === q))) {
      return 'two ways around a loop: exponential';
    }
  }
  return undefined;
}

/** Where ways through their loops get to over one text. */
function walk({ sets, next, loops }: Graph, start: readonly number[], free = -1): number[][] {
  const found: number[][] = [];
  const seen = new Set<string>();
  const queue = [start];
  for (let from = queue.pop(); from; from = queue.pop()) {
    for (const to of steps(from, 0, everything)) {
      if (seen.has(String(to))) continue;
      seen.add(String(to));
      found.push(to);
      queue.push(to);
    }
  }
  return found;

  function steps(from: readonly number[], i: number, shared: bigint): number[][] {
    if (i === from.length) return [[]];
    return [...next[from[i]!]!.keys()].flatMap((to) => {
      const both = shared & sets[to]!;
      if (both === 0n || (i !== free && loops[to] !== loops[start[i]!])) return [];
      return steps(from, i + 1, both).map((rest) => [to, ...rest]);
    });
  }
}

/** A loop that hands over to another one, over a text that both go around. */
function quadratic(graph: Graph): string | undefined {
  const { loops, safe } = graph;
  for (const [p, first] of loops.entries()) {
    for (const [q, second] of loops.entries()) {
      if (first < 0 || second < 0 || first === second || safe.has(second)) continue;
      const reached = walk(graph, [p, p, q], 1);
      if (reached.some(([a, b, c]) => a === p && b === q && c === q)) {
        return 'a loop behind another one over the same text: quadratic';
      }
    }
  }
  return undefined;
}
