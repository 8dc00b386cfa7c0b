import type { Assumption } from '../../helm/made.ts';
import type { SourceFile } from '../sourceFile.ts';

type Ways = readonly (readonly Assumption[])[];

/**
 * What was found out about earlier versions of a chart. Nothing rests on it: it is where to look first, and what does not
 * have to be read again.
 */
export class ChartMemory {
  private readonly ways = new Map<string, { readonly basis: string; readonly ways: Ways }>();
  private readonly fewest = new Map<string, readonly Assumption[]>();
  private readonly sources = new Map<string, SourceFile>();

  private readonly parts = new Map<string, ChartMemory>();
  private readonly isOnce: boolean;

  /** A chart that is looked at once has no earlier versions: what it comes to need not be kept. */
  constructor(isOnce = false) {
    this.isOnce = isOnce;
  }

  /** What was found out about a part of its values alone. */
  of(part: string): ChartMemory {
    const known = this.parts.get(part);
    if (known) return known;
    if (this.parts.size >= mostParts) this.parts.clear();
    const made = new ChartMemory(this.isOnce);
    this.parts.set(part, made);
    return made;
  }

  /** What is worth assuming for a template, as long as what that was found with is the same. */
  waysFor(name: string, basis: string): Ways | undefined {
    const known = this.ways.get(name);
    return known?.basis === basis ? known.ways : undefined;
  }

  keepWays(name: string, basis: string, ways: Ways): void {
    this.ways.set(name, { basis, ways });
  }

  /** The fewest assumptions with which something was found. */
  fewestFor(finding: string): readonly Assumption[] | undefined {
    return this.fewest.get(finding);
  }

  keepFewest(finding: string, assumptions: readonly Assumption[]): void {
    if (this.fewest.size >= mostRemembered) this.fewest.clear();
    this.fewest.set(finding, assumptions);
  }

  /** What a rendering was before, of which what did not change is not read again. */
  sourceBefore(rendering: string): SourceFile | undefined {
    return this.sources.get(rendering);
  }

  keepSource(rendering: string, source: SourceFile): void {
    if (this.isOnce) return;
    if (this.sources.size >= mostRemembered) this.sources.clear();
    this.sources.set(rendering, source);
  }
}

/** Files with values for one chart that are edited at once. */
const mostParts = 20;

/** Findings, and renderings, that are remembered of one chart. */
const mostRemembered = 500;
