/** Looks for values with which a template comes to the parts that it does not come to otherwise. */
import { firstFound } from '../base/firstFound.ts';
import { memo } from '../base/memo.ts';
import { unknownMark } from '../base/value.ts';
import { Joined, type Place, type ValuePlace } from '../template/from.ts';
import {
  type BranchNode,
  type CommandNode,
  type ListNode,
  type PipeNode,
  printNode,
  type Statement,
  type Tree,
} from '../template/nodes.ts';
import type { Watcher } from '../template/run.ts';
import type { GoValue } from '../template/value.ts';
import { parseStream } from '../yaml/parse.ts';
import { documentVerdict } from '../yaml/value.ts';
import { type Blame, blameOf, isBelowBlamed, isBlamed, lookedAt, unreadable } from './blame.ts';
import { kubeVersionOf } from './capabilities.ts';
import { behindOf, behindPlace, decidersOf } from './deciders.ts';
import { placeOf, type Surroundings, type Ways, waysTo } from './flip.ts';
import { isNotes, judgedText } from './judgedText.ts';
import { type Assumption, makes, type Second, samples, withPairs } from './made.ts';
import { type Frame, isFailure, mostWork, type Rendered } from './render.ts';

/** Renderings that are tried for one template. */
export const mostTries = 150;

/** How often one condition is tried in vain. */
const mostVain = 3;

/** Constants that are kept of one value. */
const mostConstants = 6;

/** Renderings that are tried on top of what leads to a condition, to turn what it was decided by. */
const mostTurnsOver = 20;

/** Assumptions with which a rendering that fails says what is to be tried next. */
const mostInFailed = 12;

/** Refusals of a chart, one after the other, that are given what they ask for; two of them may ask for the contrary of each other. */
const mostRefusals = 8;

/** Conditions that have decided what one sees, and are turned for it. */
const mostDeciders = 6;

/** Assumptions that are taken for what keeps all of them from going together, before these are halved. */
const mostBlamed = 16;

/** Renderings of one template with two keys or items where one was made up. */
const mostPairs = 6;

/** What of templates was reached, and which ways their conditions went. */
export class Coverage {
  readonly visited = new Set<Statement>();
  private readonly decided = new Map<BranchNode, { yes: boolean; no: boolean }>();

  /** How often a condition was tried in vain: other templates that include it need not try as often. */
  private readonly vain = new Map<BranchNode, number>();

  /** The constants that values are compared with, by the place of the value. */
  private readonly compared = new Map<string, GoValue[]>();

  /** The others that a value is compared with; the constant is one of them from now on. */
  comparedWith({ source, path }: ValuePlace, constant: GoValue): readonly GoValue[] {
    const key = JSON.stringify([source, ...path]);
    const known = this.compared.get(key) ?? [];
    this.compared.set(key, known);
    if (!known.includes(constant) && known.length < mostConstants) known.push(constant);
    return known.filter((one) => one !== constant);
  }

  isGivenUp(branch: BranchNode): boolean {
    return (this.vain.get(branch) ?? 0) >= mostVain;
  }

  noteVain(branch: BranchNode): void {
    this.vain.set(branch, (this.vain.get(branch) ?? 0) + 1);
  }

  clear(): void {
    this.visited.clear();
    this.decided.clear();
  }

  /** Takes in what another one has reached; says whether that is something new. */
  add(other: Coverage): boolean {
    const before = this.visited.size;
    for (const node of other.visited) this.visited.add(node);
    for (const [branch, { yes, no }] of other.decided) {
      if (yes) this.note(branch, true);
      if (no) this.note(branch, false);
    }
    return this.visited.size > before;
  }

  isKnown(branch: BranchNode, isTaken: boolean): boolean {
    const known = this.decided.get(branch);
    return (isTaken ? known?.yes : known?.no) ?? false;
  }

  note(branch: BranchNode, isTaken: boolean): void {
    const known = this.decided.get(branch) ?? { yes: false, no: false };
    this.decided.set(branch, known);
    if (isTaken) known.yes = true;
    else known.no = true;
  }
}

/** What a template comes to under some assumptions. */
export interface Reached {
  readonly rendered: Rendered;
  readonly assumptions: readonly Assumption[];
}

interface Try {
  readonly branch: BranchNode;
  readonly wish: boolean;
  readonly ways: Ways;
  readonly before: readonly Assumption[];
  /** Nothing but the conditions that have decided what it sees may turn it. */
  readonly isIndirect: boolean;
}

/** How a condition was decided, and what turns it. */
interface Decided {
  readonly isTaken: boolean;
  readonly turn: readonly Assumption[];
}

/** Renders a template with what is assumed so that each of its conditions goes both ways, as far as that can be found. */
export function reach(frame: Frame, name: string, coverage: Coverage): readonly Reached[] {
  return new Search(frame, name, coverage).all();
}

/** What a template asked for in vain before it failed. */
interface Missed {
  readonly place: ValuePlace;
  readonly sample: 'text' | 'map';
}

class Search {
  private readonly frame: Frame;
  private readonly name: string;
  private readonly coverage: Coverage;
  private queue: Try[] = [];
  /** What the rendering at hand wants to be tried. */
  private fresh: Try[] = [];
  /** What is in the queue, by its branch. */
  private readonly queued = new Map<BranchNode, Set<boolean>>();
  private readonly found: Reached[] = [];
  private missed: Missed | undefined;
  /** With nothing assumed. */
  private first: Rendered | undefined;
  private readonly tried = new Set<string>();
  /** What turns each condition of the first rendering. */
  private turns: (readonly Assumption[])[] | undefined = [];
  /** Conditions of which nothing tells what turns them. */
  private readonly lost: Omit<Try, 'ways' | 'isIndirect'>[] = [];
  private readonly around: Surroundings;
  /** Conditions in the order in which they were last decided in the rendering at hand, and what turns them. */
  private readonly decided = new Map<BranchNode, Decided>();
  /** What decided that it is not to be rendered, and what turns that. */
  private refused = nobody;
  private away: Ways = [];
  private left = mostTries;
  private work = mostWork;

  constructor(frame: Frame, name: string, coverage: Coverage) {
    this.frame = frame;
    this.name = name;
    this.coverage = coverage;
    this.around = {
      pathsOf: (place) => frame.pathsOf(place),
      besides: (path, value) => frame.besides(path, value),
      kubernetes: kubeVersionOf(frame.cluster),
      comparedWith: (place, constant) => coverage.comparedWith(place, constant),
    };
  }

  all(): readonly Reached[] {
    const isRefused = this.tryWith([]) !== undefined;
    const { turns } = this;
    const lastTurns = isRefused ? this.lastTurns() : [];
    this.turns = undefined;
    if (isRefused) this.tryLast();
    this.tryQueue();
    if (isRefused && this.found.length === 0) this.tryRefused(lastTurns);
    if (turns) this.tryTurns(turns);
    return [...this.found, ...this.brokenByPairs()];
  }

  /** What can be read with one key or item in a map or list, and not with two, as with `indent` behind blanks. */
  private brokenByPairs(): readonly Reached[] {
    if (isNotes(this.name)) return [];
    const filled = this.filled();
    const ones = [...this.found, ...(filled ? [filled] : [])];
    const pairs = ones.filter(({ assumptions }) => withPairs(assumptions, 'full') !== undefined);
    return pairs.slice(0, mostPairs).flatMap((one) => {
      const broken = this.brokenByPair(one);
      if (!broken) return [];
      return one === filled ? this.eachAlone(broken) : [broken];
    });
  }

  /** A key that is printed for what each item has may be meant for one item: it has to be there twice where the second has nothing. */
  private brokenByPair(one: Reached): Reached | undefined {
    const full = this.withPair(one, 'full');
    const how = full && misreadIn(full.rendered);
    if (how === undefined || misreadIn(one.rendered) !== undefined) return undefined;
    if (how === 'error') return full;
    const bare = this.withPair(one, 'bare');
    return bare && misreadIn(bare.rendered) === 'twice' ? bare : undefined;
  }

  private withPair(one: Reached, second: Second): Reached | undefined {
    const assumptions = withPairs(one.assumptions, second);
    const rendered = assumptions && this.renderedWith(assumptions);
    return rendered && { rendered, assumptions };
  }

  /** What is behind the first place that cannot be read may not be readable either. */
  private eachAlone(all: Reached): readonly Reached[] {
    return all.assumptions.slice(0, mostPairs).flatMap((one) => {
      const rendered = this.renderedWith([one]);
      return rendered && misreadIn(rendered) !== undefined ? [{ rendered, assumptions: [one] }] : [];
    });
  }

  /** With something in the maps and lists that are printed although nothing is in them, which no condition asks for. */
  private filled(): Reached | undefined {
    const { first } = this;
    const places = first ? placesOfEmpty(first) : [];
    const all = places.flatMap(({ place, isMap }) =>
      this.frame.pathsOf(place).map((path): Assumption => {
        const make = isMap ? samples.entries : samples.list;
        return { kind: 'value', path, make, shown: isMap ? '{…}' : '[…]', isGuess: true, isTaken: false };
      }),
    );
    const assumptions = [...firstOfEach(all).values()];
    const rendered = assumptions.length === 0 ? undefined : this.renderedWith(assumptions);
    return rendered && { rendered, assumptions };
  }

  private renderedWith(assumptions: readonly Assumption[]): Rendered | undefined {
    if (this.work < 0) return undefined;
    const frame = this.frame.assuming(assumptions);
    const rendered = frame.render(this.name);
    this.work -= frame.spent;
    return isFailure(rendered) ? undefined : rendered;
  }

  /** What turns the conditions that were decided last, before the template failed. */
  private lastTurns(): Ways {
    return this.turnsOf(() => true);
  }

  /** What turns some of the conditions that were decided, the last ones first. */
  private turnsOf(isAmong: (branch: BranchNode) => boolean): Ways {
    const turns = Array.from(this.decided, ([one, { turn }]) => (isAmong(one) ? turn : []));
    return turns
      .filter((turn) => turn.length > 0)
      .reverse()
      .slice(0, mostDeciders);
  }

  /** What turns the last condition may be all that is missing, where nothing is wished for there: others went both ways. */
  private tryLast(): void {
    const [branch, last] = [...this.decided].findLast(([, { turn }]) => turn.length > 0) ?? [];
    if (!last || !this.coverage.isKnown(branch!, !last.isTaken)) return;
    const { queue } = this;
    this.queue = [];
    this.queued.clear();
    if (this.tryWith(last.turn) === undefined) return;
    this.queue = queue;
    this.queued.clear();
    for (const one of queue) this.queued.set(one.branch, new Set(this.queued.get(one.branch)).add(one.wish));
  }

  /**
   * A helper may have gone both ways in another template that it refused, so that nothing is wished for there any more: this one is
   * not rendered without what that one was given.
   */
  private tryRefused(turns: Ways): void {
    const isRendered = turns.some((turn) => this.left > 0 && this.tryWith(turn) === undefined);
    if (isRendered) this.tryQueue();
  }

  /** What goes together is tried first, with what shows up on the way; only then what has to be tried alone. */
  private tryQueue(): void {
    const alone: Try[] = [];
    while (this.left > 0 && this.queue.length + alone.length > 0) {
      if (this.queue.length === 0) this.tryAlone(alone.shift()!);
      else for (const one of this.triedTogether()) alone.push(one);
    }
    this.queued.clear();
  }

  /** Those that are left over, the largest first. */
  private triedTogether(): readonly Try[] {
    const open = this.queue.filter((one) => !this.isDone(one)).sort((a, b) => sizeOf(b) - sizeOf(a));
    this.queue = [];
    // Most conditions have nothing to do with each other, and one rendering is enough for them.
    const direct = open.filter(({ isIndirect }) => !isIndirect);
    for (const wish of [true, false]) this.tryTogether(direct.filter((one) => one.wish === wish));
    return open.filter((one) => !this.isDone(one));
  }

  /** What decides a condition may itself have been decided before, such as a variable that a helper sets. */
  private tryTurns(turns: Ways): void {
    const open = () => this.lost.filter((one) => !this.coverage.isKnown(one.branch, one.wish));
    for (const way of turns) {
      if (this.left <= 0 || open().length === 0) break;
      if (way.length > 0 && this.tryWith(way) === undefined) this.tryQueue();
    }
    let rest = mostTurnsOver;
    for (const one of open()) {
      for (const way of one.before.length === 0 ? [] : turns) {
        if (this.left <= 0 || rest <= 0 || this.isDone(one)) break;
        if (way.length > 0 && rest-- > 0 && this.tryWith([...one.before, ...way]) === undefined) this.tryQueue();
      }
    }
    for (const { branch } of open()) this.coverage.noteVain(branch);
  }

  /** What turns the conditions that have decided what this one sees; the last ones first, which have decided most. */
  private turnsOfDeciders(branch: BranchNode): Ways {
    const deciders = decidersOf(this.frame.trees, branch);
    return deciders.size === 0 ? [] : this.turnsOf((one) => deciders.has(one));
  }

  private isDone({ branch, wish }: Pick<Try, 'branch' | 'wish'>): boolean {
    return this.coverage.isKnown(branch, wish);
  }

  /** What does not go together may do so without what is to blame for that, or in halves. */
  private tryTogether(all: readonly Try[]): void {
    let open: readonly Try[] = all.filter((one) => !this.isDone(one));
    for (let round = 0; open.length > 1 && this.left > 0 && round < mostBlamed; round++) {
      const blame = this.tryWith(together(open));
      const isTaken = blame === undefined;
      const next = isTaken ? open.filter((one) => !this.isDone(one)) : this.withoutBlamed(open, blame);
      if (isTaken && next.length === open.length) return;
      if (next === open) break;
      open = next;
    }
    if (open.length < 2 || this.left <= 0) return;
    const middle = Math.ceil(open.length / 2);
    this.tryTogether(open.slice(0, middle));
    this.tryTogether(open.slice(middle));
  }

  /** The same tries with other ways for those that are to blame, or without them; the same list where none is. */
  private withoutBlamed(all: readonly Try[], blame: Blame): readonly Try[] {
    const among = (partOf: (one: Try) => readonly Assumption[], isMatch: typeof isBlamed) =>
      firstFound(blame, (suspect) => some(all, (one) => partOf(one).some((each) => isMatch(suspect, each))));
    const firstWay = ({ ways: [first] }: Try) => first!;
    const blamed =
      among(firstWay, isBlamed) ?? among(firstWay, isBelowBlamed) ?? among(({ before }) => before, isBlamed);
    const out = blamed ?? this.lastTurned(all) ?? [];
    if (out.length === 0) return all;
    const others = out.filter(({ ways }) => ways.length > 1).map((one) => ({ ...one, ways: one.ways.slice(1) }));
    return [...all.filter((one) => !out.includes(one)), ...others];
  }

  /** What was decided last as it was wished, before the template failed. */
  private lastTurned(all: readonly Try[]): readonly Try[] | undefined {
    const turned = [...this.decided].reverse();
    return firstFound(turned, ([branch, { isTaken }]) =>
      some(all, (one) => one.branch === branch && one.wish === isTaken),
    );
  }

  private tryAlone(one: Try): void {
    this.queued.get(one.branch)?.delete(one.wish);
    for (const way of one.ways) {
      if (this.isDone(one) || this.left <= 0) break;
      this.tryWith([...one.before, ...way]);
    }
    if (!this.isDone(one)) this.coverage.noteVain(one.branch);
  }

  /** Renders the template so; what it asks for in vain is put in on the way. Says what is to blame where that fails. */
  private tryWith(first: readonly Assumption[]): Blame | undefined {
    let assumptions = first;
    let refusals = 0;
    while (this.left > 0) {
      const key = assumptions.map(keyOf).sort().join('\n');
      if (this.tried.has(key)) return nobody;
      this.tried.add(key);
      this.left--;
      this.begin();
      const here = new Coverage();
      const frame = this.frame.assuming(assumptions, this.watcher(assumptions, here));
      const result = frame.render(this.name);
      this.work -= frame.spent;
      if (this.work < 0) this.left = 0;
      if (!isFailure(result)) {
        const blame = this.take(result, assumptions, here);
        this.takeWishes(assumptions, blame === undefined);
        return blame;
      }
      this.takeWishes(assumptions, false);
      const missed = this.put(this.missed);
      const away = missed.length === 0 && refusals++ < mostRefusals ? this.awayFrom(assumptions) : [];
      if (missed.length + away.length === 0) return blameOf(result, this.refused, frame);
      const instead = new Set(away.map(aboutWhat));
      assumptions = [...assumptions.filter((one) => !instead.has(aboutWhat(one))), ...missed, ...away];
    }
    return nobody;
  }

  /** Nothing is known of a rendering before it. */
  private begin(): void {
    for (const one of this.fresh) this.queued.get(one.branch)?.delete(one.wish);
    this.fresh = [];
    this.missed = undefined;
    this.decided.clear();
    this.refused = nobody;
    this.away = [];
  }

  /** What shows up where much was assumed that does not go together shows up again where it does. */
  private takeWishes(assumptions: readonly Assumption[], isDone: boolean): void {
    const isKept = isDone || assumptions.length <= mostInFailed;
    for (const one of this.fresh) {
      if (isKept) this.queue.push(one);
      else this.queued.get(one.branch)?.delete(one.wish);
    }
    this.fresh = [];
  }

  /**
   * What a chart asks for where it refuses to be rendered so; nothing where that contradicts what is assumed. One of the values that it
   * takes is in the place of just any: `fail` unless `has .Values.level (list "debug" "info")`.
   */
  private awayFrom(assumptions: readonly Assumption[]): readonly Assumption[] {
    const below = firstOfEach(assumptions);
    const isOneOfThose = (one: Assumption) => one.kind === 'value' && !one.isGuess && !one.isTaken;
    const fits = (one: Assumption) => {
      const known = below.get(aboutWhat(one));
      return known === undefined || (isGuess(known) && isOneOfThose(one));
    };
    return (assumptions.length > 0 && this.away.find((way) => way.every(fits))) || [];
  }

  /** A text in the place of a map, or the like, makes what nobody can read: that is not the template's fault. */
  private take(rendered: Rendered, assumptions: readonly Assumption[], here: Coverage): Blame | undefined {
    const isRead = assumptions.some(isGuess) && !isNotes(this.name);
    const blame = isRead ? unreadable(judgedText(rendered), this.frame) : undefined;
    this.decided.clear();
    if (blame) return blame;
    if (assumptions.length === 0) this.first = rendered;
    // What the values of the chart come to is known already.
    if (this.coverage.add(here) && assumptions.length > 0) this.found.push({ rendered, assumptions });
    return undefined;
  }

  private put(missed: Missed | undefined): readonly Assumption[] {
    if (!missed) return [];
    const { place, sample } = missed;
    const shown = sample === 'map' ? '{…}' : 'something';
    return this.frame
      .pathsOf(place)
      .map((path) => ({ kind: 'value', path, make: samples[sample], shown, isGuess: true, isTaken: false }));
  }

  private watcher(before: readonly Assumption[], here: Coverage): Watcher {
    return {
      visited: (node) => {
        here.visited.add(node);
      },
      decided: (branch, isTaken, look) => {
        here.note(branch, isTaken);
        const ways = waysTo(branch.pipe, !isTaken, look, this.around);
        const [turn = []] = ways;
        this.turns?.push(turn);
        this.decided.delete(branch);
        this.decided.set(branch, { isTaken, turn });
        // What only refuses to be rendered is no aim, but a place to get away from.
        const refuses = endsInFailure(branch);
        if (refuses ? isTaken : !isTaken && elseEndsInFailure(branch)) {
          this.refused = lookedAt(branch.pipe, look, this.frame);
          this.away = ways.filter((way) => way.length > 0);
        }
        const leadsOn = isTaken ? branch.elseList !== undefined || refuses : !refuses;
        if (leadsOn && !this.coverage.isKnown(branch, !isTaken)) this.wishFor(branch, !isTaken, ways, before);
      },
      restarted: () => {
        here.clear();
        this.turns?.splice(0);
        this.begin();
      },
      missed: ({ value, from }, sample) => {
        const place = value === '' && from instanceof Joined ? from.ofNothing : placeOf(from.runs(1)[0]?.leaf);
        this.missed = place && { place, sample };
      },
    };
  }

  private wishFor(branch: BranchNode, wish: boolean, found: Ways, before: readonly Assumption[]): void {
    const wished = this.queued.get(branch) ?? new Set();
    if (this.coverage.isGivenUp(branch) || wished.has(wish)) return;
    const direct = found.filter((way) => way.length > 0);
    const turns = this.turnsOfDeciders(branch);
    const both = direct.length > 0 ? turns.map((turn) => [...direct[0]!, ...turn]) : [];
    const ways = [...direct, ...turns, ...both];
    this.queued.set(branch, wished.add(wish));
    if (ways.length > 0) this.fresh.push({ branch, wish, ways, before, isIndirect: direct.length === 0 });
    else if (beyondValues(branch) === undefined) this.lost.push({ branch, wish, before });
  }
}

/** The values of files that are printed as an empty map or list. */
function placesOfEmpty({ text, from }: Rendered): readonly { readonly place: ValuePlace; readonly isMap: boolean }[] {
  return from.runs(text.length).flatMap(({ start, end, leaf }) => {
    const printed = text.slice(start, end);
    const place = printed === '{}' || printed === '[]' ? placeOf(leaf) : undefined;
    return place ? [{ place, isMap: printed === '{}' }] : [];
  });
}

/** Whether a text cannot be read, or a key of it that is known is given again. */
function misreadIn(rendered: Rendered): 'error' | 'twice' | undefined {
  let isTwice = false;
  for (const { document } of parseStream(judgedText(rendered).text).documents) {
    const { error, strict } = documentVerdict(document);
    if (error !== undefined) return 'error';
    isTwice ||= strict.some(({ range: { start, end } }) => !document.text.slice(start, end).includes(unknownMark));
  }
  return isTwice ? 'twice' : undefined;
}

/** What is assumed together, and in which order, in all renderings of a chart. */
export function keyOfAll(assumptions: readonly Assumption[]): string {
  return assumptions.map(keyOf).join('\n');
}

/** What an assumption is, in all renderings of a chart: a text without line ends. */
const keyOf = memo((one: Assumption): string =>
  JSON.stringify(one.kind === 'value' ? [one.path, one.shown, makes.indexOf(one.make)] : one),
);

function isGuess(one: Assumption): boolean {
  return one.kind === 'value' && one.isGuess;
}

const nobody: Blame = [];

function some<A>(all: readonly A[], fits: (one: A) => boolean): readonly A[] | undefined {
  const found = all.filter(fits);
  return found.length > 0 ? found : undefined;
}

/** Characters of the template that a try is about. */
function sizeOf({ branch, wish }: Try): number {
  const nodes = (wish ? branch.list : branch.elseList)?.nodes ?? [];
  return nodes.length === 0 ? 0 : nodes.at(-1)!.end - nodes[0]!.pos;
}

/** What decides conditions beside values. */
export type Beyond = 'kubernetes' | 'release' | 'cluster';

const beyond: readonly (readonly [Beyond, RegExp])[] = [
  ['kubernetes', /\.Capabilities\b|\bsemver|kubeVersion/i],
  ['cluster', /\blookup\b/],
  ['release', /\.Release\./],
];

/** What no values can turn, as far as a condition says that itself. */
export const beyondValues = memo(({ pipe }: BranchNode): Beyond | undefined => {
  const text = printNode(pipe);
  return beyond.find(([, names]) => names.test(text))?.[0];
});

/** Whether a condition comes to what only a cluster has, also through variables. */
export function asksCluster(trees: ReadonlyMap<string, Tree>, branch: BranchNode): boolean {
  return behindOf(trees, branch).some(isOfCluster);
}

/** Whether what is read at a place, or a condition around it, does. */
export function asksClusterAt(trees: ReadonlyMap<string, Tree>, place: Place): boolean {
  return anyAsks(trees) && behindPlace(trees, place).some(isOfCluster);
}

const anyAsks = memo((trees: ReadonlyMap<string, Tree>): boolean => {
  return [...trees.values()].some(({ text }) => text.includes('lookup'));
});

function isOfCluster(pipe: PipeNode): boolean {
  return /\blookup\b/.test(printNode(pipe));
}

/** Whether what is behind a condition refuses to be rendered. */
export const endsInFailure = memo(({ list }: BranchNode): boolean => refuses(list));

export const elseEndsInFailure = memo(
  ({ elseList }: BranchNode): boolean => elseList !== undefined && refuses(elseList),
);

function refuses({ nodes }: ListNode): boolean {
  return nodes.some((node) => node.kind === 'action' && node.pipe.commands.some(isRefusal));
}

/** `fail` always refuses, and so does `required` of nothing, which has Helm name the line. */
function isRefusal({ args: [first, , asked] }: CommandNode): boolean {
  if (first?.kind !== 'identifier') return false;
  return first.name === 'fail' || (first.name === 'required' && asked?.kind === 'nil');
}

/** The first of all ways, over what they build on and without those that contradict it; the first that wants a value has it. */
function together(all: readonly Try[]): readonly Assumption[] {
  const below = firstOfEach(all.flatMap(({ before }) => before));
  const fitting = all.flatMap(({ ways: [first] }) => (first!.some((one) => contradicts(below, one)) ? [] : first!));
  return [...new Map([...below, ...firstOfEach(fitting)]).values()];
}

function contradicts(below: ReadonlyMap<string, Assumption>, one: Assumption): boolean {
  const known = below.get(aboutWhat(one));
  return known !== undefined && keyOf(known) !== keyOf(one);
}

/** The one thing that an assumption says something about. */
const aboutWhat = memo((one: Assumption): string => {
  if (one.kind === 'value') return JSON.stringify(one.path);
  return one.kind === 'served' ? one.apiVersion : one.kind;
});

function firstOfEach(all: readonly Assumption[]): ReadonlyMap<string, Assumption> {
  const byPath = new Map<string, Assumption>();
  for (const one of all) {
    const key = aboutWhat(one);
    if (!byPath.has(key)) byPath.set(key, one);
  }
  return byPath;
}
