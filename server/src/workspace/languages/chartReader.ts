import { chartRootOf, readChart } from '../charts/chartFiles.ts';
import { ChartFolder } from '../charts/chartFolder.ts';
import { filesOf } from '../delivery/chartUse.ts';
import { chartsUsedIn, readNamed, usesOfChart } from '../delivery/uses.ts';
import { chartGlobs } from '../fileNames.ts';
import { type Snapshot, settingsFor } from '../snapshot.ts';
import { isInside } from '../uri.ts';
import { chartAt, mayBeOfChart, withChart } from './chart.ts';
import type { Language, Reader, ReaderHost } from './language.ts';

/** Reads the charts that open files belong to. */
export class ChartReader implements Reader {
  readonly forClosed = false;
  readonly watches = chartGlobs.map((glob) => `**/${glob}`);
  private readonly host: ReaderHost;
  private readonly pending = new Map<string, Promise<void>>();
  /** Files that belong to no chart. */
  private readonly outside = new Set<string>();
  /** Charts of which nothing could be read. */
  private readonly gone = new Set<string>();

  constructor(host: ReaderHost) {
    this.host = host;
  }

  read(uri: string): Promise<void> | undefined {
    if (this.pending.has(uri)) return undefined;
    const steps = [this.around(uri), this.used(uri)].filter((one) => one !== undefined);
    if (steps.length === 0) return undefined;
    const reading = Promise.all(steps.map((step) => step()))
      .then(() => {})
      .finally(() => this.pending.delete(uri));
    this.pending.set(uri, reading);
    return reading;
  }

  /** The chart that a file is in. */
  private around(uri: string): (() => Promise<void>) | undefined {
    const snapshot = this.host.snapshot();
    const isWanted = mayBeOfChart(uri) && settingsFor(snapshot, uri).charts && !this.outside.has(uri);
    return isWanted && !chartAt(snapshot, uri) ? () => this.readAround(uri) : undefined;
  }

  /** The charts that the objects of a file install, with all files of values that are named for them. */
  private used(uri: string): (() => Promise<void>) | undefined {
    const snapshot = this.host.snapshot();
    if (!settingsFor(snapshot, uri).charts) return undefined;
    const roots = chartsUsedIn(snapshot, uri).filter((root) => isUnread(snapshot, root) && !this.gone.has(root));
    return roots.length === 0
      ? undefined
      : async () => void (await Promise.all(roots.map((root) => this.readRoot(root))));
  }

  async settled(uri: string): Promise<void> {
    // What fails is told by those who began it.
    await Promise.allSettled([this.pending.get(uri)]);
  }

  forget(uri: string): boolean {
    const isOf = ([root, { read }]: [string, ChartFolder]) => isInside(uri, root) || read.named?.has(uri) === true;
    const roots = [...this.host.snapshot().charts].filter(isOf).map(([root]) => root);
    if (roots.length === 0) {
      if (!uri.endsWith('/Chart.yaml')) return false;
      this.outside.clear();
      this.gone.clear();
      return true;
    }
    this.host.change((snapshot) => {
      const charts = new Map(snapshot.charts);
      for (const root of roots) charts.delete(root);
      return { ...snapshot, charts };
    });
    return true;
  }

  judgesBy(_language: Language): boolean {
    return false;
  }

  private async readAround(uri: string): Promise<void> {
    const { files } = this.host;
    const root = await chartRootOf(files, uri);
    if (root === undefined) {
      this.outside.add(uri);
      return;
    }
    if (!this.host.snapshot().charts.has(root)) await this.readRoot(root);
  }

  private async readRoot(root: string): Promise<void> {
    const { files, caches } = this.host;
    const read = await readChart(files, root, caches.helm);
    for (const note of read.notes) this.host.log(`${root}: ${note}`);
    if (read.files.length === 0) this.gone.add(root);
    const named = await readNamed(files, this.host.snapshot(), root);
    this.host.change((snapshot) => withChart(snapshot, new ChartFolder({ ...read, named })));
  }
}

/** Whether a chart, or a file of values that is named for it, was not read yet. */
function isUnread(snapshot: Snapshot, root: string): boolean {
  const known = snapshot.charts.get(root)?.read.named;
  return !known || usesOfChart(snapshot, root).some((use) => filesOf(use).some((file) => !known.has(file)));
}
