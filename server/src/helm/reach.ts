/** Looks for values with which a template comes to the parts that it does not come to otherwise. */
import type { ValuePlace } from '../template/from.ts';
import type { BranchNode, Statement } from '../template/nodes.ts';
import type { Watcher } from '../template/run.ts';
import { type Look, type PathsOf, placeOf, type Ways, waysTo } from './flip.ts';
import { type Assumption, samples } from './made.ts';
import { type Frame, isFailure, type Rendered } from './render.ts';

/** Renderings that are tried for one template. */
export const mostTries = 60;

/** What of templates was reached, and which ways their conditions went. */
export class Coverage {
  readonly visited = new Set<Statement>();
  private readonly decided = new Map<BranchNode, { yes: boolean; no: boolean }>();

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
  private readonly queue: Try[] = [];
  private readonly found: Reached[] = [];
  private readonly pathsOf: PathsOf;
  private missed: Missed | undefined;
  private left = mostTries;

  constructor(frame: Frame, name: string, coverage: Coverage) {
    this.frame = frame;
    this.name = name;
    this.coverage = coverage;
    this.pathsOf = (place) => frame.pathsOf(place);
  }

  all(): readonly Reached[] {
    this.tryWith([]);
    for (let next = this.queue.shift(); next && this.left > 0; next = this.queue.shift()) {
      const { branch, wish, ways, before } = next;
      for (const way of ways) {
        if (this.coverage.isKnown(branch, wish) || this.left <= 0) break;
        if (this.tryWith([...before, ...way])) break;
      }
    }
    return this.found;
  }

  /** Whether the template can be rendered so; what it asks for in vain is put in on the way. */
  private tryWith(first: readonly Assumption[]): boolean {
    let assumptions = first;
    while (this.left > 0) {
      this.left--;
      this.missed = undefined;
      const before = this.coverage.visited.size;
      const result = this.frame.assuming(assumptions, this.watcher(assumptions)).render(this.name);
      if (!isFailure(result)) {
        // What the values of the chart come to is known already.
        if (assumptions.length > 0 && this.coverage.visited.size > before)
          this.found.push({ rendered: result, assumptions });
        return true;
      }
      const more = this.put(this.missed);
      if (more.length === 0) return false;
      assumptions = [...assumptions, ...more];
    }
    return false;
  }

  private put(missed: Missed | undefined): readonly Assumption[] {
    if (!missed) return [];
    const { place, sample } = missed;
    const shown = sample === 'map' ? '{…}' : 'something';
    return this.pathsOf(place).map((path) => ({ kind: 'value', path, make: samples[sample], shown }));
  }

  private watcher(before: readonly Assumption[]): Watcher {
    const { coverage } = this;
    return {
      visited: (node) => {
        coverage.visited.add(node);
      },
      decided: (branch, isTaken, look) => {
        coverage.note(branch, isTaken);
        const leadsOn = !isTaken || branch.elseList !== undefined;
        if (leadsOn && !coverage.isKnown(branch, !isTaken)) this.wishFor(branch, !isTaken, look, before);
      },
      missed: ({ from }, sample) => {
        const place = placeOf(from.runs(1)[0]?.leaf);
        this.missed = place && { place, sample };
      },
    };
  }

  private wishFor(branch: BranchNode, wish: boolean, look: Look, before: readonly Assumption[]): void {
    if (this.queue.some((one) => one.branch === branch && one.wish === wish && one.before === before)) return;
    const ways = waysTo(branch.pipe, wish, look, this.pathsOf).filter((way) => way.length > 0);
    if (ways.length > 0) this.queue.push({ branch, wish, ways, before });
  }
}
